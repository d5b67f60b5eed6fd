import JSON
import Randomness
internal import SourceTexts
import Testing

@Suite struct `A source text` {
  @Test(
    arguments: [
      ("", 1), ("a", 1), ("a\n", 2), ("a\r\nb", 2), ("a\rb", 2), ("a\n\r\r\n", 4), ("\r", 2), ("é\u{2028}x", 1),
    ]
  )
  func `has the lines that the protocol of language servers has`(_ text: String, _ count: Int) {
    #expect(SourceText(text).lineCount == count)
  }

  @Test(
    arguments: [
      // The offset of "x", and its characters in the line by encoding.
      ("x", 0, 0, 0, 0), ("\nx", 1, 0, 0, 0), ("é x", 0, 3, 2, 2), ("a\r\n😀x", 1, 4, 2, 1), ("a\r한x", 1, 3, 1, 1),
    ]
  )
  func `counts a line in each encoding`(_ text: String, _ line: Int, _ utf8: Int, _ utf16: Int, _ utf32: Int) throws {
    let source = SourceText(text)
    let index = try #require(text.utf8.firstIndex(of: UInt8(ascii: "x")))
    let byte = text.utf8.distance(from: text.startIndex, to: index)
    for (encoding, character) in [(PositionEncoding.utf8, utf8), (.utf16, utf16), (.utf32, utf32)] {
      let position = TextPosition(line: line, character: character)
      #expect(source.position(of: byte, in: encoding) == position)
      #expect(source.offset(of: position, in: encoding) == byte)
    }
    #expect(source.position(of: byte) == LineColumn(line: line + 1, column: utf32 + 1))
  }

  @Test func `clamps what lies outside`() {
    let source = SourceText("ab\r\ncd")
    for encoding in PositionEncoding.allCases {
      #expect(source.offset(of: TextPosition(line: 0, character: 99), in: encoding) == 2)
      #expect(source.offset(of: TextPosition(line: 0, character: .max), in: encoding) == 2)
      #expect(source.offset(of: TextPosition(line: 9, character: 0), in: encoding) == 6)
      #expect(source.offset(of: TextPosition(line: -1, character: 3), in: encoding) == 0)
      #expect(source.offset(of: TextPosition(line: 1, character: -3), in: encoding) == 4)
      #expect(source.position(of: 3, in: encoding) == TextPosition(line: 0, character: 2))
      #expect(source.position(of: 99, in: encoding) == TextPosition(line: 1, character: 2))
      #expect(source.position(of: -5, in: encoding) == TextPosition(line: 0, character: 0))
    }
  }

  @Test func `stands before a character that a position divides`() {
    let source = SourceText("é😀")
    #expect(source.offset(of: TextPosition(line: 0, character: 1), in: .utf8) == 0)
    #expect(source.offset(of: TextPosition(line: 0, character: 2), in: .utf16) == 2)
    #expect(source.position(of: 4, in: .utf16) == TextPosition(line: 0, character: 1))
  }

  @Test func `gives a span that needs the text no more`() {
    let source = SourceText("a\n\"😀\": 1")
    let span = TextSpan(2..<8, of: source)
    #expect(span.range(in: .utf8).description == "1:0-1:6")
    #expect(span.range(in: .utf16) == source.range(2..<8, in: .utf16))
    #expect(span.range(in: .utf32).description == "1:0-1:3")
    #expect(span.position == LineColumn(line: 2, column: 1))
    #expect(TextSpan(3..<99, of: source).bytes == 3..<11)
  }

  /// Lines of all lengths, code points of one to four bytes, all line ends, and bytes that are not UTF-8.
  private static func piece(_ random: inout SeededGenerator) -> [UInt8] {
    let pieces = ["a", "é", "한", "😀", "\n", "\r", "\r\n", "abcdefgh", String(repeating: "xé", count: 150)]
    return random.chance(3) ? [random.pick([0x80, 0xff, 0xf0, 0x00])] : Array(random.pick(pieces).utf8)
  }

  @Test(arguments: 1...20) func `is after edits what a new one is`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var edited = SourceText([])
    for _ in 0..<40 {
      let start = random.below(edited.bytes.count + 1)
      let end = random.chance(60) ? start : min(edited.bytes.count, start + random.below(400))
      let replacement = (0..<random.below(6)).flatMap { _ in Self.piece(&random) }
      edited.replace(start..<end, with: replacement)
      let fresh = SourceText(edited.bytes)
      #expect(edited.lineCount == fresh.lineCount)
      for _ in 0..<20 {
        let offset = random.below(fresh.bytes.count + 1)
        for encoding in PositionEncoding.allCases {
          let position = fresh.position(of: offset, in: encoding)
          #expect(edited.position(of: offset, in: encoding) == position)
          #expect(edited.offset(of: position, in: encoding) == fresh.offset(of: position, in: encoding))
        }
      }
    }
  }

  @Test func `counts as going through the text does`() {
    var random = SeededGenerator(seed: 7)
    let text = (0..<600).map { _ in random.pick(["a", "é", "한", "😀", "\n", "\r\n", "xyz"]) }.joined()
    let source = SourceText(text)
    var (line, utf8, utf16, utf32, offset) = (0, 0, 0, 0, 0)
    for character in text {
      for (encoding, count) in [(PositionEncoding.utf8, utf8), (.utf16, utf16), (.utf32, utf32)] {
        #expect(source.position(of: offset, in: encoding) == TextPosition(line: line, character: count))
        #expect(source.offset(of: TextPosition(line: line, character: count), in: encoding) == offset)
      }
      source.bytes.withUnsafeBufferPointer {
        #expect(source.position(of: offset) == LineColumn(offset: offset, in: $0))
      }
      offset += character.utf8.count
      if character.isNewline {
        (line, utf8, utf16, utf32) = (line + 1, 0, 0, 0)
      } else {
        (utf8, utf16, utf32) = (
          utf8 + character.utf8.count, utf16 + character.utf16.count, utf32 + character.unicodeScalars.count
        )
      }
    }
  }
}
