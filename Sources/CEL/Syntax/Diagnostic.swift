/// A place in the source of an expression, in code points.
public struct SourcePosition: Hashable, Sendable {
  /// Code points before this place.
  public let offset: Int
  /// The line, from 1.
  public let line: Int
  /// The column in code points, from 1.
  public let column: Int
}

/// One thing that is wrong with an expression, with its place.
public struct Diagnostic: Hashable, Sendable {
  /// What is wrong, and where it is known what to write instead.
  public let message: String
  public let position: SourcePosition
  /// The line of the source that the position is in.
  public let sourceLine: String

  /// The message with line, column, the line of the source and a caret below the place.
  public var rendered: String {
    let dots = String(repeating: ".", count: position.column - 1)
    return "\(position.line):\(position.column): \(message)\n | \(sourceLine)\n | \(dots)^"
  }
}

/// Everything that is wrong with an expression: never empty, in the order of the source, bounded in number.
public struct Diagnostics: Error, Hashable, Sendable, CustomStringConvertible {
  public let all: [Diagnostic]

  /// The rendered diagnostics, one below the other.
  public var description: String { all.map(\.rendered).joined(separator: "\n") }
}

/// Collects diagnostics while a source is read, and finds the lines and columns for them.
struct DiagnosticCollector {
  /// More than this helps nobody, and hostile input could otherwise make the list as long as itself.
  static let countMax = 50

  private let source: [UInt8]
  private var found: [(byte: Int, message: String)] = []

  init(source: [UInt8]) {
    self.source = source
  }

  var isEmpty: Bool { found.isEmpty }
  var isFull: Bool { found.count >= Self.countMax }

  /// Notes that something is wrong at a byte of the source. A place is complained about once per message.
  mutating func report(_ message: String, at byte: Int) {
    guard !isFull, !found.contains(where: { $0.byte == byte && $0.message == message }) else { return }
    found.append((min(max(byte, 0), source.count), message))
  }

  /// What was collected, if there is anything.
  func diagnostics() -> Diagnostics? {
    guard !found.isEmpty else { return nil }
    let sorted = found.enumerated().sorted { ($0.element.byte, $0.offset) < ($1.element.byte, $1.offset) }
    return Diagnostics(all: sorted.map { diagnostic($0.element.message, at: $0.element.byte) })
  }

  private func diagnostic(_ message: String, at byte: Int) -> Diagnostic {
    let position = SourcePosition(byte: byte, in: source)
    var start = byte
    while start > 0, source[start - 1] != 0x0A { start -= 1 }
    var end = byte
    while end < source.count, source[end] != 0x0A { end += 1 }
    return Diagnostic(
      message: message,
      position: position,
      sourceLine: String(decoding: source[start..<end], as: UTF8.self)
    )
  }
}

extension SourcePosition {
  /// The place of a byte of a UTF-8 source.
  init(byte: Int, in source: [UInt8]) {
    var offset = 0
    var line = 1
    var column = 1
    for unit in source[..<min(byte, source.count)] where unit & 0xC0 != 0x80 {
      offset += 1
      if unit == 0x0A {
        line += 1
        column = 1
      } else {
        column += 1
      }
    }
    self.init(offset: offset, line: line, column: column)
  }
}
