internal import Forms
internal import JSON

/// What may stand at a caret in a form definition.
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
      let offered = members.members(guide.members(of: parts))
      return offered + members.texts(names(of: guide, parts), kind: .field)
    case .value(let value):
      guard caret.tokens.first != "schema" || caret.tokens.count < 2 else { return schemaValues(members) }
      let (guide, tokens) = DefinitionGuide.form(at: caret.tokens)
      let parts = guide.parts(at: tokens)
      switch DefinitionGuide.textKind(of: parts, name: caret.tokens.last) {
      case .formula?:
        if let value, value.kind == .string { return formula(value) }
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

  /// What the names of the members are where the schema says that they are addresses.
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

  // MARK: Formulas

  private func formula(_ value: ScannedNode) -> [Suggestion] {
    let text = QuotedText(value.range, in: form.scanned.source.bytes)
    guard offset >= text.range.lowerBound, offset <= text.range.upperBound else { return [] }
    let before = text.content(before: offset)
    guard let name = FormulaCaret(before) else { return [] }
    let range = text.range(of: name.start..<before.count)
    let cells = FormulaPlace(at: caret.tokens, in: form.scanned).cells(in: form)
    var found: [Suggestion] = []
    if !name.isMember {
      found += cells.filter { $0.name.utf8.starts(with: name.head.utf8) && $0.name.hasLetters(of: name.name) }.map {
        Suggestion(
          label: $0.name,
          kind: .variable,
          detail: $0.type,
          documentation: nil,
          range: range,
          text: QuotedText.escaped($0.name)
        )
      }
    }
    return found + functions(name, cells, in: text, before)
  }

  /// Functions; behind a dot those that texts, lists and so on have.
  private func functions(
    _ name: FormulaCaret,
    _ cells: [NamedCell],
    in text: QuotedText,
    _ before: [UInt8]
  ) -> [Suggestion] {
    let head = name.head
    // Within quotes there are names only.
    guard !head.hasSuffix("'"), !head.hasSuffix("\"") else { return [] }
    func suggestion(_ function: FormulaFunction, from start: Int, isMember: Bool) -> Suggestion {
      Suggestion(
        label: function.name,
        kind: isMember ? .method : .function,
        detail: function.signatures.first,
        documentation: function.documentation,
        range: text.range(of: start..<before.count),
        text: "\(function.name)(\(Suggestion.caret))"
      )
    }
    var found: [Suggestion] = []
    if !name.isMember {
      found += FormulaFunction.all.filter { function in
        function.isGlobal && function.name.hasPrefix(head) && function.name.hasLetters(of: name.name)
      }.map { suggestion($0, from: name.start, isMember: false) }
    }
    let holder = cells.first { $0.name == String(head.dropLast()) }
    // What only leads to names, as `values`, has no functions.
    if name.isMember || holder != nil || !head.isEmpty && !cells.contains(where: { $0.name.hasPrefix(head) }) {
      let written = name.isMember ? name.name : String(name.name.dropFirst(head.count))
      found += FormulaFunction.all.filter { function in
        function.isMember(ofType: name.isMember ? nil : holder?.type) && function.name.hasLetters(of: written)
      }.map { suggestion($0, from: before.count - written.utf8.count, isMember: true) }
    }
    return found
  }
}
