/// A text of JSON, or of a language that means the same values, with where each value and each name stands.
///
/// Reading never fails: what is wrong with the text is among its ``faults``, and what could be read of it is there all the same, half-typed
/// documents included. Every range lies within the text, and that of a value within that of the value around it.
///
/// A JSON text without faults is one that ``JSON/init(parsing:limits:)-([UInt8],_)`` accepts, and ``value`` what that reads of it.
public struct ScannedText: Sendable {
  /// The language of a text, as far as it matters for where things stand.
  public enum Syntax: Sendable {
    /// JSON (RFC 8259): comments and commas behind the last item are read over, and are faults.
    case json
    /// JSON with comments and with commas behind the last item, which are no faults.
    case jsonc
    /// A language in which lines and columns say what belongs to what.
    case lines
  }

  /// The text.
  public let source: SourceText
  /// Its language.
  public let syntax: Syntax
  /// What is wrong with it, in the order of the text: the first 100 faults.
  public let faults: [TextFault]
  /// How many faults there are.
  public let faultCount: Int
  /// Whether something could not be read because of them: then what seems to be absent may just not have been read.
  public let hasLosses: Bool
  let tree: ScannedTree

  init(source: SourceText, syntax: Syntax, faults: [TextFault], faultCount: Int, hasLosses: Bool, tree: ScannedTree) {
    self.source = source
    self.syntax = syntax
    self.faults = faults
    self.faultCount = faultCount
    self.hasLosses = hasLosses
    self.tree = tree
  }

  /// Scans a text of JSON, or of JSON with comments.
  ///
  /// - Parameters:
  ///   - source: any bytes; the time is proportional to their number.
  ///   - allowsComments: whether it is JSON with comments.
  ///   - limits: how deep and large the value may be; what lies beyond is a fault, and is not read.
  public init(json source: SourceText, allowsComments: Bool = false, limits: JSONLimits = .file) {
    var scanner = JSONScanner(source, allowsComments: allowsComments, limits: limits)
    scanner.scan()
    self = scanner.builder.finish(source, syntax: allowsComments ? .jsonc : .json)
  }

  /// The value at the top; where there is none, a missing one.
  public var root: ScannedNode { ScannedNode(tree: tree, number: 0) }

  /// How many values there are, and places where one is missing.
  public var valueCount: Int { tree.entries.count }

  /// What could be read; null where that is nothing.
  ///
  /// A member without a value, without a name, or of a name that its object has already, is left out. An element that could not be read is null,
  /// so that the others keep their positions.
  public var value: JSON { tree.value(of: 0) }

  /// The value at a place; nil where there is none. Of members with one name it is the first.
  public func node(at pointer: JSONPointer) -> ScannedNode? {
    let (node, isExact) = nearest(pointer)
    return isExact ? node : nil
  }

  /// The innermost value on the way to a place, which is that of the place itself where there is one.
  public func nearestNode(to pointer: JSONPointer) -> ScannedNode { nearest(pointer).node }

  private func nearest(_ pointer: JSONPointer) -> (node: ScannedNode, isExact: Bool) {
    var number = 0
    for token in pointer.tokens {
      guard let next = tree.child(of: number, token) else { return (ScannedNode(tree: tree, number: number), false) }
      number = next
    }
    return (ScannedNode(tree: tree, number: number), true)
  }

  // MARK: Where something stands

  /// The stretch of the value at a place; for a place that does not exist, of its nearest container that does.
  public func span(of pointer: JSONPointer) -> TextSpan {
    TextSpan(nearestNode(to: pointer).range, of: source)
  }

  /// The stretch of the name of that member; that of the value if it is no member.
  public func span(ofName pointer: JSONPointer) -> TextSpan {
    TextSpan(node(at: pointer)?.keyRange ?? nearestNode(to: pointer).range, of: source)
  }

  /// Where the value at a place stands; for a place that does not exist, its nearest container that does.
  public func place(of pointer: JSONPointer) -> TextPlace {
    source.place(of: nearestNode(to: pointer).range.lowerBound)
  }

  /// Where the name of that member stands; where the value stands if it is no member.
  public func placeOfName(_ pointer: JSONPointer) -> TextPlace {
    guard let range = node(at: pointer)?.keyRange else { return place(of: pointer) }
    return source.place(of: range.lowerBound)
  }

  /// The byte inside a text value that stands that many code points after its first; nil where there is no text in quotes.
  ///
  /// Escapes count as the one code point (or surrogate pair) that they stand for. Beyond the text's end is its end.
  public func offset(at pointer: JSONPointer, codePoint: Int) -> Int? {
    guard let node = node(at: pointer), node.kind == .string, syntax != .lines else { return nil }
    let bytes = source.bytes
    let quote = bytes[node.range.lowerBound]
    let end = node.isClosed ? node.range.upperBound - 1 : node.range.upperBound
    var position = node.range.lowerBound + 1
    var remaining = codePoint
    while remaining > 0, position < end, bytes[position] != quote {
      position += JSONScanner.lengthOfCodePoint(at: position, in: bytes, before: end)
      remaining -= 1
    }
    return min(position, max(end, node.range.lowerBound + 1))
  }
}
