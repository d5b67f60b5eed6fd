import JSONRPC
import Testing

/// An output of a framer, copied.
enum Framed: Equatable, CustomStringConvertible {
  case text(String)
  case oversized
  case error(HeaderError)

  var description: String {
    switch self {
    case .text(let text): "text(\(text))"
    case .oversized: "oversized"
    case .error(let error): "error(\(error.rawValue))"
    }
  }
}

/// Feeds the chunks, then the end of the input.
func frame(_ chunks: [[UInt8]], textBytesMax: Int = 64, finishes: Bool = true) -> [Framed] {
  var framer = MessageFramer(textBytesMax: textBytesMax)
  var result: [Framed] = []
  func note(_ event: MessageFramer.Event) {
    switch event {
    case .text(let bytes): result.append(.text(String(decoding: bytes, as: UTF8.self)))
    case .oversized: result.append(.oversized)
    case .error(let error): result.append(.error(error))
    }
  }
  for chunk in chunks {
    chunk.withUnsafeBufferPointer { buffer in
      var input = buffer
      while let event = framer.next(&input) { note(event) }
      #expect(input.isEmpty)
    }
  }
  if finishes, let event = framer.finish() { note(event) }
  return result
}

/// One stream and the output that it must produce, however the stream is cut.
struct FramingCase: Sendable, CustomTestStringConvertible {
  var name: String
  var input: String
  var expected: [Framed]

  var testDescription: String { name }
}

struct MessageFramerTests {
  static let long = String(repeating: "x", count: 65)
  static let longest = String(repeating: "x", count: 64)

  static let cases: [FramingCase] = [
    FramingCase(name: "lines", input: "{\"a\":1}\n[2]\n", expected: [.text("{\"a\":1}"), .text("[2]")]),
    FramingCase(name: "blank lines", input: "\n \r\n\t\n1\n\n2\n  \n", expected: [.text("1"), .text("2")]),
    FramingCase(name: "CR LF", input: "1\r\n2\r\n", expected: [.text("1\r"), .text("2\r")]),
    FramingCase(name: "a last line without a newline", input: "1\n2", expected: [.text("1"), .text("2")]),
    FramingCase(name: "a line that begins as a header does", input: "Contents\n", expected: [.text("Contents")]),
    FramingCase(name: "a prefix of a header and the end", input: "Conten", expected: [.text("Conten")]),
    FramingCase(name: "nothing", input: "", expected: []),
    FramingCase(name: "only white space", input: " \n\r\n\t", expected: []),
    FramingCase(
      name: "a line at the limit and one over it",
      input: "\(longest)\n\(long)\n3\n",
      expected: [.text(longest), .oversized, .text("3")]
    ),
    FramingCase(
      name: "a huge line",
      input: String(repeating: "y", count: 1000) + "\n4\n",
      expected: [.oversized, .text("4")]
    ),
    FramingCase(name: "an oversized last line", input: "1\n\(long)", expected: [.text("1"), .oversized]),
    FramingCase(
      name: "headers",
      input: "Content-Length: 2\r\n\r\n{}Content-Length: 3\r\n\r\n[1]",
      expected: [.text("{}"), .text("[1]")]
    ),
    FramingCase(
      name: "headers in any case, with another, and spaces",
      input: "\r\n cOnTeNt-TYPE: application/vscode-jsonrpc; charset=utf-8\r\nCONTENT-LENGTH:\t 2 \r\n\r\n{}",
      expected: [.text("{}")]
    ),
    FramingCase(name: "headers with bare newlines", input: "content-length: 2\n\n{}", expected: [.text("{}")]),
    FramingCase(
      name: "blank lines between messages",
      input: "Content-Length: 2\r\n\r\n{}\r\n\nContent-Length: 2\r\n\r\n[]\n",
      expected: [.text("{}"), .text("[]")]
    ),
    FramingCase(
      name: "a body with newlines",
      input: "Content-Length: 4\r\n\r\n{\n\n}Content-Length: 1\r\n\r\n7",
      expected: [.text("{\n\n}"), .text("7")]
    ),
    FramingCase(
      name: "an empty body",
      input: "Content-Length: 0\r\n\r\nContent-Length: 1\r\n\r\n7",
      expected: [.text(""), .text("7")]
    ),
    FramingCase(
      name: "a body over the limit",
      input: "Content-Length: 65\r\n\r\n\(long)Content-Length: 1\r\n\r\n7",
      expected: [.oversized, .text("7")]
    ),
    FramingCase(
      name: "a body that is announced huge",
      input: "Content-Length: 9223372036854775807\r\n\r\nxx",
      expected: [.oversized]
    ),
    FramingCase(
      name: "no Content-Length",
      input: "Content-Type: x\r\n\r\n{}",
      expected: [.error(.contentLengthMissing)]
    ),
    FramingCase(
      name: "two of them",
      input: "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
      expected: [.error(.contentLengthDuplicate)]
    ),
    FramingCase(
      name: "a negative one",
      input: "Content-Length: -2\r\n\r\n{}",
      expected: [.error(.contentLengthInvalid)]
    ),
    FramingCase(
      name: "one with a sign",
      input: "Content-Length: +2\r\n\r\n{}",
      expected: [.error(.contentLengthInvalid)]
    ),
    FramingCase(name: "an empty one", input: "Content-Length:\r\n\r\n{}", expected: [.error(.contentLengthInvalid)]),
    FramingCase(
      name: "one that overflows",
      input: "Content-Length: 9223372036854775808\r\n\r\n{}",
      expected: [.error(.contentLengthInvalid)]
    ),
    FramingCase(
      name: "a header without a colon",
      input: "Content-Length 2\r\n\r\n{}",
      expected: [.error(.headerSyntax)]
    ),
    FramingCase(
      name: "an endless header",
      input: "Content-Type: " + String(repeating: "x", count: 5000),
      expected: [.error(.headerTooLong)]
    ),
    FramingCase(
      name: "nothing is read behind an error",
      input: "Content-Type: x\r\n\r\nContent-Length: 2\r\n\r\n{}\n{}\n",
      expected: [.error(.contentLengthMissing)]
    ),
    FramingCase(name: "the end inside a header", input: "Content-Length: 2\r\n", expected: [.error(.truncated)]),
    FramingCase(name: "the end inside a body", input: "Content-Length: 2\r\n\r\n{", expected: [.error(.truncated)]),
  ]

  @Test(arguments: cases)
  func `a stream comes to the same texts whole, byte by byte and cut at every offset`(_ sample: FramingCase) {
    let bytes = Array(sample.input.utf8)
    #expect(frame([bytes]) == sample.expected)
    #expect(frame(bytes.map { [$0] }) == sample.expected)
    for offset in 0...bytes.count {
      #expect(frame([Array(bytes[..<offset]), Array(bytes[offset...])]) == sample.expected, "cut at \(offset)")
    }
  }

  @Test
  func `an oversized line is answered before its end has come`() {
    let bytes = [UInt8](repeating: 0x78, count: 65)
    #expect(frame([bytes], finishes: false) == [.oversized])
    #expect(frame([bytes, bytes, bytes], finishes: false) == [.oversized])
  }

  @Test
  func `the framing is undecided while the bytes are a prefix of Content-`() {
    var framer = MessageFramer(textBytesMax: 64)
    for byte in " \nContent".utf8 {
      withUnsafePointer(to: byte) { pointer in
        var input = UnsafeBufferPointer(start: pointer, count: 1)
        let event = framer.next(&input)
        #expect(event.map { _ in true } == nil)
      }
      let framing = framer.framing
      #expect(framing == nil)
    }
  }

  @Test
  func `a connection between two texts holds no bytes`() {
    var framer = MessageFramer(textBytesMax: 64)
    for chunk in ["{\"a\"", ":1}\n"] {
      Array(chunk.utf8).withUnsafeBufferPointer { buffer in
        var input = buffer
        while framer.next(&input) != nil {}
      }
    }
    let isAtBoundary = framer.isAtBoundary
    #expect(isAtBoundary)
  }
}
