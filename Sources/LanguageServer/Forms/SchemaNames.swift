internal import Formats
internal import JSON
internal import SourceTexts

/// A reference of a schema: `address.schema.json#/$defs/city`.
enum SchemaReference {
  /// The document and the location in it; nil for a reference that is neither within the document nor to a file.
  ///
  /// - Parameter key: the document with the reference.
  static func target(of reference: String, in key: String) -> (key: String, pointer: JSONPointer)? {
    let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let pointer = JSONPointer(parts.count > 1 ? parts[1] : "") else { return nil }
    guard let name = parts.first, !name.isEmpty else { return (key, pointer) }
    guard DocumentURI.isPath(key), !name.contains("://"), let relative = PercentEncoding.decoded(name) else {
      return nil
    }
    return (DocumentURI.resolved(relative, in: DocumentURI.folder(of: key)), pointer)
  }
}

/// Finds the names of a form's fields in the schema of its definition. It reads `properties` and all keywords that name
/// fields, also in files that the schema refers to.
struct SchemaNames {
  /// A text with a schema.
  private struct Document {
    let key: String
    /// The node that `#` refers to.
    let root: ScannedNode
    let bytes: [UInt8]
  }

  /// A schema in a text.
  private struct Target: Hashable {
    let key: String
    let offset: Int
  }

  /// Reads another file.
  private let file: (String) -> ScannedText?
  private var document: Document
  /// The references that are being followed.
  private var followed: [Target] = []
  /// The schemas that were visited, each with the paths of the values.
  private var seen: [Target: Set<[String]>] = [:]
  private var foundCount = 0
  /// By key of the document.
  private(set) var found: [String: [Occurrence]] = [:]

  /// The largest depth of nested schemas, and of the paths of values.
  private static let depthMax = 32
  private static let foundMax = 100_000

  /// - Parameters:
  ///   - schema: the node of the definition's `schema`.
  ///   - key: the key of the definition.
  ///   - bytes: the bytes of the definition.
  ///   - file: reads the file at a path; nil if there is no such file.
  init(_ schema: ScannedNode, of key: String, in bytes: [UInt8], file: @escaping (String) -> ScannedText?) {
    self.file = file
    document = Document(key: key, root: schema, bytes: bytes)
    visit(schema, [])
  }

  private mutating func visit(_ node: ScannedNode, _ path: [String]) {
    guard node.kind == .object, path.count < Self.depthMax, foundCount < Self.foundMax,
      seen[Target(key: document.key, offset: node.range.lowerBound), default: []].insert(path).inserted
    else { return }
    for member in node.children {
      switch member.key {
      case "properties"?:
        for property in member.children {
          guard let name = property.key, let range = property.keyRange else { continue }
          note(range, path + [name], isDefinition: true)
          visit(property, path + [name])
        }
      case "items"?: visit(member, path + ["*"])
      case "required"?: for name in member.children { note(name, path) }
      case "dependentRequired"?:
        for names in member.children {
          noteName(of: names, path)
          for name in names.children { note(name, path) }
        }
      case "dependentSchemas"?:
        for branch in member.children {
          noteName(of: branch, path)
          visit(branch, path)
        }
      case "allOf"?, "anyOf"?, "oneOf"?: for branch in member.children { visit(branch, path) }
      case "if"?, "then"?, "else"?, "not"?: visit(member, path)
      case "$ref"?: follow(member, path)
      default: break
      }
    }
  }

  /// A recursive reference is followed once, as in the compiler.
  private mutating func follow(_ reference: ScannedNode, _ path: [String]) {
    guard let text = reference.value.stringValue else { return }
    let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let around = document
    defer { document = around }
    if let name = parts.first, !name.isEmpty {
      guard DocumentURI.isPath(around.key), let relative = PercentEncoding.decoded(name) else { return }
      let key = DocumentURI.resolved(relative, in: DocumentURI.folder(of: around.key))
      guard let scanned = file(key) else { return }
      document = Document(key: key, root: scanned.root, bytes: scanned.source.bytes)
    }
    guard let pointer = JSONPointer(parts.count > 1 ? parts[1] : "") else { return }
    var node = document.root
    for token in pointer.tokens {
      guard let next = node.child(token) else { return }
      node = next
    }
    let target = Target(key: document.key, offset: node.range.lowerBound)
    guard followed.count(where: { $0 == target }) < 2 else { return }
    followed.append(target)
    visit(node, path)
    followed.removeLast()
  }

  private mutating func note(_ text: ScannedNode, _ path: [String]) {
    guard text.kind == .string, let name = text.value.stringValue else { return }
    note(text.range, path + [name])
  }

  private mutating func noteName(of member: ScannedNode, _ path: [String]) {
    guard let name = member.key, let range = member.keyRange else { return }
    note(range, path + [name])
  }

  /// - Parameter range: the bytes of the name, with quotes.
  private mutating func note(_ range: Range<Int>, _ field: [String], isDefinition: Bool = false) {
    let text = QuotedText(range, in: document.bytes)
    guard text.isWritten else { return }
    found[document.key, default: []].append(
      Occurrence(range: text.range, symbol: .field(field), isDefinition: isDefinition)
    )
    foundCount += 1
  }
}
