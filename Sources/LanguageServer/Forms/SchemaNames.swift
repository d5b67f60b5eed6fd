internal import JSON

/// Where the schema of a definition names the form's fields: `properties` and what speaks of them, wherever the schema reaches.
struct SchemaNames {
  private let schema: ScannedNode
  private let bytes: [UInt8]
  /// The targets of the references around.
  private var followed: [Int] = []
  /// Pairs of a schema and a place of the values that were visited.
  private var seen: Set<[String]> = []
  private(set) var found: [Occurrence] = []

  /// Schemas in each other, and places of the values, at most.
  private static let depthMax = 32
  private static let foundMax = 100_000

  /// - Parameter schema: the node of the definition's `schema`.
  init(_ schema: ScannedNode, in bytes: [UInt8]) {
    self.schema = schema
    self.bytes = bytes
    visit(schema, [])
  }

  private mutating func visit(_ node: ScannedNode, _ path: [String]) {
    guard node.kind == .object, path.count < Self.depthMax, found.count < Self.foundMax,
      seen.insert([String(node.range.lowerBound)] + path).inserted
    else { return }
    for member in node.children {
      switch member.key {
      case "properties"?:
        for property in member.children {
          guard let name = property.key, let range = property.keyRange else { continue }
          found.append(
            Occurrence(range: QuotedText(range, in: bytes).range, symbol: .field(path + [name]), isDefinition: true)
          )
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

  /// A recursion is followed once round, as the compiler does.
  private mutating func follow(_ reference: ScannedNode, _ path: [String]) {
    guard let text = reference.value.stringValue, text.hasPrefix("#"),
      let pointer = JSONPointer(String(text.dropFirst()))
    else { return }
    var target = schema
    for token in pointer.tokens {
      guard let next = target.child(token) else { return }
      target = next
    }
    let number = target.range.lowerBound
    guard followed.count(where: { $0 == number }) < 2 else { return }
    followed.append(number)
    visit(target, path)
    followed.removeLast()
  }

  private mutating func note(_ text: ScannedNode, _ path: [String]) {
    guard text.kind == .string, let name = text.value.stringValue else { return }
    found.append(Occurrence(range: QuotedText(text.range, in: bytes).range, symbol: .field(path + [name])))
  }

  private mutating func noteName(of member: ScannedNode, _ path: [String]) {
    guard let name = member.key, let range = member.keyRange else { return }
    found.append(Occurrence(range: QuotedText(range, in: bytes).range, symbol: .field(path + [name])))
  }
}
