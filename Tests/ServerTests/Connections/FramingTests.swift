import JSON
import Server
import Sessions
import Testing

/// One message of each kind, to be cut at every offset.
struct FramingTests {
  static let conversation: [String] = [
    #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"capabilities":{}}}"#,
    #"{"jsonrpc":"2.0","method":"initialized","params":{}}"#,
    #"{"jsonrpc":"2.0","id":2,"method":"session/open","params":{"form":"login","locale":"ko"}}"#,
    #"{"jsonrpc":"2.0","id":3,"method":"field/focus","params":{"session":1,"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":4,"method":"field/change","params":{"field":"email","value":"쿄@example.com"}}"#,
    #"{"jsonrpc":"2.0","method":"field/blur","params":{"field":"email"}}"#,
    #"{"jsonrpc":"2.0","id":5,"method":"action/tap","params":{"action":"login"}}"#,
    #"[{"jsonrpc":"2.0","id":6,"method":"session/list"},{"jsonrpc":"2.0","id":7,"method":"session/get"}]"#,
    #"{"jsonrpc":"2.0","id":8,"method":"form/list"}"#,
    #"{"jsonrpc":"2.0","id":9,"method":"form/describe","params":{"form":"login"}}"#,
    #"{"jsonrpc":"2.0","id":10,"method":"form/validate","params":{"form":"login","values":{"email":"x"}}}"#,
    #"{"jsonrpc":"2.0","id":11,"method":"provider/register","params":{"name":"oracle"}}"#,
    #"{"jsonrpc":"2.0","id":12,"method":"provider/unregister","params":{"name":"oracle"}}"#,
    #"{"jsonrpc":"2.0","id":"formd:7","result":null}"#,
    #"{"jsonrpc":"2.0","id":13,"method":"server/ping"}"#,
    #"{"jsonrpc":"2.0","id":14,"method":"nope"}"#,
    #"{"jsonrpc":"2.0","id":15,"method":"session/reset","params":{"keepValues":true}}"#,
    #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}"#,
    #"{"jsonrpc":"2.0","id":16,"#,
    #"{"jsonrpc":"2.0","id":17,"method":"session/close","params":{"session":1}}"#,
    #"{"jsonrpc":"2.0","id":18,"method":"shutdown"}"#,
    #"{"jsonrpc":"2.0","method":"exit"}"#,
  ]

  /// All answers to the stream when it is fed in these pieces.
  static func run(_ pieces: [ArraySlice<UInt8>], headers: Bool) -> [JSON] {
    let client = TestDaemon().connect(headers: headers)
    for piece in pieces { client.send(Array(piece)) }
    #expect(client.isClosing)
    return client.messages()
  }

  @Test(arguments: [false, true])
  func `a conversation of every kind of message is the same whole, byte by byte and cut at every offset`(
    _ headers: Bool
  ) {
    let stream = Self.conversation.flatMap { TestClient.framed($0, headers: headers) }
    let whole = Self.run([stream[...]], headers: headers)
    #expect(whole.count == 21)
    #expect(!whole.contains(.null))
    #expect(Self.run(stream.indices.map { stream[$0...$0] }, headers: headers) == whole)
    for offset in stream.indices {
      #expect(Self.run([stream[..<offset], stream[offset...]], headers: headers) == whole, "cut at \(offset)")
    }
  }
}
