import JSON
import JSONRPC
import Testing

/// One stream and its events.
struct ReadingCase: Sendable, CustomTestStringConvertible {
  var name: String
  var input: String
  var events: [String]

  init(_ name: String, _ input: String, _ events: [String]) {
    self.name = name
    self.input = input
    self.events = events
  }

  var testDescription: String { name }
}

struct RPCReaderTests {
  static let cases: [ReadingCase] = [
    ReadingCase("nothing", "", ["ended"]),
    ReadingCase("blank lines", "\n \r\n", ["ended"]),
    ReadingCase(
      "requests and notifications, one per line",
      """
      {"jsonrpc":"2.0","id":1,"method":"sum","params":[1,2]}
      {"jsonrpc":"2.0","id":"a","method":"get","params":null}

      {"jsonrpc":"2.0","method":"update","params":{"a":1}}

      """,
      ["request 1 sum [1,2]", #"request "a" get"#, #"notification update {"a":1}"#, "ended"]
    ),
    ReadingCase(
      "empty params, also written as a list",
      """
      {"jsonrpc":"2.0","id":1,"method":"get","params":[]}
      {"jsonrpc":"2.0","method":"update","params":[ ]}
      {"jsonrpc":"2.0","id":2,"method":"get","params":{}}

      """,
      ["request 1 get", "notification update", "request 2 get {}", "ended"]
    ),
    ReadingCase(
      "a last line without its end",
      #"{"jsonrpc":"2.0","id":1,"method":"a"}"# + "\n" + #"{"jsonrpc":"2.0","id":2,"method":"b"}"#,
      ["request 1 a", "request 2 b", "ended"]
    ),
    ReadingCase("the end of the input within a line", #"{"jsonrpc":"2.0","#, ["refused null truncated", "ended"]),
    ReadingCase("the end of the input within a prefix of a header", "Content", ["refused null syntax", "ended"]),
    ReadingCase(
      "the end of the input within a batch",
      #"[{"jsonrpc":"2.0","id":1,"method":"a"},"#,
      ["refused null truncated", "ended"]
    ),
    ReadingCase(
      "responses",
      """
      {"jsonrpc":"2.0","id":"formd:1","result":5}
      {"jsonrpc":"2.0","id":"formd:2","error":{}}
      {"jsonrpc":"2.0","id":null,"error":{"code":1}}

      """,
      [#"result "formd:1" 5"#, #"error "formd:2" {}"#, #"error null {"code":1}"#, "ended"]
    ),
    ReadingCase(
      "a batch with members of all kinds, and what follows it",
      #"[{"jsonrpc":"2.0","id":1,"method":"a"},7,{"jsonrpc":"2.0","method":"b"},{"jsonrpc":"2.0","id":3},"#
        + #"{"jsonrpc":"2.0","id":"formd:1","result":2}]"# + "\n" + #"{"jsonrpc":"2.0","id":4,"method":"c"}"# + "\n",
      [
        "[", "request 1 a", "refused null notAnObject", "notification b", "refused 3 method", #"result "formd:1" 2"#,
        "]",
        "request 4 c", "ended",
      ]
    ),
    ReadingCase("two batches", "[1]\n[2,3]\n", ["["] + refused(1) + ["]", "["] + refused(2) + ["]", "ended"]),
    ReadingCase("a batch in a batch", "[[1]]\n", ["["] + refused(1) + ["]", "ended"]),
    ReadingCase("an empty batch", "[]\n", ["refused null emptyBatch", "ended"]),
    ReadingCase("the largest batch", "[1,2,3,4,5]\n", ["["] + refused(5) + ["]", "ended"]),
    ReadingCase("a batch with too many members", "[1,2,3,4,5,6]\n", ["refused null 5", "ended"]),
    ReadingCase(
      "texts behind headers",
      "Content-Length: 37\r\n\r\n" + #"{"jsonrpc":"2.0","id":1,"method":"a"}"# + "Content-Length: 4\r\n\r\n[\n1]\r\n"
        + "Content-Length: 1\r\n\r\n{",
      ["request 1 a", "["] + refused(1) + ["]", "refused null truncated", "ended"]
    ),
    ReadingCase("an empty body", "Content-Length: 0\r\n\r\n", ["refused null truncated", "ended"]),
    ReadingCase(
      "the end of the input within a header",
      "Content-Length: 1\r\n\r\n1Content-Length: 2\r\n",
      refused(1) + ["refused null truncated", "ended"]
    ),
    ReadingCase(
      "the end of the input within a body",
      "Content-Length: 5\r\n\r\n[1]",
      ["refused null truncated", "ended"]
    ),
    ReadingCase(
      "an error in a header, behind which nothing is read",
      "Content-Length: 1\r\n\r\n1Content-Type: x\r\n\r\nContent-Length: 1\r\n\r\n1",
      refused(1) + ["refused null contentLengthMissing", "ended"]
    ),
    ReadingCase(
      "a line over the limit, and what follows it",
      String(repeating: "x", count: 201) + "\n1\n" + String(repeating: "x", count: 500),
      ["refused null 200"] + refused(1) + ["refused null 200", "ended"]
    ),
    ReadingCase(
      "a body over the limit, and what follows it",
      "Content-Length: 201\r\n\r\n" + String(repeating: "x", count: 201) + "Content-Length: 1\r\n\r\n1",
      ["refused null 200"] + refused(1) + ["ended"]
    ),
    ReadingCase(
      "bad texts between good ones",
      #"{"jsonrpc":"2.0","id":1,"method":"a"}"# + "\noops\n" + #"{"id":2,"id":3}"# + "\n"
        + #"{"jsonrpc":"2.0","id":4,"method":"b"}"# + "\n",
      ["request 1 a", "refused null syntax", "refused 3 duplicateKey", "request 4 b", "ended"]
    ),
  ]

  private static func refused(_ count: Int) -> [String] {
    [String](repeating: "refused null notAnObject", count: count)
  }

  @Test(arguments: cases, ReadEvents.Caller.allCases)
  func `a stream gives the same events whole, byte by byte and cut at every offset, also to a caller who stops`(
    _ sample: ReadingCase,
    _ caller: ReadEvents.Caller
  ) {
    let bytes = Array(sample.input.utf8)
    #expect(ReadEvents.of([bytes], caller) == sample.events)
    #expect(ReadEvents.of(bytes.map { [$0] }, caller) == sample.events)
    for offset in 0...bytes.count {
      #expect(
        ReadEvents.of([Array(bytes[..<offset]), Array(bytes[offset...])], caller) == sample.events,
        "cut at \(offset)"
      )
    }
  }

  // MARK: Texts

  @Test
  func `a text that arrived whole is handed out in place`() {
    var reader = RPCReader(limits: ReadEvents.limits)
    Array("[1]\n[2]\n".utf8).withUnsafeBufferPointer { bytes in
      var input = bytes
      for start in [0, 4] {
        guard case .text(let text) = reader.next(&input) else {
          Issue.record("no text")
          return
        }
        #expect(text.baseAddress == bytes.baseAddress.map { $0 + start })
        #expect(text.count == 3)
        #expect(input.count == 4 - start)
      }
    }
  }

  @Test
  func `a text that the caller recognizes by itself has no further events`() {
    let events = Self.events(of: "1\n2\n3\n") { text, reader in
      if !text.elementsEqual("2".utf8) { reader.read(text) }
    }
    #expect(events == ["text 1"] + Self.refused(1) + ["text 2", "text 3"] + Self.refused(1))
  }

  @Test
  func `the framing is known when its first text is`() {
    for (input, framing) in [("1\n", Framing.lines), ("Content-Length: 1\r\n\r\n1", .headers)] {
      var known: Framing?
      _ = Self.events(of: input) { _, reader in known = reader.framing }
      #expect(known == framing)
    }
  }

  // MARK: The end

  @Test
  func `no end is given before the input is said to be over`() {
    #expect(Self.events(of: "1\n2") { $1.read($0) } == ["text 1"] + Self.refused(1))
  }

  @Test
  func `the end comes after everything that is kept`() {
    var reader = RPCReader(limits: ReadEvents.limits)
    Self.keep("1\n2", in: &reader)
    reader.inputEnded()
    Self.keep("2\n3", in: &reader)
    #expect(
      Self.rest(of: &reader) == ["text 1"] + Self.refused(1) + ["text 22"] + Self.refused(1) + ["text 3"]
        + Self.refused(1)
        + ["ended"]
    )
    #expect(Self.rest(of: &reader).isEmpty)
  }

  @Test
  func `the end waits for a batch that is under way`() {
    var reader = RPCReader(limits: ReadEvents.limits)
    Self.keep("[1,2]", in: &reader)
    reader.inputEnded()
    #expect(Self.rest(of: &reader, count: 3) == ["text [1,2]", "["] + Self.refused(1))
    reader.inputEnded()
    #expect(Self.rest(of: &reader) == Self.refused(1) + ["]", "ended"])
  }

  @Test
  func `a reader that was closed gives what is left of a batch and nothing more, not even the end`() {
    var reader = RPCReader(limits: ReadEvents.limits)
    Self.keep("[1,2,3]\n4\n", in: &reader)
    #expect(Self.rest(of: &reader, count: 3) == ["text [1,2,3]", "["] + Self.refused(1))
    reader.close()
    reader.inputEnded()
    Self.keep("5\n", in: &reader)
    #expect(Self.rest(of: &reader) == Self.refused(2) + ["]"])
    #expect(Self.events(of: "6\n", &reader) { $1.read($0) }.isEmpty)
  }

  @Test
  func `bytes that are kept behind an error are dropped`() {
    var reader = RPCReader(limits: ReadEvents.limits)
    Self.keep("Content-Type: x\r\n\r\n1\n", in: &reader)
    #expect(Self.rest(of: &reader, count: 1) == ["refused null contentLengthMissing"])
    Self.keep("2\n", in: &reader)
    #expect(Self.rest(of: &reader) == ["ended"])
    #expect(Self.rest(of: &reader).isEmpty)
  }

  // MARK: Parts

  /// The events of those bytes, including texts; `text` handles each text.
  private static func events(
    of input: String,
    _ text: (UnsafeBufferPointer<UInt8>, inout RPCReader) -> Void
  ) -> [String] {
    var reader = RPCReader(limits: ReadEvents.limits)
    return events(of: input, &reader, text)
  }

  private static func events(
    of input: String,
    _ reader: inout RPCReader,
    count: Int = .max,
    _ text: (UnsafeBufferPointer<UInt8>, inout RPCReader) -> Void
  ) -> [String] {
    var events: [String] = []
    Array(input.utf8).withUnsafeBufferPointer { bytes in
      var input = bytes
      while events.count < count, let event = reader.next(&input) {
        events.append(ReadEvents.line(event))
        if case .text(let bytes) = event { text(bytes, &reader) }
      }
    }
    return events
  }

  /// The next events, up to so many, without further bytes.
  private static func rest(of reader: inout RPCReader, count: Int = .max) -> [String] {
    events(of: "", &reader, count: count) { $1.read($0) }
  }

  private static func keep(_ text: String, in reader: inout RPCReader) {
    Array(text.utf8).withUnsafeBufferPointer { reader.keep($0) }
  }
}
