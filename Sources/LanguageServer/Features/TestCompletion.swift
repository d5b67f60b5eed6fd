internal import Forms
internal import JSON
internal import JSONSchema
internal import SourceTexts

/// Completion at a caret in a test file.
struct TestCompletion {
  private let scanned: ScannedText
  private let form: FormText?
  private let caret: Caret

  init(of scanned: ScannedText, form: FormText?, at offset: Int) {
    self.scanned = scanned
    self.form = form
    caret = Caret(at: offset, in: scanned)
  }

  var suggestions: [Suggestion] {
    let members = MemberSuggestions(scanned: scanned, caret: caret)
    let (guide, tokens) = DefinitionGuide.test(at: caret.tokens)
    switch caret.spot {
    case .name: return members.members(guide.members(of: guide.parts(at: tokens))) + members.texts(names, kind: .field)
    case .value: return members.values(guide.parts(at: tokens)) + members.texts(words, kind: .field)
    case .nothing: return []
    }
  }

  private var addresses: [(text: String, detail: String?)] {
    (form?.usableForm?.fields ?? []).filter { $0.template == 0 }.map {
      ($0.address, $0.label?.resolved(for: "", default: nil))
    }
  }

  /// The form's names that an object can have as its members.
  private var names: [(text: String, detail: String?)] {
    guard let form = form?.usableForm else { return [] }
    switch caret.tokens.last {
    case "values", "fields", "messages", "errors", "change": return addresses
    case "steps": return form.steps.map { ($0.id, nil) }
    case "actions": return form.actions.map { ($0.name, nil) }
    case "outputs": return form.outputs.filter { $0.template == 0 }.map { ($0.address, nil) }
    case "lookups": return form.lookups.filter { $0.template == 0 }.map { ($0.address, nil) }
    default:
      guard let given = caret.tokens.lastIndex(of: "given") else { return [] }
      // The members of an object among the initial values.
      let path = AddressNames.path(JSONPointer(tokens: Array(caret.tokens[(given + 1)...])).description)
      return form.fields.filter { $0.path.dropLast().elementsEqual(caret.tokens.count == given + 1 ? [] : path) }
        .filter { $0.name != "*" }.map { ($0.name, $0.label?.resolved(for: "", default: nil)) }
    }
  }

  /// The form's names for the value of a member.
  private var words: [(text: String, detail: String?)] {
    guard let form = form?.usableForm else { return [] }
    return switch caret.tokens.last {
    case "change", "focus", "blur", "fail": addresses
    case "insert": form.fields.filter { $0.template == 0 && $0.element != nil }.map { ($0.address, nil) }
    case "tap": form.actions.map { ($0.name, nil) }
    case "show", "step": form.steps.map { ($0.id, nil) }
    default: caret.tokens.dropLast(2).last == "errors" ? codes(of: caret.tokens.dropLast().last ?? "", in: form) : []
    }
  }

  /// The codes that errors of a field may have: the rules and checks at it, and keywords of its schema.
  private func codes(of address: String, in form: Form) -> [(text: String, detail: String?)] {
    let path = AddressNames.path(address)
    func isHere(_ field: Int?) -> Bool { field.map { form.fields[$0].path == path } ?? address.isEmpty }
    let rules = form.rules.filter { isHere($0.field) }.map { (text: $0.id, detail: "rule" as String?) }
    let checks = form.checks.filter { isHere($0.field) }.map { (text: $0.id, detail: "check" as String?) }
    let keywords = (self.form?.dataGuide(locale: nil)?.parts(at: path) ?? []).flatMap(\.schema.names)
      .filter { Keyword(rawValue: $0)?.parameterNames != nil }
    return rules + checks + (keywords + ["required"]).map { ($0, "schema") }
  }
}
