internal import Forms
internal import JSON
internal import SourceTexts

/// Completion at a caret in a form definition.
struct DefinitionCompletion {
  private let form: FormText
  private let caret: Caret
  private let offset: Int
  /// The names of services and databases in the configuration; nil if there is none.
  private let configuration: ConfiguredNames?

  init(of form: FormText, configuration: ConfiguredNames?, at offset: Int) {
    self.form = form
    self.configuration = configuration
    self.offset = offset
    caret = Caret(at: offset, in: form.scanned, ofAuthored: form.language)
  }

  var suggestions: [Suggestion] {
    let members = MemberSuggestions(scanned: form.scanned, caret: caret, language: form.language)
    switch caret.spot {
    case .name:
      let (guide, tokens) = DefinitionGuide.form(in: caret.tokens)
      let parts = guide.parts(at: tokens)
      let known = guide.members(of: parts)
      let offered = members.members(
        known.filter { !SchemaWords.superseded.contains($0.name) }
          + known.filter { SchemaWords.superseded.contains($0.name) }
      )
      return offered + members.texts(names(of: guide, parts), kind: .field)
    case .value(let value):
      if let value, value.kind == .string, let names = namesInText(value) { return names }
      guard caret.tokens.first != "schema" || caret.tokens.count < 2 else { return schemaValues(members) }
      let (guide, tokens) = DefinitionGuide.form(at: caret.tokens)
      let parts = guide.parts(at: tokens)
      switch DefinitionGuide.textKind(of: parts, name: caret.tokens.last) {
      case .formula?:
        if let value, value.kind == .string {
          return FormulaCompletion(of: form, in: value, tokens: caret.tokens, at: offset)?.suggestions ?? []
        }
        return members.values(parts)
      case .address?: return members.texts(addresses, kind: .field)
      case nil: return members.values(parts) + members.texts(references, kind: .field)
      }
    case .nothing: return []
    }
  }

  // MARK: Names

  private var addresses: [(text: String, detail: String?)] {
    (form.usableForm?.fields ?? []).map { ($0.address, $0.label?.resolved(for: "", default: nil)) }
  }

  /// The possible names of members, if the schema says that they are addresses.
  private func names(of guide: SchemaGuide, _ parts: [SchemaGuide.Part]) -> [(text: String, detail: String?)] {
    let isByAddress = guide.nameParts(of: parts).contains { $0.name == "address" } || caret.tokens.last == "fieldErrors"
    if isByAddress { return addresses }
    if caret.tokens.last == "messages", caret.tokens.count == 1 || caret.tokens.count == 3 {
      return form.codes(of: caret.tokens.count == 3 ? caret.tokens[1] : nil)
    }
    if caret.tokens.last == "options", caret.tokens.count == 3 {
      return choices(of: caret.tokens[1])
    }
    if caret.tokens.suffix(2) == ["sql", "parameters"] {
      let query = form.scanned.node(at: JSONPointer(tokens: caret.tokens.dropLast()))?.child("query")?.value.stringValue
      return SQLParameters.names(in: query ?? "").map { ($0, "parameter") }
    }
    return parts.contains { $0.name == "text" } ? form.locales : []
  }

  /// The values of a field that the schema lists.
  private func choices(of address: String) -> [(text: String, detail: String?)] {
    let parts = form.dataGuide(locale: nil)?.parts(at: AddressNames.path(address)) ?? []
    return parts.flatMap { $0.schema["enum"]?.arrayValue ?? [] }.map { ($0.stringValue ?? $0.description, nil) }
  }

  /// Names within a text: in braces, or behind the colon of a SQL parameter; nil if none can be written at the caret.
  private func namesInText(_ value: ScannedNode) -> [Suggestion]? {
    let text = QuotedText(value, in: form.scanned)
    if caret.tokens.suffix(2) == ["sql", "query"] {
      guard offset >= text.range.lowerBound, offset <= text.range.upperBound,
        let name = SQLParameters.name(atEndOf: text.content(before: offset))
      else { return nil }
      let parameters = form.scanned.node(at: JSONPointer(tokens: caret.tokens.dropLast()))?.child("parameters")
      return (parameters?.children.compactMap(\.key) ?? []).map {
        Suggestion(label: $0, kind: .variable, detail: "parameter", range: text.range(of: name), text: $0)
      }
    }
    guard let names = form.placeholders(at: caret.tokens), let caret = PlaceholderCaret(in: text, at: offset) else {
      return nil
    }
    return names.filter { $0.text.hasLetters(of: caret.written) }.map { name, detail in
      Suggestion(
        label: name,
        kind: .variable,
        detail: detail,
        range: caret.range,
        text: text.spelled(name + (caret.isClosed ? "" : "}"))
      )
    }
  }

  /// Names that the schema of definitions does not call addresses.
  private var references: [(text: String, detail: String?)] {
    switch caret.tokens.last {
    case "scope": (form.usableForm?.steps ?? []).map { ($0.id, "step") }
    case "service" where caret.tokens.dropLast().last == "http":
      (configuration?.services ?? []).map { ($0, "service") }
    case "database" where caret.tokens.dropLast().last == "sql":
      (configuration?.databases ?? []).map { ($0, "database") }
    case "key":
      (form.usableForm?.fields ?? []).filter { field in
        field.path.dropLast().elementsEqual(
          (JSONPointer(address: caret.tokens.dropLast().last ?? "")?.tokens ?? []) + ["*"]
        )
      }.map { ($0.name, nil) }
    default: []
    }
  }

  /// Values in the schema: names of properties in `required`, types, formats.
  private func schemaValues(_ members: MemberSuggestions) -> [Suggestion] {
    let (guide, tokens) = DefinitionGuide.form(at: caret.tokens)
    if let keyword = caret.tokens.dropLast().last, keyword == "required",
      let properties = form.scanned.node(at: JSONPointer(tokens: caret.tokens.dropLast(2)))?.child("properties")
    {
      let present = caret.container?.value.arrayValue?.compactMap(\.stringValue) ?? []
      let names = properties.children.compactMap(\.key).filter { !present.contains($0) }
      return members.texts(names.map { ($0, nil) }, kind: .field)
    }
    if caret.tokens.last == "format" { return members.texts(SchemaWords.formats.map { ($0, nil) }, kind: .value) }
    return members.values(guide.parts(at: tokens))
  }
}
