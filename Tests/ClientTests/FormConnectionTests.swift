internal import Client
internal import Testing

#if canImport(Glibc)
  internal import Glibc
#endif

struct FormConnectionTests {
  /// Answers as a daemon would for one session; leaving a field makes it drop updates and say so, resetting makes it
  /// close the session.
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
      // The client ignores the patch of the second update, but not its event.
      let update = FakeDaemon.update([
        "session": 3, "revision": 9, "from": 8, "cause": "effect", "patch": ["isValid": "stale"],
        "events": [["seq": 4, "action": "login", "kind": "failed"]],
      ])
      return [
        FakeDaemon.notification("session/desync", ["session": 3, "revision": 8, "eventsLost": 2]), update,
        FakeDaemon.result(id, ["revision": 9]),
      ]
    case "session/get":
      return [
        FakeDaemon.result(
          id,
          ["session": 3, "form": "login", "revision": 9, "document": ["isPending": true], "values": ["a": 2]]
        )
      ]
    case "session/reset":
      return [
        FakeDaemon.notification("server/draining", ["withinMs": 5000]),
        FakeDaemon.notification("server/new", ["a": 1]),
        FakeDaemon.notification("session/closed", ["session": 3, "reason": "draining"]),
        FakeDaemon.result(id, ["revision": 9]),
      ]
    case "field/focus":
      let update = FakeDaemon.update([
        "session": 3, "revision": 1, "from": 0, "cause": "field/paste", "patch": ["isValid": true], "mood": "good",
        "events": [["seq": 1, "action": "login", "kind": "postponed"]],
      ])
      return [update, FakeDaemon.result(id, ["revision": 1])]
    case "action/tap":
      return [
        FakeDaemon.notification("session/closed", ["session": 3, "reason": "mood"]),
        FakeDaemon.result(id, ["revision": 1, "outcome": "postponed"]),
      ]
    case "step/show":
      let update = FakeDaemon.update([
        "session": 3, "revision": 1, "from": 0, "cause": "step/show", "patch": ["step": "two"],
        "values": ["a": 7, "/b/c": [1]], "absent": ["gone", "/b/d"],
      ])
      return [update, FakeDaemon.result(id, ["revision": 1])]
    case "form/describe":
      // The title contains the params of the request.
      let answer: JSON = [
        "form": "login", "title": .string(params.description), "actions": [], "outputs": [],
        "fields": [
          [
            "name": "a", "address": "a", "type": "string", "show": "later", "isSecret": false, "isRequired": true,
            "maxLength": 5, "options": [["value": 1, "label": "One"]], "extensions": ["x-a": 1],
          ]
        ],
      ]
      return [FakeDaemon.result(id, answer)]
    case "form/schema": return [FakeDaemon.result(id, ["form": "login", "schema": params])]
    case "forms/watch":
      let problem: JSON = [
        "file": "a.form.json", "path": "/rules/0", "line": 3, "column": 7, "severity": "error", "code": "expression",
        "message": "wrong",
      ]
      return [
        FakeDaemon.result(id, ["forms": ["a"], "problems": []]),
        FakeDaemon.notification("forms/changed", ["forms": ["a", "b"], "problems": [problem]]),
      ]
    case "session/close", "session/detach": return [FakeDaemon.result(id, ["session": 3])]
    case "session/attach":
      let answer: JSON = [
        "session": 3, "form": "login", "revision": 7, "document": ["isValid": true], "values": ["a": 3], "events": [],
        "eventsLost": 0,
      ]
      return [FakeDaemon.result(id, answer)]
    case "server/info": return [FakeDaemon.result(id, ["name": 1])]
    case "silence": return []
    case "nonsense": return ["no message"]
    case "echo": return [FakeDaemon.result(id, params)]
    default:
      let error: JSON = [
        "code": 1004, "message": "No such field",
        "data": ["closest": "email", "errors": [["path": "/field", "code": "value", "expected": "a name"]]],
      ]
      return [["jsonrpc": "2.0", "id": id ?? .null, "error": error]]
    }
  }

  @Test(arguments: [1, 7, Int.max])
  func `a call returns its result however the bytes arrive`(bytesAtATime: Int) async throws {
    try await FakeDaemon.run(bytesAtATime: bytesAtATime, script: Self.script) { path in
      let connection = try FormConnection(to: SocketPath(path, namedBy: "the test"))
      for text in ["", "글", "a\nb", String(repeating: "x", count: 300)] {
        #expect(try connection.call(method: "echo", params: ["text": .string(text)]) == ["text": .string(text)])
      }
    }
  }

  @Test func `an error is thrown with its code, data and what was meant`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(socketPath: path)
      let error = #expect(throws: ClientError.self) { try connection.call(method: "no/such") }
      guard case .refused(let method, let remote)? = error else {
        Issue.record("not refused")
        return
      }
      #expect(method == "no/such" && remote.code == 1004 && remote.data.closest == "email")
      #expect(remote.description.contains("did you mean email?"))
      #expect(remote.description.contains("/field: expected a name"))
      // The connection goes on.
      #expect(try connection.call(method: "echo") == [:])
    }
  }

  @Test func `a session that was left is open again when it is attached to`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(socketPath: path)
      let session = try connection.attach("key")
      try session.detach()
      #expect(session.isClosed)
      let again = try connection.attach("key")
      #expect(!again.isClosed)
      #expect(again.revision == 7)
      try again.close()
      #expect(again.isClosed)
    }
  }

  @Test func `a session's document is current when the answer to an input is there`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(socketPath: path)
      let session = try connection.open("login")
      #expect(session.values == ["a": 1])
      var kinds: [EventKind?] = []
      session.onChange = { change in
        if case .updated(_, let events, .fieldChange) = change { kinds += events.map(\.kind) }
      }
      try session.change("email", to: "kim@example.com")
      #expect(session.document.json == ["isValid": true])
      #expect(session.revision == 1)
      #expect(kinds == [.succeeded])
      #expect(session.document.isSettled)
    }
  }

  @Test func `lost updates make it ask for the document again, and no event that came is lost`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let session = try FormConnection(socketPath: path).open("login")
      var lost: [Int] = []
      var patches: [JSON] = []
      var kinds: [EventKind?] = []
      session.onChange = { change in
        switch change {
        case .updated(let patch, let events, _):
          patches.append(patch)
          kinds += events.map(\.kind)
        case .valuesTold: Issue.record("told")
        case .replaced(let eventsLost): lost.append(eventsLost)
        case .closed, .lost: Issue.record("\(change)")
        }
      }
      try session.blur("email")
      #expect(session.revision == 9)
      #expect(session.document.json == ["isPending": true])
      #expect(session.values == ["a": 2])
      #expect(!session.document.isSettled)
      #expect(lost == [2])
      #expect(patches == [[:]] && kinds == [.failed])
    }
  }

  @Test func `a session that the daemon closed knows it, and what is about no session goes to the connection`()
    async throws
  {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(socketPath: path)
      var notices: [String] = []
      connection.onNotice = { notice in
        switch notice {
        case .draining(let time): notices.append("draining \(time)")
        case .formsChanged(let forms): notices.append("forms \(forms.forms) \(forms.problems)")
        case .reconnected: Issue.record("reconnected")
        case .other(let method, let params): notices.append("\(method) \(params)")
        }
      }
      let session = try connection.open("login")
      var reasons: [SessionClosed.Reason?] = []
      session.onChange = { if case .closed(let reason) = $0 { reasons.append(reason) } }
      try session.reset()
      #expect(session.isClosed)
      #expect(reasons == [.draining])
      #expect(notices == ["draining 5.0 seconds", #"server/new {"a":1}"#])
    }
  }

  @Test func `a form is described by its name, by a definition and by a session`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(socketPath: path)
      let session = try connection.open("login")
      let described = try connection.describe("login", locale: "ko")
      #expect(described.title == #"{"form":"login","locale":"ko"}"#)
      let field = try #require(described.fields.first)
      #expect(field.maxLength == 5 && field.extensions == ["x-a": 1] && field.show == nil)
      #expect(field.options.map(\.label) == ["One"])
      #expect(try connection.describe(definition: ["schema": [:]]).title == #"{"definition":{"schema":{}}}"#)
      #expect(try session.describe(locale: "en").title == #"{"session":3,"locale":"en"}"#)
      #expect(try connection.schema("login") == ["form": "login"])
      #expect(try connection.schema(definition: ["schema": [:]], locale: "ko").names == ["definition", "locale"])
      #expect(try session.schema() == ["session": 3])
    }
  }

  @Test func `who watches the forms is told of them by a notice`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(socketPath: path)
      var notices: [String] = []
      connection.onNotice = { notice in
        if case .formsChanged(let forms) = notice { notices.append("\(forms.forms) \(forms.problems)") }
      }
      #expect(try connection.watchForms().forms == ["a"])
      // The next call takes in the messages that the daemon wrote after the answer.
      _ = try connection.call(method: "echo")
      #expect(notices == [#"["a", "b"] [a.form.json:3:7: error: wrong [/rules/0]]"#])
    }
  }

  @Test func `names that only a later daemon knows are nil, and what they came with counts`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let session = try FormConnection(socketPath: path).open("login")
      var changes: [String] = []
      session.onChange = { change in
        switch change {
        case .updated(let patch, let events, let cause):
          let kinds = events.map { "\($0.action) \(String(describing: $0.kind))" }
          changes.append("\(patch) \(kinds) \(String(describing: cause))")
        case .valuesTold, .replaced, .lost: Issue.record("\(change)")
        case .closed(let reason): changes.append("closed \(String(describing: reason))")
        }
      }
      try session.focus("email")
      #expect(session.document.json == ["isValid": true] && session.revision == 1)
      let answer = try session.tap("login")
      #expect(answer.revision == 1 && answer.outcome == nil && session.isClosed)
      #expect(changes == [#"{"isValid":true} ["login nil"] nil"#, "closed nil"])
    }
  }

  @Test func `values that moved by themselves are told before the update, and kept`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let session = try FormConnection(socketPath: path).open("login")
      var changes: [String] = []
      session.onChange = { change in
        switch change {
        case .valuesTold(let values, let absent): changes.append("\(JSON.object(values)) \(absent)")
        case .updated(let patch, _, _): changes.append("\(patch)")
        case .replaced, .closed, .lost: Issue.record("\(change)")
        }
      }
      try session.show(step: "two")
      #expect(changes == [#"{"a":7,"/b/c":[1]} ["gone", "/b/d"]"#, #"{"step":"two"}"#])
      #expect(session.values == ["a": 7, "b": ["c": [1]]] && session.document.step == "two")
    }
  }

  @Test func `a session that is closed is closed`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let session = try FormConnection(socketPath: path).open("login")
      try session.close()
      #expect(session.isClosed)
    }
  }

  @Test func `all that goes over the socket can be heard`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(socketPath: path)
      let session = try connection.open("login")
      var kinds: [FormConnection.TextKind] = []
      connection.onText = { kind, text in
        kinds.append(kind)
        #expect(!text.contains("\n") && text.hasPrefix("{"))
      }
      try session.change("email", to: "x")
      #expect(kinds == [.sent, .notification, .answer])
    }
  }

  @Test(arguments: ["server/info", "nonsense"])
  func `an answer that the protocol does not know is told`(method: String) async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(socketPath: path)
      let error = #expect(throws: ClientError.self) {
        if method == "server/info" { _ = try connection.info() } else { _ = try connection.call(method: method) }
      }
      guard case .protocolViolation? = error else {
        Issue.record("no violation but \(String(describing: error))")
        return
      }
    }
  }

  @Test func `an answer that does not come is a timeout`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(socketPath: path)
      let error = #expect(throws: ClientError.self) {
        try connection.call(method: "silence", timeout: .milliseconds(20))
      }
      guard case .timeout? = error else {
        Issue.record("no timeout but \(String(describing: error))")
        return
      }
    }
  }

  @Test func `a connection that ends in the middle says so`() async throws {
    try await FakeDaemon.run(script: Self.script) { path in
      let connection = try FormConnection(socketPath: path)
      let error = #expect(throws: ClientError.self) { try connection.call(method: "die") }
      guard case .disconnected? = error else {
        Issue.record("not disconnected but \(String(describing: error))")
        return
      }
    }
  }

  @Test(arguments: [
    (#"{"jsonrpc":"2.0","id":null,"error":{"code":1013,"message":"A client has ended this connection"}}"#, "(1013)"),
    (
      #"{"jsonrpc":"2.0","id":null,"error":{"code":1011,"message":"Overloaded","data":{"limit":"connectionsMax","value":3,"retryAfterMs":1000}}}"#,
      "connectionsMax"
    ),
    (#"{"jsonrpc":"2.0","method":"server/draining","params":{"withinMs":100}}"#, "the daemon is ending"),
  ])
  func `a connection that the daemon has ended says why`(text: String, words: String) throws {
    var ends: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let connection = FormConnection(connected: ends[0], named: "the daemon")
    let line = Array("\(text)\n".utf8)
    try #require(write(ends[1], line, line.count) == line.count)
    close(ends[1])
    let error = #expect(throws: ClientError.self) { try connection.ping() }
    guard case .disconnected(_, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains(words))
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

  @Test(arguments: [("/tmp/" + String(repeating: "x", count: 110), "107"), ("", "the socket's path is empty")])
  func `a path that no socket can have is told with its remedy`(path: String, words: String) {
    let error = #expect(throws: ClientError.self) { try FormConnection(socketPath: path) }
    #expect(error?.description.contains(words) == true)
  }
}
