/// A position in a text, for people: line and column from 1, columns in code points.
public struct LineColumn: Hashable, Sendable {
  /// The line, from 1.
  public var line: Int
  /// The column in code points, from 1.
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The position of the byte at that offset of a UTF-8 text; for one position of a text that nobody else asks about,
  /// see ``SourceText``.
  public init(offset: Int, in bytes: UnsafeBufferPointer<UInt8>) {
    line = 1
    column = 1
    for position in 0..<min(max(offset, 0), bytes.count) {
      let byte = bytes[position]
      let next = position + 1 < bytes.count ? bytes[position + 1] : 0
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") && next != UInt8(ascii: "\n") {
        line += 1
        column = 1
      } else if byte & 0xc0 != 0x80, byte != UInt8(ascii: "\r") {
        column += 1
      }
    }
  }
}

extension LineColumn: CustomStringConvertible {
  /// `line:column`.
  public var description: String { "\(line):\(column)" }
}
