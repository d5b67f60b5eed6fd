internal import Client
import FormProtocol
internal import JSON
internal import Testing

struct FormConnectionTests {
  /// Answers as a daemon would for one session; `lost` makes it drop an update and say so.
  private static let script: FakeDaemon.Script = { method, id, params in
    switch method {
    case "session/open":
      return [FakeDaemon.result(id, ["session": 3, "revision": 0, "document": ["isValid": false], "values": ["a": 1]])]
    case "field/change":
      let update = FakeDaemon.update([
        "session": 3, "revision": 1, "from": 0, "cause": "field/change", "patch": ["isValid": true],
        "events": [["seq": 1, "action": "login", "kind": "succeeded"]],
      ])
      return [update, FakeDaemon.result(id, ["revision": 1])]
    case "field/blur":
      return [
        ["jsonrpc": "2.0", "method": "session/desync", "params": ["session": 3, "eventsLost": 2]],
        FakeDaemon.result(id, ["revision": 9]),
      ]
    case "session/get":
      return [FakeDaemon.result(id, ["session": 3, "revision": 9, "document": ["isPending": true]])]
    case "session/reset":
      return [
        ["jsonrpc": "2.0", "method": "session/closed", "params": ["session": 3, "reason": "quota"]],
        FakeDaemon.result(id, [:]),
      ]
    case "silence": return []
    case "echo": return [FakeDaemon.result(id, params)]
    default:
      let error: JSON = [
        "code": 1004, "message": "No such field",
        "data": ["closest": "email", "errors": [["path": "/field", "expected": "a name"]]],
      ]
      return [["jsonrpc": "2.0", "id": id ?? .null, "error": error]]
    }
  }

  @Test(arguments: [1, 7, Int.max])
  func `a call returns its result however the bytes arrive`(bytesAtATime: Int) async throws {
    try await FakeDaemon.run(bytesAtATime: bytesAtATime, script: Self.script) { path in
      let connection = try FormConnection(to: SocketPath(path, namedBy: "the test"))
      for text in ["", "글", "a\nb", String(repeating: "x", count: 300)] {
        #expect(try connection.call("echo", ["text": .string(text)]) == ["text": .string(text)])
      }
    }
  }

  @Test func `a JSON-RPC error is thrown with its code, data and what was meant`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(to: SocketPath(path, namedBy: "the test"))
      let error = #expect(throws: ClientError.self) { try connection.call("no/such") }
      guard case .refused(let method, let remote)? = error else {
        Issue.record("not refused")
        return
      }
      #expect(method == "no/such" && remote.code == 1004)
      #expect(remote.description.contains("did you mean email?"))
      #expect(remote.description.contains("/field: expected a name"))
      // The connection goes on.
      #expect(try connection.call("echo", [:]) == [:])
    }
  }

  @Test func `a session's document is current when the answer to an input is there`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(to: SocketPath(path, namedBy: "the test"))
      let session = try FormSession(opening: "login", on: connection)
      #expect(session.values == ["a": 1])
      var events: [JSON] = []
      session.onChange = { change in
        if case .updated(_, let new, "field/change") = change { events += new }
      }
      try session.change("email", to: "kim@example.com")
      #expect(session.document == ["isValid": true])
      #expect(session.revision == 1)
      #expect(events.count == 1)
      #expect(session.isSettled)
    }
  }

  @Test func `lost updates make it ask for the document again`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let session = try FormSession(opening: "login", on: FormConnection(to: SocketPath(path, namedBy: "the test")))
      var replacements = 0
      session.onChange = { if case .replaced = $0 { replacements += 1 } }
      try session.input("field/blur", ["field": "email"])
      #expect(session.revision == 9)
      #expect(session.document == ["isPending": true])
      #expect(!session.isSettled)
      #expect(replacements == 1)
    }
  }

  @Test func `a session that the daemon closed knows it`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let session = try FormSession(opening: "login", on: FormConnection(to: SocketPath(path, namedBy: "the test")))
      try session.input("session/reset")
      #expect(session.isClosed)
    }
  }

  @Test func `an answer that does not come is a timeout`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(to: SocketPath(path, namedBy: "the test"))
      let error = #expect(throws: ClientError.self) { try connection.call("silence", timeout: .milliseconds(20)) }
      guard case .timeout? = error else {
        Issue.record("no timeout but \(String(describing: error))")
        return
      }
    }
  }

  @Test func `a connection that ends in the middle says so`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(to: SocketPath(path, namedBy: "the test"))
      let error = #expect(throws: ClientError.self) { try connection.call("die") }
      guard case .disconnected? = error else {
        Issue.record("not disconnected but \(String(describing: error))")
        return
      }
    }
  }

  @Test func `a daemon that is not running is told with how to start it`() {
    let error = #expect(throws: ClientError.self) {
      try FormConnection(to: SocketPath("/nonexistent/formd.sock", namedBy: "the test"))
    }
    #expect(error?.description.contains("formd serve --socket /nonexistent/formd.sock") == true)
    #expect(error?.description.contains("chosen by:       the test") == true)
  }

  @Test func `a private folder that is not the user's alone is not connected to`() {
    let path = SocketPath.standard(runtimeVariable: nil, userID: 3_999_999_998) { _ in false }
    let error = #expect(throws: ClientError.self) { try FormConnection(to: path) }
    #expect(error?.description.contains("there is no folder /tmp/formd-3999999998") == true)
    #expect(error?.description.contains("XDG_RUNTIME_DIR is not set") == true)
  }

  @Test func `a path that no address can hold is told with its remedy`() {
    let path = "/tmp/" + String(repeating: "x", count: 110)
    let error = #expect(throws: ClientError.self) { try FormConnection(to: SocketPath(path, namedBy: "the test")) }
    #expect(error?.description.contains("107") == true)
  }
}
