import Foundation
import JSON
import JSONRPC
import Testing

/// A reader and a writer together, as a connection has them.
struct ConversationTests {
  @Test
  func `answers come in the framing of the questions`() {
    let lines = SpecificationMethods()
    lines.feed(#"{"jsonrpc":"2.0","id":1,"method":"get_data"}"# + "\n")
    #expect(lines.output() == #"{"jsonrpc":"2.0","id":1,"result":["hello",5]}"# + "\n")
    let headers = SpecificationMethods()
    headers.feed("Content-Length: 44\r\n\r\n" + #"{"jsonrpc":"2.0","id":1,"method":"get_data"}"#)
    #expect(headers.output() == "Content-Length: 45\r\n\r\n" + #"{"jsonrpc":"2.0","id":1,"result":["hello",5]}"#)
  }

  @Test
  func `the framing of the last line's answer is that of lines`() {
    let connection = SpecificationMethods()
    connection.feed(#"{"jsonrpc":"2.0","id":1,"method":"get_data"}"#)
    connection.inputEnded()
    #expect(connection.output() == #"{"jsonrpc":"2.0","id":1,"result":["hello",5]}"# + "\n")
    #expect(connection.hasEnded)
  }

  @Test
  func `string ids come back as they were sent`() throws {
    let connection = SpecificationMethods()
    connection.feed(#"{"jsonrpc":"2.0","id":"e\u0301\"\u0000","method":"get_data"}"# + "\n")
    #expect(try connection.lines().first?["id"] == "e\u{301}\"\u{0}")
  }

  @Test
  func `what a batch pushes stands before its answers`() throws {
    let connection = SpecificationMethods()
    connection.feed(
      #"[{"jsonrpc":"2.0","id":1,"method":"get_data"},{"jsonrpc":"2.0","id":2,"method":"push","params":[7]}]"# + "\n"
    )
    let messages = try connection.lines()
    #expect(messages.count == 2)
    #expect(messages.first?["method"] == "pushed")
    #expect(messages.last?.arrayValue?.count == 2)
  }

  @Test
  func `a batch is answered when its last member is`() throws {
    let connection = SpecificationMethods()
    connection.feed(
      #"[{"jsonrpc":"2.0","id":1,"method":"later"},{"jsonrpc":"2.0","id":2,"method":"get_data"},{"jsonrpc":"2.0","id":3,"method":"later"}]"#
        + "\n"
    )
    #expect(connection.output().isEmpty)
    #expect(connection.unanswered == 2)
    connection.answer(connection.open[1], "second")
    #expect(connection.output().isEmpty)
    connection.answer(connection.open[0], "first")
    let ids = try #require(try connection.lines().first?.arrayValue).map { $0["id"] }
    #expect(ids == [2, 3, 1])
    #expect(connection.unanswered == 0)
  }

  @Test
  func `a batch of notifications is not answered`() {
    let connection = SpecificationMethods()
    connection.feed(#"[{"jsonrpc":"2.0","method":"update"},{"jsonrpc":"2.0","method":"foobar"}]"# + "\n")
    #expect(connection.output().isEmpty)
  }

  @Test
  func `our requests find their answers, and unknown ones are counted`() throws {
    let connection = SpecificationMethods()
    let number = connection.ask("provider/evaluate", [:])
    #expect(try connection.lines().first?["id"] == "formd:1")
    // Only the id exactly as the writer wrote it is ours. Other spellings of its number are not.
    for stray in ["formd:+1", "formd:01", "formd: 1", "formd:", "FORMD:1"] {
      connection.feed(#"{"jsonrpc":"2.0","id":"\#(stray)","result":5}"# + "\n")
    }
    #expect(connection.answers.isEmpty)
    #expect(connection.unknownResponses == 5)
    connection.feed(#"{"jsonrpc":"2.0","id":"formd:1","result":5}"# + "\n")
    #expect(connection.answers == [number: 5])
    for stray in [#""formd:1""#, #""formd:2""#, "1", "null", #""x""#] {
      connection.feed(#"{"jsonrpc":"2.0","id":\#(stray),"result":5}"# + "\n")
    }
    #expect(connection.unknownResponses == 10)
    #expect(connection.output().isEmpty)
  }

  @Test
  func `a connection that stops reads nothing, and everything when it reads on`() throws {
    let connection = SpecificationMethods()
    connection.stopsAfterRequests = true
    connection.feed(
      (1...3).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"get_data"}"# + "\n" }.joined()
        + #"{"jsonrpc":"2.0","id":4,"#
    )
    #expect(try connection.lines().map { $0["id"] } == [1])
    connection.feed(#""method":"get_data"}"#)
    connection.inputEnded()
    #expect(!connection.hasEnded)
    for id in 2...4 {
      connection.readOn()
      #expect(try connection.lines().map { $0["id"] } == [.integer(Int64(id))])
    }
    connection.readOn()
    #expect(connection.hasEnded)
  }

  @Test
  func `a batch whose reading stops in the midst is answered as a whole when it is read on`() throws {
    let connection = SpecificationMethods()
    connection.stopsAfterRequests = true
    connection.feed(
      #"[{"jsonrpc":"2.0","id":1,"method":"get_data"},1,{"jsonrpc":"2.0","id":2,"method":"later"},"#
        + #"{"jsonrpc":"2.0","id":3,"method":"get_data"}]"# + "\n" + #"{"jsonrpc":"2.0","id":4,"method":"get_data"}"#
        + "\n"
    )
    #expect(connection.unanswered == 0)
    connection.notify("pushed", 1)
    #expect(try connection.lines().map { $0["method"] } == ["pushed"])
    connection.readOn()
    #expect(connection.unanswered == 1)
    connection.answer(connection.open[0], 2)
    connection.readOn()
    #expect(connection.output().isEmpty)
    connection.readOn()
    let messages = try connection.lines()
    #expect(messages.count == 2)
    #expect(messages.first?.arrayValue?.map { $0["id"] } == [1, .null, 2, 3])
    #expect(messages.last?["id"] == 4)
  }

  @Test
  func `what a connection says before the framing is known comes as a line`() {
    let connection = SpecificationMethods()
    connection.feed("\nContent")
    connection.notify("pushed", 1)
    #expect(connection.output() == #"{"jsonrpc":"2.0","method":"pushed","params":1}"# + "\n")
    connection.feed("-")
    connection.notify("pushed", 1)
    #expect(connection.output() == "Content-Length: 46\r\n\r\n" + #"{"jsonrpc":"2.0","method":"pushed","params":1}"#)
  }
}
