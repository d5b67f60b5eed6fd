internal import Forms
internal import JSON
internal import SourceTexts

/// Completion at a caret in a form definition.
struct DefinitionCompletion {
  private let form: FormText
  private let caret: Caret
  private let offset: Int

  init(of form: FormText, at offset: Int) {
    self.form = form
    self.offset = offset
    caret = Caret(at: offset, in: form.scanned)
  }

  var suggestions: [Suggestion] {
    let members = MemberSuggestions(scanned: form.scanned, caret: caret)
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
    return isByAddress ? addresses : []
  }

  /// Names that the schema of definitions does not call addresses.
  private var references: [(text: String, detail: String?)] {
    switch caret.tokens.last {
    case "scope": (form.usableForm?.steps ?? []).map { ($0.id, "step") }
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
