internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import SourceTexts
internal import Texts

extension DocumentSymbolParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> JSON {
    let key = DocumentURI.key(of: document.uri)
    guard let text = workspace.texts.snapshot(of: key)?.text, let outline = workspace.outline(of: key) else {
      return []
    }
    if workspace.capabilities.nestsSymbols {
      return outline.map { $0.symbol(in: text, workspace.encoding) }.json
    }
    return outline.flatMap { $0.flat(in: text, workspace.encoding, uri: document.uri, container: nil) }.json
  }
}

extension WorkspaceSymbolParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> [SymbolInformation] {
    var found: [SymbolInformation] = []
    for key in workspace.formKeys {
      guard let text = workspace.texts.snapshot(of: key)?.text, let outline = workspace.outline(of: key) else {
        continue
      }
      let uri = workspace.texts.uri(of: key)
      found += outline.flatMap { $0.flat(in: text, workspace.encoding, uri: uri, container: nil) }
        .filter { $0.name.hasLetters(of: query) }
      if found.count >= Self.symbolsMax { return Array(found.prefix(Self.symbolsMax)) }
    }
    return found
  }

  /// A longer list does not help to find a symbol.
  private static let symbolsMax = 1_000
}

extension String {
  /// Whether a text has the letters of the query in this order, in either case.
  func hasLetters(of query: String) -> Bool {
    var rest = lowercased().utf8[...]
    for byte in query.lowercased().utf8 {
      guard let found = rest.firstIndex(of: byte) else { return false }
      rest = rest[rest.index(after: found)...]
    }
    return true
  }
}

/// A part of a document that has a name, with its parts.
struct OutlineNode {
  let name: String
  let detail: String?
  let kind: SymbolKind
  /// The bytes of the whole part, with its name.
  let range: Range<Int>
  let nameRange: Range<Int>
  var children: [OutlineNode] = []

  func symbol(in text: SourceText, _ encoding: PositionEncoding) -> DocumentSymbol {
    var symbol = DocumentSymbol()
    // An editor may take a symbol without a name for an error (3.17, "Document Symbols Request").
    symbol.name = name.isEmpty ? "\"\"" : name
    symbol.detail = detail
    symbol.kind = kind
    symbol.range = text.range(range, in: encoding)
    symbol.selectionRange = text.range(nameRange, in: encoding)
    symbol.children = children.map { $0.symbol(in: text, encoding) }
    return symbol
  }

  func flat(in text: SourceText, _ encoding: PositionEncoding, uri: String, container: String?) -> [SymbolInformation] {
    var symbol = SymbolInformation()
    symbol.name = name.isEmpty ? "\"\"" : name
    symbol.kind = kind
    symbol.location = Location(uri: uri, range: text.range(nameRange, in: encoding))
    symbol.container = container
    return [symbol] + children.flatMap { $0.flat(in: text, encoding, uri: uri, container: name) }
  }
}

extension Workspace {
  /// The parts of a definition or of a test file; nil for others.
  mutating func outline(of key: String) -> [OutlineNode]? {
    switch kind(of: key) {
    case .form?: form(at: key).map { [Outline.ofForm($0.scanned, name: $0.name)] }
    case .test?: test(at: key).map { Outline.ofTests($0.scanned) }
    case .data?, .configuration?, nil: nil
    }
  }
}

/// Makes outlines of what could be read of a document.
private enum Outline {
  static func ofForm(_ scanned: ScannedText, name: String) -> OutlineNode {
    let root = scanned.root
    let nameRange = root.child("form")?.range ?? root.range.lowerBound..<root.range.lowerBound
    var node = OutlineNode(name: name, detail: "form", kind: .module, range: root.range, nameRange: nameRange)
    if let schema = root.child("schema") { node.children += fields(of: schema, labels: root.child("fields"), []) }
    let blocks: [(name: String, kind: SymbolKind)] = [
      ("rules", .boolean), ("checks", .boolean), ("lookups", .variable), ("steps", .namespace), ("actions", .event),
      ("outputs", .variable), ("functions", .function),
    ]
    for (name, kind) in blocks {
      guard let block = root.child(name), let own = block.keyRange else { continue }
      var group = OutlineNode(
        name: name,
        detail: nil,
        kind: .namespace,
        range: own.lowerBound..<max(own.upperBound, block.range.upperBound),
        nameRange: own
      )
      group.children = block.children.compactMap { part($0, kind) }
      if !group.children.isEmpty { node.children.append(group) }
    }
    return node
  }

  /// A rule, check or step by its id, anything else by its name.
  private static func part(_ node: ScannedNode, _ kind: SymbolKind) -> OutlineNode? {
    if let key = node.key, let keyRange = node.keyRange {
      let end = max(keyRange.upperBound, node.range.upperBound)
      return OutlineNode(
        name: key,
        detail: label(node.child("label")),
        kind: kind,
        range: keyRange.lowerBound..<end,
        nameRange: keyRange
      )
    }
    guard let id = node.child("id"), let name = id.value.stringValue else { return nil }
    let detail = label(node.child("label")) ?? node.child("field")?.value.stringValue
    return OutlineNode(name: name, detail: detail, kind: kind, range: node.range, nameRange: id.range)
  }

  private static func fields(of schema: ScannedNode, labels: ScannedNode?, _ path: [String]) -> [OutlineNode] {
    guard path.count < 16 else { return [] }
    return (schema.child("properties").map { Array($0.children) } ?? []).compactMap { property in
      guard let name = property.key, let keyRange = property.keyRange else { return nil }
      let own = path + [name]
      let address = JSONPointer(tokens: own)
      let definition = labels?.child(address.address) ?? labels?.child(address.description)
      let rows = property.child("items")
      var node = OutlineNode(
        name: name,
        detail: label(definition?.child("label")) ?? property.child("title")?.value.stringValue,
        kind: rows != nil ? .array : property.child("properties") != nil ? .object : .field,
        range: keyRange.lowerBound..<max(keyRange.upperBound, property.range.upperBound),
        nameRange: keyRange
      )
      node.children = fields(of: property, labels: labels, own)
      if let rows { node.children += fields(of: rows, labels: labels, own + ["*"]) }
      return node
    }
  }

  /// The first variant of a text with variants, else the text itself.
  private static func label(_ node: ScannedNode?) -> String? {
    guard let value = node?.value else { return nil }
    return value.stringValue ?? value.objectValue?.first?.value.stringValue
  }

  static func ofTests(_ scanned: ScannedText) -> [OutlineNode] {
    (scanned.root.child("cases").map { Array($0.children) } ?? []).compactMap { testCase in
      guard let name = testCase.child("name"), let text = name.value.stringValue else { return nil }
      return OutlineNode(name: text, detail: nil, kind: .method, range: testCase.range, nameRange: name.range)
    }
  }
}
