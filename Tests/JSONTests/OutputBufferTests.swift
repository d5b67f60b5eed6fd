import JSON
import Testing

/// Output is written in whole words if possible; the edges of words must not show.
@Suite struct OutputBufferTests {
  /// Writes one byte at a time, according to RFC 8259 (section 7).
  private func escaped(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  @Test(
    arguments: [
      "\"", "\\", "\n", "\u{0}", "\u{1f}", "\u{20}", "\u{7f}", "!", "#", "[", "]", "é", "님", "😀", "\u{80}", "\u{a2}",
    ]
  )
  func `what needs an escape is found at every place of a text`(mark: String) {
    for length in 0...40 {
      for index in 0...length {
        let text = String(repeating: "a", count: index) + mark + String(repeating: "z", count: length - index)
        for text in [text, mark + text, text + mark] {
          let buffer = OutputBuffer(capacity: 64)
          buffer.append("x")
          buffer.write(text)
          #expect(buffer.text == "x" + escaped(text))
        }
      }
    }
  }

  @Test(arguments: [0, 1, 2, 15, 16, 17, 31, 32, 33, 64, 100])
  func `a prepared piece is written whole, or without its beginning`(length: Int) {
    var memory: [UnsafeMutableRawPointer] = []
    defer { for block in memory { block.deallocate() } }
    let content = (0..<length).map { UInt8(65 + $0 % 26) }
    let piece = PreparedBytes(content) { memory.append($0) }
    #expect(piece.count == length)
    for skipped in 0...min(length, 2) {
      let buffer = OutputBuffer(capacity: 64)
      for _ in 0..<5 {
        buffer.append("[")
        buffer.append(upTo: piece.countToWrite) { piece.copy(from: skipped, to: $0) }
        buffer.append(piece)
        buffer.append("]")
      }
      let once =
        "[" + String(decoding: content.dropFirst(skipped), as: UTF8.self) + String(decoding: content, as: UTF8.self)
        + "]"
      #expect(buffer.text == String(repeating: once, count: 5))
    }
  }

  @Test func `whole numbers of every length are written, as numbers and as texts`() {
    var numbers: [Int64] = [0, .min, .max]
    var bound: Int64 = 1
    for digit in 1...18 {
      bound *= 10
      numbers += [bound - 1, bound, bound + 1, bound / 9, Int64(digit), -bound]
    }
    for number in numbers {
      let buffer = OutputBuffer(capacity: 64)
      buffer.write(number)
      #expect(buffer.text == "\(number)")
    }
    let lists = [[]] + numbers.filter { $0 >= 0 }.map { [Int($0), 0, Int($0)] }
    for list in lists {
      let buffer = OutputBuffer(capacity: 64)
      buffer.append("x")
      buffer.write(texts: list)
      #expect(buffer.text == "x[" + list.map { "\"\($0)\"" }.joined(separator: ",") + "]")
    }
  }

  @Test func `every number of up to four digits is written`() {
    let buffer = OutputBuffer(capacity: 64)
    for number in 0..<10_000 { buffer.write(number) }
    #expect(buffer.text == (0..<10_000).map { "\($0)" }.joined())
  }

  @Test func `bytes that were written last can be moved to the front of others`() {
    let buffer = OutputBuffer(capacity: 64)
    buffer.append("one two 3:")
    buffer.moveBytes(from: 8, to: 4)
    #expect(buffer.text == "one 3:two ")
    buffer.moveBytes(from: 10, to: 0)
    buffer.moveBytes(from: 0, to: 0)
    #expect(buffer.text == "one 3:two ")
  }
}
