internal import DataLanguages
internal import Forms
internal import JSON
internal import SourceTexts

/// Completion at a caret in a test file.
struct TestCompletion {
  private let scanned: ScannedText
  private let language: DataLanguage
  private let form: FormText?
  private let caret: Caret

  init(of test: TestText, form: FormText?, at offset: Int) {
    scanned = test.scanned
    language = test.language
    self.form = form
    caret = Caret(at: offset, in: test.scanned, ofAuthored: test.language)
  }

  var suggestions: [Suggestion] {
    let members = MemberSuggestions(scanned: scanned, caret: caret, language: language)
    let (guide, tokens) = DefinitionGuide.test(at: caret.tokens)
    switch caret.spot {
    case .name: return members.members(guide.members(of: guide.parts(at: tokens))) + members.texts(names, kind: .field)
    case .value: return members.values(guide.parts(at: tokens)) + members.texts(words, kind: .field)
    case .nothing: return []
    }
  }

  private var addresses: [(text: String, detail: String?)] {
    // Fields of the form come before fields of rows.
    let fields = (form?.usableForm?.fields ?? []).filter { $0.name != "*" || $0.template == 0 }
    return (fields.filter { $0.template == 0 } + fields.filter { $0.template > 0 }).map {
      (Self.inFirstRows($0.address), $0.label?.resolved(for: "", default: nil))
    }
  }

  /// An address in the first row of each list.
  private static func inFirstRows(_ address: String) -> String { address.replacing("/*", with: "/0") }

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
    case "change", "focus", "blur", "fail", "reset", "field": addresses
    case "insert": form.fields.filter { $0.element != nil }.map { (Self.inFirstRows($0.address), nil) }
    case "toggle":
      form.fields.filter { $0.element.map(form.isChoice) ?? false }.map { (Self.inFirstRows($0.address), "choices") }
    case "remove", "move": form.fields.filter { $0.name == "*" }.map { (Self.inFirstRows($0.address), "row") }
    case "tap", "cancel", "action": form.actions.map { ($0.name, nil) }
    case "show", "step": form.steps.map { ($0.id, nil) }
    case "code": form.fields.flatMap { self.form?.codes(of: $0.address) ?? [] }.uniqued
    default:
      caret.tokens.dropLast(2).last == "errors"
        ? self.form?.codes(of: caret.tokens.dropLast().last ?? "") ?? [] : []
    }
  }
}

extension [(text: String, detail: String?)] {
  /// Each text once, at its first position.
  fileprivate var uniqued: Self {
    var seen: Set<String> = []
    return filter { seen.insert($0.text).inserted }
  }
}
