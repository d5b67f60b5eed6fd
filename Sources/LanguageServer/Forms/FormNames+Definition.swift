internal import Forms
internal import JSON
internal import SourceTexts

extension FormNames {
  /// Finds the symbols that a definition names outside its schema; see ``SchemaNames`` for the schema.
  init(definition scanned: ScannedText, schema: [Occurrence]) {
    var finder = DefinitionNames(scanned)
    finder.findAll()
    let functions = Set(scanned.root.child("functions")?.children.compactMap(\.key) ?? [])
    // Formulas call functions of the language, too, and these are no symbols of the form.
    let found = finder.found.filter {
      if case .function(let name) = $0.symbol { functions.contains(name) } else { true }
    }
    self.init(found + schema, doubts: finder.doubts)
  }
}

/// Walks a definition along with the schema of definitions, which says what each text means.
private struct DefinitionNames {
  private let scanned: ScannedText
  private(set) var found: [Occurrence] = []
  private(set) var doubts: [NameDoubt] = []

  init(_ scanned: ScannedText) {
    self.scanned = scanned
  }

  mutating func findAll() {
    let root = scanned.root
    guard root.kind == .object else { return }
    for block in root.children {
      guard let name = block.key, name != "schema" else { continue }
      visit(block, name, DefinitionGuide.formParts(in: DefinitionGuide.formParts, at: name))
    }
  }

  /// One block of the definition: an object by name or address, or a list of parts.
  private mutating func visit(_ block: ScannedNode, _ name: String, _ parts: [SchemaGuide.Part]) {
    for (position, part) in block.children.enumerated() {
      let token = block.kind == .array ? String(position) : part.key ?? ""
      let inner = DefinitionGuide.formParts(in: parts, at: token)
      define(part, of: name)
      visit(part, inner, FormulaScope(in: part, of: name))
    }
  }

  /// Notes where a part gets its name.
  private mutating func define(_ part: ScannedNode, of block: String) {
    switch block {
    case "fields": noteKey(of: part) { AddressNames.fields($0) }
    case "outputs": noteKey(of: part, isDefinition: true) { AddressNames.ofRows($0) { .output($0) } }
    case "lookups": noteKey(of: part, isDefinition: true) { AddressNames.ofRows($0) { .lookup($0) } }
    case "actions": noteKey(of: part, isDefinition: true) { [(0..<$0.utf8.count, .action($0))] }
    case "messages": noteKey(of: part, FormSymbol.code)
    case "texts": noteKey(of: part, isDefinition: true) { [(0..<$0.utf8.count, .text($0))] }
    case "functions": noteKey(of: part, isDefinition: true) { [(0..<$0.utf8.count, .function($0))] }
    case "rules": noteID(of: part) { .rule($0) }
    case "checks": noteID(of: part) { .check($0) }
    case "steps": noteID(of: part) { .step($0) }
    default: break
    }
  }

  private mutating func visit(_ node: ScannedNode, _ parts: [SchemaGuide.Part], _ scope: FormulaScope) {
    switch node.kind {
    case .object:
      let namesAreAddresses = node.key == "fieldErrors"
      // The texts of a field's errors, by code.
      let namesAreCodes = node.key == "messages"
      for member in node.children {
        guard let name = member.key else { continue }
        if namesAreAddresses { noteKey(of: member) { AddressNames.fields($0) } }
        if namesAreCodes { noteKey(of: member, FormSymbol.code) }
        visit(member, DefinitionGuide.formParts(in: parts, at: name), scope)
      }
    case .array:
      for (position, element) in node.children.enumerated() {
        visit(element, DefinitionGuide.formParts(in: parts, at: String(position)), scope)
      }
    case .string: visit(text: node, parts, scope)
    case .null, .bool, .number, .missing: break
    }
  }

  private mutating func visit(text node: ScannedNode, _ parts: [SchemaGuide.Part], _ scope: FormulaScope) {
    let text = QuotedText(node, in: scanned)
    switch DefinitionGuide.textKind(of: parts, name: node.key) {
    case .formula?:
      guard let names = FormulaNames(text.text, scope) else { return }
      note(names.found, in: text)
      doubts += names.doubts.map { NameDoubt(offset: text.range(of: $0.range).lowerBound, subject: $0.subject) }
    case .address?: note(AddressNames.fields(text.text), in: text)
    case nil:
      switch node.key {
      case "scope":
        if !["form", "none"].contains(text.text) { note([(0..<text.content.count, .step(text.text))], in: text) }
      case "key":
        // The member of a list's rows, in `fields`.
        guard let address = node.parent?.key, let list = JSONPointer(address: address)?.tokens else { return }
        note([(0..<text.content.count, .field(list + ["*", text.text]))], in: text)
      case "path": note(placeholders(in: text.content), in: text)
      default: break
      }
    }
  }

  /// `{address}` in the path of a request.
  private func placeholders(in path: [UInt8]) -> [(range: Range<Int>, symbol: FormSymbol)] {
    var found: [(range: Range<Int>, symbol: FormSymbol)] = []
    var rest = path[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "{")),
      let close = rest[open...].firstIndex(of: UInt8(ascii: "}"))
    {
      let start = open + 1
      let name = String(decoding: path[start..<close], as: UTF8.self)
      found += AddressNames.fields(name).map {
        ((start + $0.range.lowerBound)..<(start + $0.range.upperBound), $0.symbol)
      }
      rest = path[(close + 1)...]
    }
    return found
  }

  // MARK: Noting

  private mutating func noteKey(
    of member: ScannedNode,
    isDefinition: Bool = false,
    _ names: (String) -> [(range: Range<Int>, symbol: FormSymbol)]
  ) {
    guard let text = QuotedText(nameOf: member, in: scanned) else { return }
    note(names(text.text), in: text, isDefinition: isDefinition)
  }

  private mutating func noteID(of part: ScannedNode, _ symbol: (String) -> FormSymbol) {
    guard let id = part.child("id"), id.kind == .string else { return }
    let text = QuotedText(id, in: scanned)
    note([(0..<text.content.count, symbol(text.text))], in: text, isDefinition: true)
  }

  /// - Parameter isDefinition: whether the text gives its name to a symbol that is not a field.
  private mutating func note(
    _ names: [(range: Range<Int>, symbol: FormSymbol)],
    in text: QuotedText,
    isDefinition: Bool = false
  ) {
    guard text.isWritten else { return }
    found += names.map { name in
      var isField = false
      if case .field = name.symbol { isField = true }
      return Occurrence(range: text.range(of: name.range), symbol: name.symbol, isDefinition: isDefinition && !isField)
    }
  }
}
