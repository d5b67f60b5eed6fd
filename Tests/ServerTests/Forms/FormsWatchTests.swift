import FormProtocol
import Forms
import JSON
internal import SourceTexts
import Testing

@testable import Server

/// Clients that watch the forms get a message after each reload.
struct FormsWatchTests {
  private static func catalog(_ names: String...) -> FormCatalog {
    FormCatalog(
      names.compactMap { name in
        Form.compile(["form": .string(name), "schema": ["properties": ["a": ["type": "string"]]]] as JSON).form
      }
    )
  }

  private static let problem = Diagnostic(
    file: "b.form.json",
    pointer: JSONPointer(tokens: ["schema", "type"]),
    position: LineColumn(line: 3, column: 7),
    code: "schema",
    message: "there is no such type",
    remedy: "write \"object\""
  )

  @Test
  func `a client that watches is told after each reload, others are not`() {
    let daemon = TestDaemon(catalog: Self.catalog("b", "a"))
    let (client, other) = (daemon.connect(), daemon.connect())
    #expect(client.result("forms/watch") == ["forms": ["a", "b"], "problems": []])
    daemon.server.reload(Self.catalog("a", "c"), problems: [Self.problem])
    let told = client.messages()
    #expect(told.map { $0["method"] } == ["forms/changed"])
    #expect(
      told.first?["params"] == [
        "forms": ["a", "c"],
        "problems": [
          [
            "file": "b.form.json", "path": "/schema/type", "line": 3, "column": 7, "severity": "error",
            "code": "schema", "message": "there is no such type", "remedy": "write \"object\"",
          ]
        ],
      ]
    )
    #expect(other.messages().isEmpty)
    #expect(other.result("forms/watch") == told.first?["params"])
  }

  @Test
  func `watching twice is watching once, and it ends with the connection`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.request("forms/watch")
    #expect(client.notify("forms/watch").isEmpty)
    daemon.server.reload(Self.catalog("a"))
    #expect(client.messages().count == 1)
    client.connection.closed()
    daemon.server.reload(Self.catalog("b"))
    #expect(client.messages().isEmpty)
  }

  @Test
  func `a slow reader is told of the newest forms only, before the next answer`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.request("forms/watch")
    client.roomBytes = 0
    client.send(#"{"jsonrpc":"2.0","id":100,"method":"server/ping"}"#)
    client.send(#"{"jsonrpc":"2.0","id":101,"method":"server/ping"}"#)
    let unsent = client.unsentBytes
    for name in ["a", "b", "c"] { daemon.server.reload(Self.catalog(name)) }
    #expect(client.unsentBytes == unsent)
    client.drain()
    let messages = client.messages()
    #expect(messages.map { $0["id"] ?? $0["method"] } == [100, "forms/changed", 101])
    #expect(messages[1].at("params", "forms") == ["c"])
    daemon.server.reload(Self.catalog("d"))
    #expect(client.messages().map { $0.at("params", "forms") } == [["d"]])
  }

  @Test
  func `a client that has announced its end is told nothing`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.request("forms/watch")
    client.request("shutdown")
    _ = client.notify("exit")
    daemon.server.reload(Self.catalog("a"))
    #expect(client.messages().isEmpty)
  }
}
