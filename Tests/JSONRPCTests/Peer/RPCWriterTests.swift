import JSON
import JSONRPC
import Testing

/// A writer that a test can ask. The writer's text is the output.
private final class WriterUnderTest {
  let pool = OutputPool()
  var writer: RPCWriter

  init(framing: Framing? = .lines) {
    writer = RPCWriter(pool: pool)
    writer.framing = framing
  }

  var unanswered: Int { writer.unanswered }
  var unflushedBytes: Int { writer.unflushedBytes }

  func accepted(_ id: Int64?) -> RequestToken { writer.accepted(id.map { .integer($0) }) }

  /// Reads a batch of requests with those ids.
  func batch(_ ids: [Int64?]) -> [RequestToken] {
    writer.batchBegan()
    defer { writer.batchEnded() }
    return ids.map { accepted($0) }
  }

  func answer(_ token: RequestToken, _ result: JSON = true) {
    writer.answer(token) { $0.write(result) }
  }

  func notify(_ params: JSON) {
    writer.notify("told") { $0.write(params) }
  }

  func ask() -> Int {
    writer.ask("ask") { $0.append("[]") }
  }

  func output() -> String {
    guard let output = writer.takeOutput() else { return "" }
    defer { pool.give(output) }
    return output.text
  }

  /// The ids of each line: an answer's id, all ids in a batch's answer, or the method of any other message.
  func summary() throws -> [JSON] {
    try output().split(separator: "\n").map {
      let message = try JSON(parsing: String($0))
      if let members = message.arrayValue { return .array(members.map { $0["id"] ?? "?" }) }
      return message["method"] ?? message["id"] ?? "?"
    }
  }
}

private let error = RPCError(code: 7, message: "No", data: [1])

struct RPCWriterTests {
  // MARK: Messages

  @Test
  func `each message is one line, or one body behind its length`() {
    let messages = [
      #"{"jsonrpc":"2.0","id":1,"result":{"a":2}}"#,
      #"{"jsonrpc":"2.0","id":2,"error":{"code":7,"message":"No","data":[1]}}"#,
      #"{"jsonrpc":"2.0","id":null,"error":{"code":7,"message":"No","data":[1]}}"#,
      #"{"jsonrpc":"2.0","method":"told","params":[3]}"#,
      #"{"jsonrpc":"2.0","id":"formd:1","method":"ask","params":[]}"#,
      #"[{"jsonrpc":"2.0","id":4,"result":true}]"#,
    ]
    for framing in [nil, Framing.lines, .headers] {
      let peer = WriterUnderTest(framing: framing)
      peer.answer(peer.accepted(1), ["a": 2])
      peer.writer.fail(peer.accepted(2), error)
      peer.writer.refuse(nil, error)
      peer.notify([3])
      _ = peer.ask()
      for token in peer.batch([4]) { peer.answer(token) }
      let expected = messages.map { framing == .headers ? "Content-Length: \($0.utf8.count)\r\n\r\n\($0)" : $0 + "\n" }
      #expect(peer.output() == expected.joined())
      #expect(peer.output().isEmpty)
    }
  }

  @Test
  func `a notification of the other side is not answered with an error`() {
    let peer = WriterUnderTest()
    let token = peer.accepted(nil)
    #expect(!token.wantsAnswer)
    peer.writer.fail(token, error)
    #expect(peer.unflushedBytes == 0)
    #expect(peer.unanswered == 0)
  }

  @Test
  func `a request that is answered at once is answered like any other`() {
    for framing in [nil, Framing.lines, .headers] {
      let peer = WriterUnderTest(framing: framing)
      let expected = WriterUnderTest(framing: framing)
      for id in [0, 7, -1, 123_456_789, Int64.max, .min] {
        peer.writer.answerAtOnce(id) { $0.write(JSON.integer(id)) }
        expected.answer(expected.accepted(id), .integer(id))
        #expect(peer.unanswered == 0)
      }
      #expect(peer.output() == expected.output())
    }
  }

  @Test
  func `a notification with a prepared head is like any other`() {
    let head = NotificationHead("told")
    for framing in [nil, Framing.lines, .headers] {
      let peer = WriterUnderTest(framing: framing)
      let expected = WriterUnderTest(framing: framing)
      for params in [[], [1], ["text": "é"]] as [JSON] {
        peer.writer.notify(head) { $0.write(params) }
        expected.notify(params)
      }
      #expect(peer.output() == expected.output())
    }
  }

  @Test
  func `unflushed bytes are counted until they are taken`() {
    let peer = WriterUnderTest()
    #expect(peer.unflushedBytes == 0)
    peer.notify([])
    let one = peer.unflushedBytes
    peer.notify([])
    #expect(peer.unflushedBytes == 2 * one)
    #expect(peer.output().utf8.count == 2 * one)
    #expect(peer.unflushedBytes == 0)
  }

  @Test
  func `messages that are held are like any others, and their requests have no answers until they are sent`() throws {
    for framing in [nil, Framing.lines, .headers] {
      let peer = WriterUnderTest(framing: framing)
      let expected = WriterUnderTest(framing: framing)
      var held: OutputBuffer?
      let (first, second) = (peer.accepted(1), peer.accepted(2))
      peer.notify(["before"])
      peer.writer.holdAnswer(first, in: &held) { $0.write(["a": 2] as JSON) }
      peer.writer.hold(in: &held) { writer in
        for number in 3...4 as ClosedRange<Int64> { writer.notify("told") { $0.write([.integer(number)] as JSON) } }
      }
      peer.notify(["between"])
      #expect(peer.unanswered == 2)
      expected.notify(["before"])
      expected.notify(["between"])
      #expect(peer.output() == expected.output())
      peer.writer.send(held: try #require(held), answers: 1)
      #expect(peer.unanswered == 1)
      peer.notify(["after"])
      peer.writer.fail(second, error)
      #expect(peer.unanswered == 0)
      expected.answer(expected.accepted(1), ["a": 2])
      for number in 3...4 as ClosedRange<Int64> { expected.notify([.integer(number)]) }
      expected.notify(["after"])
      expected.writer.fail(expected.accepted(2), error)
      #expect(peer.output() == expected.output())
    }
  }

  // MARK: Batches

  @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]], 0...3)
  func `the answers to a batch are one text in the order in which they came`(_ order: [Int], _ early: Int) throws {
    let peer = WriterUnderTest()
    peer.writer.batchBegan()
    let tokens = [peer.accepted(0), peer.accepted(1), peer.accepted(2)]
    for position in order[..<early] { peer.answer(tokens[position]) }
    #expect(peer.unflushedBytes == 0)
    peer.writer.batchEnded()
    for position in order[early...] {
      #expect(peer.unflushedBytes == 0)
      peer.answer(tokens[position])
    }
    #expect(peer.unanswered == 0)
    #expect(try peer.summary() == [.array(order.map { .integer(Int64($0)) })])
  }

  @Test
  func `the answers to a batch are sent in the buffer that they were gathered in, unless something stands before them`()
  {
    let peer = WriterUnderTest()
    for hasOutput in [false, true] {
      let token = peer.batch([1])[0]
      if hasOutput { peer.writer.refuse(nil, error) }
      var gathered: OutputBuffer?
      peer.writer.answer(token) {
        gathered = $0
        $0.write(JSON.bool(true))
      }
      #expect((peer.writer.takeOutput() === gathered) == !hasOutput)
    }
  }

  @Test
  func `errors and refused members stand among the answers to a batch`() throws {
    let peer = WriterUnderTest()
    peer.writer.batchBegan()
    let first = peer.accepted(1)
    peer.writer.refuse(nil, error)
    let second = peer.accepted(2)
    #expect(peer.accepted(nil).wantsAnswer == false)
    peer.writer.refuse(.string("x"), error)
    peer.writer.batchEnded()
    peer.writer.fail(second, error)
    peer.answer(first)
    #expect(try peer.summary() == [[.null, "x", 2, 1]])
  }

  @Test
  func `a batch that wants no answer has none, and one of bad members has one at once`() throws {
    let peer = WriterUnderTest()
    _ = peer.batch([nil, nil])
    #expect(peer.unflushedBytes == 0)
    peer.writer.batchBegan()
    peer.writer.refuse(nil, error)
    peer.writer.batchEnded()
    #expect(try peer.summary() == [[.null]])
  }

  @Test
  func `several batches collect their answers apart, while other messages go out`() throws {
    let peer = WriterUnderTest()
    let first = peer.batch([1, 2])
    let alone = peer.accepted(3)
    let second = peer.batch([4, 5])
    peer.answer(second[1])
    peer.answer(first[1])
    peer.notify([])
    peer.answer(alone)
    #expect(peer.unanswered == 2)
    #expect(try peer.summary() == ["told", 3])
    peer.answer(second[0])
    #expect(try peer.summary() == [[5, 4]])
    peer.answer(first[0])
    #expect(try peer.summary() == [[2, 1]])
    #expect(peer.unanswered == 0)
  }

  @Test
  func `requests without an answer are counted`() {
    let peer = WriterUnderTest()
    let tokens = [peer.accepted(1), peer.accepted(2)] + peer.batch([3, nil])
    #expect(peer.unanswered == 3)
    peer.answer(tokens[0])
    #expect(peer.unanswered == 2)
    peer.writer.fail(tokens[1], error)
    #expect(peer.unanswered == 1)
    peer.writer.fail(tokens[2], error)
    #expect(peer.unanswered == 0)
  }

  // MARK: Our own requests

  @Test
  func `our requests are numbered`() throws {
    let peer = WriterUnderTest()
    let ids = [peer.ask(), peer.ask(), peer.ask()].map { RPCWriter.requestID($0) }
    #expect(ids == [.string("formd:1"), .string("formd:2"), .string("formd:3")])
    #expect(ids.map { RPCWriter.requestNumber($0) } == [1, 2, 3])
  }

  @Test(arguments: [
    RequestID.string("formd:+1"), .string("formd:01"), .string("formd:1 "), .string("formd:"), .string("Formd:1"),
    .string("formd:\u{661}"), .string("formd:0"), .string("formd:-1"), .string("1"), .string(""), .integer(1), nil,
  ])
  func `only an id as it was written is that of a request of ours`(_ id: RequestID?) {
    #expect(RPCWriter.requestNumber(id) == nil)
  }

  // MARK: Misuse

  @Test
  func `one message is written at a time`() async {
    await #expect(processExitsWith: .failure) {
      let peer = WriterUnderTest()
      peer.writer.notify("a") { _ in peer.writer.notify("b") { _ in } }
    }
    await #expect(processExitsWith: .failure) {
      let peer = WriterUnderTest()
      peer.writer.notify("a") { _ in _ = peer.writer.takeOutput() }
    }
    await #expect(processExitsWith: .failure) {
      let peer = WriterUnderTest()
      let token = peer.batch([1])[0]
      peer.writer.answer(token) { _ in peer.writer.refuse(nil, RPCError(code: 1, message: "")) }
    }
  }

  @Test
  func `a request is answered once, a notification never`() async {
    await #expect(processExitsWith: .failure) {
      var writer = RPCWriter(pool: OutputPool())
      let token = writer.accepted(nil)
      writer.answer(token) { _ in }
    }
    await #expect(processExitsWith: .failure) {
      var writer = RPCWriter(pool: OutputPool())
      let token = writer.accepted(.integer(1))
      writer.fail(token, RPCError(code: 1, message: ""))
      writer.fail(token, RPCError(code: 1, message: ""))
    }
    await #expect(processExitsWith: .failure) {
      var writer = RPCWriter(pool: OutputPool())
      writer.batchBegan()
      let token = writer.accepted(.integer(1))
      writer.batchEnded()
      writer.fail(token, RPCError(code: 1, message: ""))
      writer.answer(token) { _ in }
    }
  }
}
