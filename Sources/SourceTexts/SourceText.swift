public import JSON

/// A text as its bytes, and the beginnings of its lines: it turns byte offsets into positions and back.
///
/// Lines end with LF, CR LF or CR (Language Server Protocol 3.17, "Text Documents"). A look-up costs the logarithm of
/// the text's length: the index has the lines' first bytes, and for every block of ``blockBytes`` the number of code
/// points before it. In bytes that are not UTF-8, each byte except continuation bytes counts as the beginning of a code
/// point.
///
/// Invariants: `lineStarts` begins with 0 and rises; `marks` has one entry for each block that begins within the text,
/// or at its end.
public struct SourceText: Sendable {
  /// The counts of the text before a block.
  private struct Mark: Sendable {
    /// Code points that begin before it.
    var codePoints = 0
    /// The code points among them that UTF-16 writes in two units.
    var pairs = 0

    mutating func count(_ byte: UInt8) {
      if byte & 0xc0 != 0x80 { codePoints += 1 }
      if byte >= 0xf0 { pairs += 1 }
    }

    func units(_ encoding: PositionEncoding) -> Int { encoding == .utf16 ? codePoints + pairs : codePoints }
  }

  /// The text, in UTF-8 if it is valid.
  public private(set) var bytes: [UInt8]
  private var lineStarts: [Int] = [0]
  private var marks: [Mark] = [Mark()]

  private static let blockBytes = 256

  /// The text of those bytes.
  public init(_ bytes: [UInt8]) {
    self.bytes = bytes
    index(from: 0)
  }

  public init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Replaces a part of the text; the range must lie within it.
  ///
  /// The cost depends on the length of the text after the beginning of the line before the range.
  public mutating func replace(_ range: Range<Int>, with replacement: [UInt8]) {
    precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count, "\(range) of \(bytes.count) bytes")
    bytes.replaceSubrange(range, with: replacement)
    // A line feed may now belong to the carriage return before it.
    index(from: range.lowerBound - 1)
  }

  /// Finds lines and counts code points again, from the line and the block of that byte on.
  private mutating func index(from offset: Int) {
    let offset = max(offset, 0)
    let line = line(of: offset)
    lineStarts.removeSubrange((line + 1)...)
    let block = min(offset / Self.blockBytes, marks.count - 1)
    marks.removeSubrange((block + 1)...)
    // Taken out, so that they are not copied.
    var starts: [Int] = []
    var marks: [Mark] = []
    swap(&starts, &lineStarts)
    swap(&marks, &self.marks)
    bytes.withUnsafeBufferPointer { bytes in
      for position in starts[line]..<bytes.count {
        let byte = bytes[position]
        guard byte <= UInt8(ascii: "\r") else { continue }
        if byte == UInt8(ascii: "\n")
          || byte == UInt8(ascii: "\r") && (position + 1 == bytes.count || bytes[position + 1] != UInt8(ascii: "\n"))
        {
          starts.append(position + 1)
        }
      }
      var mark = marks[block]
      var end = (block + 1) * Self.blockBytes
      var position = block * Self.blockBytes
      while end <= bytes.count {
        while position < end {
          mark.count(bytes[position])
          position += 1
        }
        marks.append(mark)
        end += Self.blockBytes
      }
    }
    lineStarts = starts
    self.marks = marks
  }

  // MARK: Lines

  /// How many lines there are: one more than there are line ends.
  public var lineCount: Int { lineStarts.count }

  /// The line that contains a byte, from 0; a line's end belongs to it.
  public func line(of offset: Int) -> Int {
    var line = 0
    var beyond = lineStarts.count
    while beyond - line > 1 {
      let middle = (line + beyond) / 2
      if lineStarts[middle] <= offset { line = middle } else { beyond = middle }
    }
    return line
  }

  /// The bytes of a line, from 0, without its end; the line must exist.
  public func line(_ line: Int) -> Range<Int> {
    let start = lineStarts[line]
    guard line + 1 < lineStarts.count else { return start..<bytes.count }
    var end = lineStarts[line + 1] - 1
    if end > start, bytes[end] == UInt8(ascii: "\n"), bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<end
  }

  // MARK: Positions

  /// The position of a byte. A byte within a code point has the position of the code point. A byte within or behind a
  /// line's end has the position of the line's end.
  public func position(of offset: Int, in encoding: PositionEncoding) -> TextPosition {
    let offset = min(max(offset, 0), bytes.count)
    let number = line(of: offset)
    let line = line(number)
    let end = codePointStart(at: min(offset, line.upperBound), notBefore: line.lowerBound)
    return TextPosition(
      line: number,
      character: encoding == .utf8
        ? end - line.lowerBound : units(before: end, encoding) - units(before: line.lowerBound, encoding)
    )
  }

  /// The byte at a position. Beyond a line's end is its end, beyond the last line the text's end, within a code point
  /// its first byte.
  public func offset(of position: TextPosition, in encoding: PositionEncoding) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < lineStarts.count else { return bytes.count }
    let line = line(position.line)
    // No line has more characters than bytes.
    let character = min(max(position.character, 0), line.count)
    if encoding == .utf8 { return codePointStart(at: line.lowerBound + character, notBefore: line.lowerBound) }
    let wanted = units(before: line.lowerBound, encoding) + character
    var block = 0
    var beyond = marks.count
    while beyond - block > 1 {
      let middle = (block + beyond) / 2
      if marks[middle].units(encoding) <= wanted { block = middle } else { beyond = middle }
    }
    var offset = max(block * Self.blockBytes, line.lowerBound)
    var count = units(before: offset, encoding)
    while offset < line.upperBound {
      let units = bytes[offset].units(encoding)
      if units > 0, count + units > wanted { break }
      count += units
      offset += 1
    }
    return offset
  }

  /// The positions of a range's ends.
  public func range(_ range: Range<Int>, in encoding: PositionEncoding) -> TextRange {
    TextRange(
      start: position(of: range.lowerBound, in: encoding),
      end: position(of: range.upperBound, in: encoding)
    )
  }

  /// The bytes between two positions; empty if the second is before the first.
  public func offsets(of range: TextRange, in encoding: PositionEncoding) -> Range<Int> {
    let start = offset(of: range.start, in: encoding)
    return start..<max(start, offset(of: range.end, in: encoding))
  }

  /// The position of a byte, for people.
  public func position(of offset: Int) -> LineColumn {
    let position = position(of: offset, in: .utf32)
    return LineColumn(line: position.line + 1, column: position.character + 1)
  }

  private func units(before offset: Int, _ encoding: PositionEncoding) -> Int {
    let block = min(offset / Self.blockBytes, marks.count - 1)
    return bytes[(block * Self.blockBytes)..<offset].reduce(marks[block].units(encoding)) { $0 + $1.units(encoding) }
  }

  /// The first byte of the code point that a byte belongs to.
  private func codePointStart(at offset: Int, notBefore start: Int) -> Int {
    var first = offset
    while first > start, first > offset - 3, first < bytes.count, bytes[first] & 0xc0 == 0x80 { first -= 1 }
    return first
  }
}

extension SourceText: Hashable {
  public static func == (left: SourceText, right: SourceText) -> Bool { left.bytes == right.bytes }
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension UInt8 {
  /// The units that a code point whose UTF-8 begins with this byte has; none for a byte that continues one. Not for
  /// UTF-8.
  fileprivate func units(_ encoding: PositionEncoding) -> Int {
    if self & 0xc0 == 0x80 { return 0 }
    return encoding == .utf16 && self >= 0xf0 ? 2 : 1
  }
}
