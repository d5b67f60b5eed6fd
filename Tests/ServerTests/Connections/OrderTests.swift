import JSON
import Server
import Sessions
import Testing

struct OrderTests {
  @Test
  func `an update comes before the answer of the input that caused it, and the answer has its revision`() {
    let client = TestDaemon().connect()
    client.open("login")
    for (field, value) in [("email", "kim@x"), ("password", "p"), ("email", "kim")] {
      let messages = client.request("field/change", ["field": .string(field), "value": .string(value)])
      #expect(messages.count == 2)
      #expect(messages.first?["method"] == "session/update")
      #expect(messages.first?.at("params", "cause") == "field/change")
      #expect(messages.first?.at("params", "revision") == messages.last?.at("result", "revision"))
    }
  }

  @Test
  func `a turn that changes nothing sends nothing but its answer`() {
    let client = TestDaemon().connect()
    client.open("login")
    client.request("field/change", ["field": "email", "value": "kim"])
    let messages = client.request("field/change", ["field": "email", "value": "kit"])
    #expect(messages.count == 1)
    #expect(messages.first?.at("result", "revision") == 1)
  }

  @Test
  func `there is never a gap between from and revision, and merging patches gives the document`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    var document = client.result("session/open", ["form": "login"])["document"] ?? .null
    var revision: JSON = 0
    let inputs: [(String, JSON)] = [
      ("field/focus", ["field": "email"]), ("field/change", ["field": "email", "value": "kim"]),
      ("field/blur", ["field": "email"]), ("action/tap", ["action": "login"]),
      ("field/change", ["values": ["email": "kim@x.y", "password": "hunter2"]]), ("action/tap", ["action": "login"]),
      ("action/tap", ["action": "login"]), ("session/reset", [:]),
      ("field/change", ["field": "email", "value": "a@b", "commit": true]),
    ]
    for (method, params) in inputs {
      for message in client.request(method, params) where message["method"] == "session/update" {
        #expect(message.at("params", "from") == revision)
        revision = message.at("params", "revision") ?? .null
        document.merge(message.at("params", "patch") ?? .null)
      }
      #expect(client.result("session/get")["document"] == document, "\(method)")
      #expect(client.result("session/get")["revision"] == revision, "\(method)")
    }
  }

  @Test
  func `a burst is answered in order and in one piece`() {
    let client = TestDaemon().connect()
    client.open("login")
    let writes = client.writes
    var burst: [UInt8] = []
    for id in 1...16 {
      let value = id % 2 == 0 ? "kim" : "kim@x"
      burst +=
        Array(
          #"{"jsonrpc":"2.0","id":\#(id),"method":"field/change","params":{"field":"email","value":"\#(value)"}}"#.utf8
        ) + [0x0a]
    }
    client.send(burst)
    #expect(client.writes == writes + 1)
    #expect(client.messages().compactMap { $0["id"]?.integerValue } == Array(1...16))
  }

  @Test
  func `a batch is as if pipelined: its updates come first, then all answers`() {
    let client = TestDaemon().connect()
    client.open("login")
    client.send(
      #"[{"jsonrpc":"2.0","id":1,"method":"field/change","params":{"field":"email","value":"a@b"}},{"jsonrpc":"2.0","method":"field/change","params":{"field":"nope","value":1}},{"jsonrpc":"2.0","id":2,"method":"field/change","params":{"field":"password","value":"p"}}]"#
    )
    let messages = client.messages()
    #expect(messages.map { $0["method"] } == ["session/update", "server/rejected", "session/update", nil])
    #expect(messages.last?.arrayValue?.map { $0["id"] } == [1, 2])
  }

  @Test
  func `an awaited tap is answered behind the update that has its event`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    let first = client.request("action/tap", ["action": "login", "await": true])
    #expect(first.map { $0["method"] } == ["session/update"])
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"]))
    let then = client.messages()
    #expect(then.count == 2)
    #expect(then.first?.at("params", "cause") == "effect")
    #expect(then.last?.at("result", "event", "result") == ["name": "Kim"])
    #expect(then.last?.at("result", "revision") == then.first?.at("params", "revision"))
  }

  @Test
  func `an awaited tap that the form refuses is answered at once, and is no error`() {
    let client = TestDaemon().connect()
    client.open("login")
    let messages = client.request("action/tap", ["action": "login", "await": true])
    #expect(messages.last?.at("result", "event", "kind") == "rejected")
    let plain = client.request("action/tap", ["action": "login"])
    #expect(plain.last?.at("result", "outcome") == "rejected")
    #expect(plain.last?.at("result", "run") == nil)
    #expect(plain.last?.at("result", "blockers")?.arrayValue?.isEmpty == false)
  }

  @Test
  func `an awaited tap that a throttle swallows is answered dropped and without event, when the throttle swallows it`()
  {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.result(
      "session/open",
      [
        "definition": [
          "schema": ["type": "object", "properties": ["a": [:]]],
          "actions": ["lead": ["throttle": "1s"], "both": ["throttle": ["every": "1s", "edges": "both"]]],
        ]
      ]
    )
    let tap: (JSON, JSON) -> [JSON] = { client.request("action/tap", ["action": $0, "await": $1]) }
    #expect(tap("lead", false).count == 2 && tap("both", false).count == 2)
    let dropped = tap("lead", true)
    #expect(dropped.map { $0["result"] } == [["revision": 2, "outcome": "dropped"]])
    #expect(tap("both", true).isEmpty)
    let held = tap("both", true)
    #expect(held.map { $0["result"] } == [["revision": 2, "outcome": "dropped"]])
    daemon.advance(milliseconds: 1_000)
    let then = client.messages()
    #expect(then.map { $0["method"] } == ["session/update", nil])
    #expect(then.last?.at("result", "event", "kind") == "succeeded")
  }

  @Test
  func `a cancelled request is answered with -32800 and what it started goes on`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.open("login")
    client.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    client.send(#"{"jsonrpc":"2.0","id":"tap","method":"action/tap","params":{"action":"login","await":true}}"#)
    _ = client.messages()
    let messages = client.notify("$/cancelRequest", ["id": "tap"])
    #expect(messages.map { $0.at("error", "code") } == [-32800])
    #expect(client.notify("$/cancelRequest", ["id": "tap"]).isEmpty)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"]))
    let update = client.messages()
    #expect(update.count == 1)
    #expect(update.first?.at("params", "events")?.arrayValue?.first?["kind"] == "succeeded")
  }

  @Test
  func `an input as a notification is not answered, and a refused one is told`() {
    let client = TestDaemon().connect()
    client.open("login")
    #expect(client.notify("field/change", ["field": "email", "value": "x"]).map { $0["method"] } == ["session/update"])
    let refused = client.notify("field/change", ["field": "emial", "value": "x"])
    #expect(refused.map { $0["method"] } == ["server/rejected"])
    #expect(refused.first?.at("params", "method") == "field/change")
    #expect(refused.first?.at("params", "error", "code") == 1004)
    #expect(refused.first?.at("params", "error", "data", "closest") == "email")
  }

  @Test
  func `a debounced value takes effect when its time has come`() {
    let daemon = TestDaemon()
    let client = daemon.connect()
    client.open("timed")
    #expect(client.request("field/change", ["field": "term", "value": "abc"]).count == 1)
    daemon.advance(milliseconds: 299)
    #expect(client.messages().isEmpty)
    daemon.advance(milliseconds: 1)
    let messages = client.messages()
    #expect(messages.first?.at("params", "cause") == "timer")
    #expect(messages.first?.at("params", "patch", "outputs", "echo") == "abc")
  }
}
