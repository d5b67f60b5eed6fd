public import JSON

/// A stretch of a text that knows its positions in every encoding, so that it still means something without the text.
public struct TextSpan: Hashable, Sendable {
  /// One end of the stretch.
  fileprivate struct Point: Hashable, Sendable {
    var line: Int
    var utf8: Int
    var utf16: Int
    var utf32: Int
  }

  /// The bytes of the text.
  public let bytes: Range<Int>
  private let start: Point
  private let end: Point

  /// A stretch of that text; a part beyond the text's end is cut off.
  public init(_ bytes: Range<Int>, of text: SourceText) {
    self.bytes = bytes.clamped(to: 0..<text.bytes.count)
    start = Point(offset: self.bytes.lowerBound, in: text)
    end = Point(offset: self.bytes.upperBound, in: text)
  }

  /// The range between the positions, characters counted in that encoding.
  public func range(in encoding: PositionEncoding) -> TextRange {
    TextRange(start: start.position(in: encoding), end: end.position(in: encoding))
  }

  /// The same stretch of a text that has so much before this one, which begins with a line of it.
  package func moved(lines: Int, bytes: Int) -> TextSpan {
    TextSpan(
      bytes: self.bytes.lowerBound + bytes..<self.bytes.upperBound + bytes,
      start: start.moved(lines),
      end: end.moved(lines)
    )
  }

  private init(bytes: Range<Int>, start: Point, end: Point) {
    self.bytes = bytes
    self.start = start
    self.end = end
  }

  /// The beginning of the stretch, for people.
  public var position: LineColumn { LineColumn(line: start.line + 1, column: start.utf32 + 1) }

  /// The end of the stretch, for people: the position behind its last character.
  package var endPosition: LineColumn { LineColumn(line: end.line + 1, column: end.utf32 + 1) }
}

extension TextSpan.Point {
  fileprivate init(offset: Int, in text: SourceText) {
    let position = text.position(of: offset, in: .utf8)
    line = position.line
    utf8 = position.character
    utf16 = text.position(of: offset, in: .utf16).character
    utf32 = text.position(of: offset, in: .utf32).character
  }

  fileprivate func moved(_ lines: Int) -> Self {
    var point = self
    point.line += lines
    return point
  }

  fileprivate func position(in encoding: PositionEncoding) -> TextPosition {
    switch encoding {
    case .utf8: TextPosition(line: line, character: utf8)
    case .utf16: TextPosition(line: line, character: utf16)
    case .utf32: TextPosition(line: line, character: utf32)
    }
  }
}
