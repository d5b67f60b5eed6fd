public import JSON
internal import Texts

/// All problems of an expression: never empty, in the order of the source, bounded in number.
public struct ExpressionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One thing that is wrong, with its position.
  public struct Problem: Hashable, Sendable {
    /// The problem and, if it is known, its correction.
    public let message: String
    /// The position of the problem in the source.
    public let position: LineColumn
    /// Code points of the source before that position.
    public let offset: Int
    /// The code points of the source that it is about: a name, or a part of the expression. ``position`` is within
    /// them.
    public let extent: Range<Int>
    /// The line of the source that the position is in.
    public let sourceLine: String
    /// The text to write in place of ``extent``, if it is known.
    public var replacement: String?
    /// Whether a name leads nowhere: the problem may then be in the declarations, and not in the source.
    public var isUnknownName = false

    /// The message with line, column, the line of the source and a caret below the position.
    public var rendered: String {
      let dots = String(repeating: ".", count: position.column - 1)
      return "\(position): \(message)\n | \(sourceLine)\n | \(dots)^"
    }
  }

  public let problems: [Problem]

  /// The rendered problems, one below the other.
  public var description: String { problems.map(\.rendered).joined(separator: "\n") }
}

/// Collects the problems of a source while it is read, and finds their positions.
struct ProblemCollector {
  /// More than this helps nobody, and hostile input could otherwise make the list as long as itself.
  static let countMax = 50

  private let source: [UInt8]
  private var found: [(byte: Int, extent: Range<Int>, message: String, replacement: String?, isUnknownName: Bool)] = []

  init(source: [UInt8]) {
    self.source = source
  }

  var isFull: Bool { found.count >= Self.countMax }
  /// How many problems there are.
  var count: Int { found.count }

  /// Notes that something is wrong at a byte of the source. A position is complained about once per message.
  ///
  /// - Parameters:
  ///   - extent: the bytes that it is about; none: only that position.
  ///   - replacement: the text to write instead, if it is known.
  mutating func report(
    _ message: String,
    at byte: Int,
    in extent: Range<Int>? = nil,
    replacement: String? = nil,
    isUnknownName: Bool = false
  ) {
    guard !isFull, !found.contains(where: { $0.byte == byte && $0.message == message }) else { return }
    let byte = min(max(byte, 0), source.count)
    let extent = (extent ?? byte..<byte).clamped(to: 0..<source.count)
    found.append(
      (byte, min(extent.lowerBound, byte)..<max(extent.upperBound, byte), message, replacement, isUnknownName)
    )
  }

  /// Lets the problems from that one on be about all bytes up to there.
  mutating func extend(from first: Int, to end: Int) {
    for index in found.indices.dropFirst(first) {
      found[index].extent = found[index].extent.lowerBound..<max(found[index].extent.upperBound, min(end, source.count))
    }
  }

  /// The collected problems as an error; nil without problems.
  func error() -> ExpressionError? {
    guard !found.isEmpty else { return nil }
    let sorted = found.enumerated().sorted { ($0.element.byte, $0.offset) < ($1.element.byte, $1.offset) }
    return ExpressionError(
      problems: sorted.map { sorted in
        var problem = problem(sorted.element.message, at: sorted.element.byte, in: sorted.element.extent)
        problem.isUnknownName = sorted.element.isUnknownName
        problem.replacement = sorted.element.replacement
        return problem
      }
    )
  }

  private func problem(_ message: String, at byte: Int, in extent: Range<Int>) -> ExpressionError.Problem {
    var start = byte
    while start > 0, source[start - 1] != 0x0A { start -= 1 }
    var end = byte
    while end < source.count, source[end] != 0x0A { end += 1 }
    return source.withUnsafeBufferPointer { source in
      let first = UnsafeBufferPointer(rebasing: source[..<extent.lowerBound]).codePointCount
      return ExpressionError.Problem(
        message: message,
        position: LineColumn(offset: byte, in: source),
        offset: UnsafeBufferPointer(rebasing: source[..<byte]).codePointCount,
        extent: first..<first + UnsafeBufferPointer(rebasing: source[extent]).codePointCount,
        sourceLine: String(decoding: source[start..<end], as: UTF8.self)
      )
    }
  }
}
