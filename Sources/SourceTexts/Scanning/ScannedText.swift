public import JSON

/// A text of JSON, or of a language with the same values, with the position of each value and each name.
///
/// Reading never fails: the problems of the text are in ``problems``, and the part that could be read is available,
/// even of half-typed documents. Every range lies within the text, and the range of a value within the range of the
/// value around it.
///
/// A JSON text without problems is accepted by ``JSON/init(parsing:limits:)-([UInt8],_)``, and ``value`` equals the
/// result.
public struct ScannedText: Sendable {
  /// The languages, as far as they differ in the positions of values.
  public enum Syntax: Sendable {
    /// JSON (RFC 8259): comments and commas behind the last item are read over, and are problems.
    case json
    /// JSON with comments and with commas behind the last item, which are then not problems.
    case jsonc
    /// A language in which lines and columns give the structure.
    case lines
  }

  /// The text.
  public let source: SourceText
  /// Its language.
  public let syntax: Syntax
  /// The problems, in the order of the text: at most the first 100.
  public let problems: [SyntaxProblem]
  /// How many problems there are.
  public let problemCount: Int
  /// Whether something could not be read because of them: then a value that seems to be absent may just not have been
  /// read.
  public let hasLosses: Bool
  let tree: ScannedTree

  init(
    source: SourceText,
    syntax: Syntax,
    problems: [SyntaxProblem],
    problemCount: Int,
    hasLosses: Bool,
    tree: ScannedTree
  ) {
    self.source = source
    self.syntax = syntax
    self.problems = problems
    self.problemCount = problemCount
    self.hasLosses = hasLosses
    self.tree = tree
  }

  /// Scans a text of JSON, or of JSON with comments.
  ///
  /// - Parameters:
  ///   - source: any bytes; the time is proportional to their number.
  ///   - allowsComments: whether it is JSON with comments.
  ///   - limits: how deep and large the value may be; a value beyond them is a problem, and is not read.
  public init(json source: SourceText, allowsComments: Bool = false, limits: JSONLimits = .file) {
    var scanner = JSONScanner(source, allowsComments: allowsComments, limits: limits)
    scanner.scan()
    self = scanner.builder.finish(source, syntax: allowsComments ? .jsonc : .json)
  }

  /// The value at the top; a missing one if the text has no value.
  public var root: ScannedNode { ScannedNode(tree: tree, number: 0) }

  /// How many values there are, and positions where one is missing.
  public var valueCount: Int { tree.entries.count }

  /// The value that could be read; null if there is none.
  ///
  /// A member without a value, without a name, or of a name that its object has already, is left out. An element that
  /// could not be read is null, so that the others keep their positions.
  public var value: JSON { tree.value(of: 0) }

  /// The value at a pointer; nil if there is none. Of members with one name it is the first.
  public func node(at pointer: JSONPointer) -> ScannedNode? {
    let (node, isExact) = nearest(pointer)
    return isExact ? node : nil
  }

  /// The value at a pointer, or the innermost existing value on the way to it.
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

  /// The stretch of the value at a pointer; for a pointer to no value, of its nearest container that does.
  public func span(of pointer: JSONPointer) -> TextSpan {
    TextSpan(nearestNode(to: pointer).range, of: source)
  }

  /// The stretch of the name of that member; the stretch of the value if it is not a member.
  public func span(ofName pointer: JSONPointer) -> TextSpan {
    TextSpan(node(at: pointer)?.keyRange ?? nearestNode(to: pointer).range, of: source)
  }

  /// The position of the value; for a pointer to no value, the position of its nearest container that does.
  public func position(of pointer: JSONPointer) -> LineColumn {
    source.position(of: nearestNode(to: pointer).range.lowerBound)
  }

  /// The position of the name of that member; the position of the value if it is not a member.
  public func positionOfName(_ pointer: JSONPointer) -> LineColumn {
    guard let range = node(at: pointer)?.keyRange else { return position(of: pointer) }
    return source.position(of: range.lowerBound)
  }

  /// The byte at which each byte of a content is written, and the byte behind the last one. nil if the content is not
  /// written there, as for an alias, or if the language is JSON.
  ///
  /// - Parameters:
  ///   - content: the content of a text value, or of a name.
  ///   - range: the bytes of the value or of the name.
  package func offsets(ofFolded content: String, writtenAt range: Range<Int>) -> [Int]? {
    guard syntax == .lines else { return nil }
    return FoldedSpelling.offsets(of: Array(content.utf8), writtenAt: range, in: source.bytes)
  }

  /// The byte inside a text value that many code points after its first; nil if there is no text, or if it is not
  /// written there, as for an alias of YAML.
  ///
  /// An escape counts as the one code point (or surrogate pair) that it means. An offset beyond the text's end is the
  /// end.
  public func offset(at pointer: JSONPointer, codePoint: Int) -> Int? {
    guard let node = node(at: pointer), node.kind == .string else { return nil }
    if syntax == .lines {
      guard let content = node.value.stringValue, let offsets = offsets(ofFolded: content, writtenAt: node.range)
      else { return nil }
      return offsets[content.unicodeScalars.prefix(max(codePoint, 0)).reduce(0) { $0 + $1.utf8.count }]
    }
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
