internal import JSON
internal import SourceTexts

/// The position of a caret in a document that is being written, and the bytes that a completion replaces.
struct Caret {
  /// The kind of text that the author writes at the caret.
  enum Spot {
    /// The name of a member: an existing member, or a new one for nil.
    case name(ScannedNode?)
    /// A value: an existing value, or a missing one for nil.
    case value(ScannedNode?)
    /// Nothing that could be completed.
    case nothing
  }

  let spot: Spot
  /// The object of the member whose name is written; for a value, the enclosing object or array. nil at the top.
  let container: ScannedNode?
  /// The path of the value, or of the object whose member is named.
  let tokens: [String]
  /// The bytes that a completion replaces.
  let range: Range<Int>

  /// - Parameter offset: the byte right behind the caret.
  init(at offset: Int, in scanned: ScannedText) {
    let path = scanned.path(atOffset: offset)
    let node = path.node
    switch path.spot {
    case .name:
      spot = .name(node)
      container = node.parent
      tokens = node.parent?.pointer.tokens ?? []
      range = Self.range(of: node.keyRange ?? offset..<offset, before: offset, in: scanned.source.bytes)
    case .newName:
      spot = .name(nil)
      container = node
      tokens = path.pointer.tokens
      range = offset..<offset
    case .value where node.kind != .object && node.kind != .array && node.kind != .missing:
      spot = .value(node)
      container = node.parent
      tokens = path.pointer.tokens
      range = node.isClosed ? node.range : node.range.lowerBound..<max(offset, node.range.lowerBound)
    case .newValue:
      spot = .value(nil)
      container = node.kind == .missing ? node.parent : node
      tokens = path.pointer.tokens
      range = offset..<offset
    case .value, .elsewhere, .comment:
      spot = .nothing
      container = node
      tokens = path.pointer.tokens
      range = offset..<offset
    }
  }

  init(_ spot: Spot, _ container: ScannedNode?, _ tokens: [String], _ range: Range<Int>) {
    self.spot = spot
    self.container = container
    self.tokens = tokens
    self.range = range
  }

  /// The bytes of a name to replace: the whole name if it has its closing quote, else the part before the caret.
  private static func range(of name: Range<Int>, before offset: Int, in bytes: [UInt8]) -> Range<Int> {
    let quote = UInt8(ascii: "\"")
    let isOpen = name.count == 1 || bytes[name.lowerBound] == quote && bytes[name.upperBound - 1] != quote
    return isOpen ? name.lowerBound..<max(offset, name.lowerBound) : name
  }
}
