internal import Configuration
import FormProtocol
import JSON
import Server
import Sessions
import Testing

/// Several clients that have one session.
struct SharedSessionTests {
  @Test
  func `each sees every update once, its own before its answer`() throws {
    let daemon = TestDaemon()
    let (clients, _) = try daemon.share(among: 3)
    let mine = clients[1].client.request("field/change", ["field": "email", "value": "kim@example.com"])
    #expect(mine.map { $0["method"] ?? "answer" } == ["session/update", "answer"])
    #expect(mine[0].at("params", "values") == nil, "who sent it knows it")
    #expect(mine[0].at("params", "revision") == mine[1].at("result", "revision"))
    for other in [clients[0], clients[2]] {
      let theirs = other.client.messages()
      #expect(theirs.count == 1)
      #expect(theirs[0].at("params", "patch") == mine[0].at("params", "patch"))
      #expect(theirs[0].at("params", "values") == ["email": "kim@example.com"])
    }
  }

  @Test
  func `a secret that somebody enters is told to nobody`() throws {
    let daemon = TestDaemon()
    let (clients, key) = try daemon.share()
    clients[0].client.request("field/change", ["field": "password", "value": "hunter2"])
    let told = clients[1].client.messages()
    #expect(told.count == 1)
    #expect(!told.description.contains("hunter2"))
    #expect(told[0].at("params", "patch", "fields", "password", "isEmpty") == false)
    #expect(!clients[1].client.result("session/attach", ["key": key]).description.contains("hunter2"))
  }

  @Test
  func `a change that alters no cell is told to the others, and not to its sender`() throws {
    let daemon = TestDaemon()
    let (clients, _) = try daemon.share()
    clients[0].client.request("field/change", ["field": "email", "value": "kim@example.com"])
    clients[1].receive()
    let mine = clients[0].client.request("field/change", ["field": "email", "value": "lee@example.com"])
    #expect(mine.map { $0["method"] } == [nil])
    let theirs = clients[1].client.messages()
    #expect(theirs.map { $0.at("params", "values") } == [["email": "lee@example.com"]])
    #expect(theirs.first?.at("params", "patch") == [:])
    // Neither client sees a gap between revisions.
    let next = clients[0].client.request("field/change", ["field": "email", "value": "x"])
    #expect(next.first?.at("params", "from") == 1)
    #expect(clients[1].client.messages().first?.at("params", "from") == 2)
  }

  @Test
  func `two that type into one field see the same end`() throws {
    let daemon = TestDaemon()
    let (clients, _) = try daemon.share()
    // Both inputs are under way: each client knows only its own.
    clients[0].type("email", "a")
    clients[1].type("email", "b")
    #expect(clients.map { $0.shown["email"] } == ["a", "b"])
    clients[0].receive()
    clients[1].receive()
    #expect(clients.map { $0.shown["email"] } == ["b", "b"])
    clients[0].type("email", "c")
    #expect(clients.map { $0.client.messages().last?.at("params", "values") } == [["email": "c"], ["email": "c"]])
  }

  @Test
  func `one user alone is not told what it typed, again and again`() throws {
    let daemon = TestDaemon()
    let (clients, _) = try daemon.share()
    for text in ["a", "ab", "abc"] {
      let mine = clients[0].client.request("field/change", ["field": "email", "value": .string(text)])
      #expect(mine.allSatisfy { $0.at("params", "values") == nil })
    }
  }

  @Test
  func `rows that somebody inserts, changes, moves and removes are told to the others`() throws {
    let daemon = TestDaemon(catalog: TestForms.withPagesAndRows)
    let (clients, _) = try daemon.share("rows")
    func told() -> [JSON?] { clients[1].client.messages().map { $0.at("params", "values") } }
    clients[0].client.request("field/change", ["field": "/items/#3/sku", "value": "x"])
    #expect(told() == [["/items/#3/sku": "x"]])
    clients[0].client.request("field/move", ["field": "/items/#3", "to": 0])
    let moved: JSON = [["sku": "x"], [:], [:], [:], [:], [:], [:]]
    #expect(told() == [["items": moved]])
    clients[0].client.request("field/remove", ["field": "/items/#3"])
    #expect(told() == [["items": [[:], [:], [:], [:], [:], [:]]]])
    clients[0].client.request("field/change", ["field": "items", "value": [["sku": "y"]]])
    #expect(told().compactMap { $0?["items"] } == [[["sku": "y"]]])
  }

  @Test
  func `a list that one changes while the other is in a row ends the same for both`() throws {
    let daemon = TestDaemon(catalog: TestForms.withPagesAndRows)
    let (clients, _) = try daemon.share("rows")
    clients[0].client.request("field/insert", ["field": "items", "value": ["sku": "new"]])
    // The second client has not heard of the new list. It first gets the rows without its own change.
    let mine = clients[1].client.request("field/change", ["field": "/items/#1/sku", "value": "mine"])
    let told = mine.filter { $0["method"] == "session/update" }.map { $0.at("params", "values") }
    #expect(told.count == 2)
    #expect(told.last == ["/items/#1/sku": "mine"])
  }

  @Test
  func `values that a debounce holds back are told to those who did not send them`() throws {
    let daemon = TestDaemon()
    let (clients, _) = try daemon.share("timed", among: 3)
    clients[0].client.request("field/change", ["field": "term", "value": "a"])
    clients[1].client.request("field/change", ["field": "term", "value": "b"])
    daemon.advance(milliseconds: 300)
    #expect(clients.map { $0.client.messages().last?.at("params", "values") } == [["term": "b"], nil, ["term": "b"]])
    // A client that makes another client's value take effect gets that value, too.
    clients[0].client.request("field/change", ["field": "term", "value": "c"])
    let tapped = clients[2].client.request("action/tap", ["action": "go"])
    #expect(tapped.first?.at("params", "values") == ["term": "c"])
    // The previous value was another client's.
    #expect(clients[0].client.messages().last?.at("params", "values") == ["term": "c"])
  }

  @Test
  func `who typed what a debounce holds back is told what took its place, though nothing changed`() throws {
    let daemon = TestDaemon()
    let (clients, _) = try daemon.share("timed", among: 3)
    clients[0].client.request("field/change", ["field": "term", "value": "x"])
    daemon.advance(milliseconds: 300)
    for client in clients { client.receive() }
    clients[1].type("term", "y")
    clients[2].type("term", "z")
    clients[0].type("term", "x")
    daemon.advance(milliseconds: 300)
    for client in clients { client.receive() }
    #expect(clients.map { $0.shown["term"] } == ["x", "x", "x"])
  }

  @Test
  func `what a reset brings back is told to all`() throws {
    let daemon = TestDaemon()
    let (clients, _) = try daemon.share()
    clients[0].client.request("field/change", ["field": "email", "value": "a@b"])
    clients[1].receive()
    let mine = clients[1].client.request("session/reset")
    #expect(mine.first?.at("params", "absent") == ["email"])
    #expect(clients[0].client.messages().first?.at("params", "absent") == ["email"])
  }

  // MARK: Slow readers

  @Test
  func `a slow reader is held back alone, and catches up`() throws {
    let daemon = TestDaemon()
    let (clients, _) = try daemon.share(among: 3)
    let (fast, slow) = (clients[0], clients[2])
    slow.client.roomBytes = 0
    slow.client.send(#"{"jsonrpc":"2.0","id":900,"method":"server/ping"}"#)
    #expect(!slow.client.isReading)
    for text in ["a", "a@", "a@b"] {
      let mine = fast.client.request("field/change", ["field": "email", "value": .string(text)])
      fast.merge(mine)
      #expect(mine.last?["result"] != nil)
      #expect(clients[1].receive() == 1)
    }
    slow.client.drain()
    let caughtUp = slow.client.messages()
    #expect(caughtUp.map { $0["id"] ?? $0["method"] } == [900, "session/update"])
    #expect(caughtUp.last?.at("params", "values") == ["email": "a@b"])
    slow.merge(caughtUp)
    #expect(slow.document == fast.document)
    #expect(clients[1].document == fast.document)
    #expect(daemon.server.memory.queued == 0)
  }

  @Test
  func `a first client that reads nothing stops neither timers nor effects`() throws {
    let daemon = TestDaemon()
    let (clients, _) = try daemon.share("timed")
    clients[0].client.roomBytes = 0
    clients[0].client.send(#"{"jsonrpc":"2.0","id":900,"method":"server/ping"}"#)
    clients[1].client.request("field/change", ["field": "term", "value": "abc"])
    daemon.advance(milliseconds: 300)
    #expect(clients[1].client.messages().last?.at("params", "patch", "outputs", "echo") == "abc")
    // The slow reader is disconnected, and the session goes on.
    daemon.advance(milliseconds: 20_000)
    #expect(clients[0].client.isAborted)
    #expect(clients[1].client.result("session/get").at("document", "outputs", "echo") == "abc")
  }

  @Test
  func `what is held back for a client that goes is given back`() throws {
    let daemon = TestDaemon()
    let (clients, _) = try daemon.share()
    clients[1].client.roomBytes = 0
    clients[1].client.send(#"{"jsonrpc":"2.0","id":900,"method":"server/ping"}"#)
    clients[0].client.request("field/change", ["field": "email", "value": .string(String(repeating: "x", count: 500))])
    #expect(daemon.server.memory.queued > 0)
    clients[1].client.connection.closed()
    #expect(daemon.server.memory.queued == 0)
  }

  // MARK: Waiting

  @Test
  func `a tap that waits is answered though another client's input ends it`() throws {
    let daemon = TestDaemon()
    let (clients, _) = try daemon.share()
    clients[0].client.request("field/change", ["values": ["email": "a@b", "password": "p"]])
    clients[1].client.send(#"{"jsonrpc":"2.0","id":50,"method":"action/tap","params":{"action":"login","await":true}}"#)
    // The client has sent all its messages, and waits for the tap's answer.
    clients[1].client.connection.inputEnded()
    #expect(!clients[1].client.isClosing)
    clients[0].client.request("session/reset")
    let answer = clients[1].client.messages().last
    #expect(answer?["id"] == 50)
    #expect(answer?.at("result", "event", "kind") == "superseded")
    #expect(clients[1].client.isClosing)
  }

  @Test
  func `one closes for all`() throws {
    let daemon = TestDaemon()
    let (clients, key) = try daemon.share(among: 3)
    clients[0].merge(clients[0].client.request("field/change", ["values": ["email": "a@b", "password": "p"]]))
    for client in clients { client.receive() }
    clients[1].client.send(#"{"jsonrpc":"2.0","id":50,"method":"action/tap","params":{"action":"login","await":true}}"#)
    clients[2].client.roomBytes = 0
    clients[2].client.send(#"{"jsonrpc":"2.0","id":900,"method":"server/ping"}"#)
    for client in clients.dropLast() { client.receive() }
    clients[0].client.request("field/change", ["field": "email", "value": "x"])
    clients[1].receive()
    let session = clients[0].session
    #expect(clients[0].client.result("session/close") == ["session": session])
    let closed: JSON = ["session": session, "reason": "closed"]
    let second = clients[1].client.messages()
    #expect(second.map { $0.at("error", "data", "reason") ?? $0["params"] } == ["sessionClosed", closed])
    clients[2].client.drain()
    let third = clients[2].client.messages()
    #expect(third.map { $0["method"] } == ["session/update", nil, "session/update", "session/closed"])
    #expect(third.last?["params"] == closed)
    for client in clients { #expect(client.client.error("session/attach", ["key": key])["code"] == 1001) }
    #expect(daemon.effects.isEmpty)
    #expect(daemon.server.memory.total == 0)
    #expect(clients[0].client.result("server/stats")["sessions"] == 0)
  }

  // MARK: Coming and going

  @Test
  func `attaching twice is attaching once`() throws {
    let daemon = TestDaemon()
    let (clients, key) = try daemon.share()
    #expect(clients[1].client.result("session/attach", ["key": key])["session"] == clients[1].session)
    clients[0].client.request("field/change", ["field": "email", "value": "a@b"])
    #expect(clients[1].client.messages().count == 1)
    #expect(clients[1].client.result("session/list")["sessions"]?.arrayValue?.count == 1)
    clients[1].client.result("session/detach")
    #expect(clients[1].client.error("session/get")["code"] == 1001)
    clients[0].client.request("field/change", ["field": "email", "value": "x"])
    #expect(clients[1].client.messages().isEmpty)
  }

  @Test
  func `an older session stands among newer ones of a connection`() throws {
    let daemon = TestDaemon()
    let (clients, key) = try daemon.share(among: 1)
    let other = daemon.connect()
    let newer = [other.open("login"), other.open("ask")]
    other.result("session/attach", ["key": key])
    let listed = other.result("session/list")["sessions"]?.arrayValue?.compactMap { $0["session"]?.integerValue }
    #expect(listed == [clients[0].session.integerValue ?? 0] + newer)
    for number in listed ?? [] {
      #expect(other.result("session/get", ["session": .integer(number)])["session"] == .integer(number))
    }
  }

  @Test
  func `a field is edited while any client is in it`() throws {
    let daemon = TestDaemon()
    let (clients, _) = try daemon.share()
    func message() -> JSON? { clients[0].client.result("session/get").at("document", "messages", "email") }
    clients[0].client.request("field/change", ["field": "email", "value": "kim"])
    clients[1].client.request("field/focus", ["field": "email"])
    #expect(clients[0].client.request("field/blur", ["field": "email"]).last?.at("result", "revision") != nil)
    #expect(message() == nil)
    clients[1].client.request("field/blur", ["field": "email"])
    #expect(message() == "no address")
  }

  @Test
  func `the end of a client leaves the fields that it alone was in`() throws {
    let daemon = TestDaemon()
    let (clients, _) = try daemon.share(among: 3)
    // Both clients have changed the email. Only the first client has entered the password.
    clients[0].client.request("field/change", ["field": "email", "value": "kim"])
    clients[0].client.request("field/focus", ["field": "password"])
    clients[1].client.request("field/change", ["field": "email", "value": "lee"])
    func fields() -> [JSON?] {
      let document = clients[2].client.result("session/get")["document"]
      return ["email", "password"].map { document?.at("fields", $0, "isTouched") }
    }
    clients[0].client.connection.closed()
    #expect(fields() == [false, true])
    #expect(clients[2].client.result("session/get").at("document", "messages", "email") == nil)
    clients[1].client.connection.closed()
    #expect(fields() == [true, true])
    #expect(clients[2].client.result("session/get").at("document", "messages", "email") == "no address")
  }

  @Test
  func `the fields that the only user is in stay edited when another one comes and goes`() throws {
    let daemon = TestDaemon()
    let (clients, key) = try daemon.share(among: 1)
    clients[0].client.request("field/change", ["field": "email", "value": "kim"])
    let other = daemon.connect()
    other.result("session/attach", ["key": key])
    other.connection.closed()
    #expect(clients[0].client.result("session/get").at("document", "messages") == [:])
    clients[0].client.request("field/blur", ["field": "email"])
    #expect(clients[0].client.result("session/get").at("document", "messages", "email") == "no address")
  }

  @Test
  func `a session counts for who has it longest, and for the next one when that goes`() throws {
    let daemon = TestDaemon { $0.limits[.valueBytesPerConnectionMax] = 10_000 }
    let (clients, _) = try daemon.share()
    let long = JSON.string(String(repeating: "x", count: 6_000))
    clients[1].client.open("login")
    clients[1].client.request("field/change", ["session": 2, "field": "email", "value": long])
    // The second client has little room left, but the session counts for the first client.
    let shared = clients[0].session
    #expect(
      clients[1].client.request("field/change", ["session": shared, "field": "email", "value": long]).last?["result"]
        != nil
    )
    clients[0].client.connection.closed()
    let more = clients[1].client.error("field/change", ["session": shared, "field": "password", "value": "x"])
    #expect(more.at("data", "limit") == "valueBytesPerConnectionMax")
    clients[1].client.result("session/close", ["session": shared])
    #expect(daemon.server.memory.values < 7_000)
    clients[1].client.connection.closed()
    #expect(daemon.server.memory.total == 0)
  }
}
