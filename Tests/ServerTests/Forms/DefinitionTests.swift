internal import Configuration
import FormProtocol
import Forms
import JSON
import JSONRPC
import Sessions
import Testing

@testable import Server

/// A definition that a client brings along compiles on another thread, and no other client waits for it.
struct DefinitionTests {
  private let definition: JSON = ["schema": ["type": "object", "properties": ["a": ["type": "string"]]]]
  private func open(_ id: Int64) -> String {
    JSON(
      dictionaryLiteral: ("jsonrpc", "2.0"),
      ("id", .integer(id)),
      ("method", "session/open"),
      ("params", ["definition": definition])
    ).description
  }
  private func daemon() -> TestDaemon {
    let daemon = TestDaemon()
    daemon.holdsOffloadedWork = true
    return daemon
  }

  @Test
  func `others are served while a definition compiles, its own client in order`() {
    let daemon = daemon()
    let (client, other) = (daemon.connect(), daemon.connect())
    client.send(open(1))
    client.send(#"{"jsonrpc":"2.0","id":2,"method":"field/change","params":{"field":"a","value":"x"}}"#)
    #expect(client.messages().isEmpty)
    #expect(!client.isReading)
    #expect(other.result("server/ping") != .null)
    daemon.doOffloadedWork()
    let messages = client.messages()
    #expect(messages.map { $0["id"] ?? $0["method"] } == [1, "session/update", 2])
    #expect(client.isReading)
  }

  @Test
  func `members of a batch wait for a definition, too`() {
    let daemon = daemon()
    let client = daemon.connect()
    client.send("[\(open(1)),\(open(2))]")
    #expect(client.messages().isEmpty)
    daemon.doOffloadedWork()
    #expect(client.messages().first?.arrayValue?.compactMap { $0.at("result", "session") } == [1, 2])
  }

  @Test
  func `a client that goes withdraws its definition`() {
    let daemon = daemon()
    let client = daemon.connect()
    client.send(open(1))
    client.connection.closed()
    daemon.doOffloadedWork()
    #expect(client.messages().isEmpty)
    #expect(daemon.connect().result("server/stats")["sessions"] == 0)
  }

  @Test
  func `a daemon that ends waits for a definition, but not for ever`() {
    let daemon = daemon()
    let punctual = daemon.connect()
    punctual.send(open(1))
    daemon.server.drain()
    #expect(!punctual.isClosing)
    daemon.doOffloadedWork()
    #expect(punctual.messages().contains { $0["id"] == 1 && $0["result"] != nil })
    #expect(punctual.isClosing)
    let late = self.daemon()
    let client = late.connect()
    client.send(open(1))
    late.server.drain()
    late.advance(milliseconds: 60_000)
    #expect(client.messages().first { $0["id"] == 1 }?.at("error", "code") == 1010)
    #expect(client.isClosing)
    late.doOffloadedWork()
    #expect(client.messages().isEmpty)
  }

  @Test
  func `a definition that takes too long is refused as overload`() {
    let slow = TestDaemon { $0.limits[.definitionMs] = 0 }.connect()
    let error = slow.error("session/open", ["definition": definition])
    #expect(error["code"] == 1011)
    #expect(error.at("data", "limit") == "definitionMs")
  }

  @Test
  func `a definition of too much work is wrong on every machine`() throws {
    let compilation = Form.compile(definition, fallbackName: "a", limits: CompileLimits(workMax: 1))
    let error = try #require(throws: RPCError.self) { try compilation.form(limits: ServerLimits()) }
    #expect(error.code == -32602)
    #expect(error.data?.at("errors")?.arrayValue?.map { $0["code"] } == ["tooCostly"])
  }
}
