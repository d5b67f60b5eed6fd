import FormProtocol
import Forms
import JSON
import Server
import Sessions
import Testing

/// Kept sessions whose forms are reloaded while no client is attached.
struct MigratedSessionTests {
  private static func login(version: Int, field: String) -> Form {
    TestForms.form(
      """
      { "form": "login", "version": \(version),
        "schema": { "type": "object", "additionalProperties": false, "properties": {
          "email": { "type": "string" }, "password": { "type": "string", "writeOnly": true }, "\(field)": { "type": "string" } } },
        "actions": { "login": { "flight": "drop",
          "run": { "http": { "service": "accounts", "method": "POST", "path": "/login", "json": {"password": "values.password"} } },
          "outcomes": [ { "when": "response.kind == 'ok'", "success": "response.body" }, { "failure": "response.kind" } ] } },
        "outputs": { "edition": "'\(field)'" } }
      """
    )
  }

  private static func edition(_ attached: JSON) -> JSON? { attached.at("document", "outputs", "edition") }

  @Test
  func `who comes back finds the form as it is now, with what was entered, and is told so`() throws {
    let daemon = TestDaemon(catalog: FormCatalog([Self.login(version: 1, field: "old")]))
    let client = daemon.connect()
    let (key, session) = try client.openKept()
    client.request("field/change", ["values": ["email": "a@b", "password": "secret", "old": "x"]])
    let tapped = client.request("action/tap", ["action": "login"])
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"]))
    client.connection.closed()
    daemon.server.reload(FormCatalog([Self.login(version: 2, field: "new")]))
    let second = daemon.connect()
    let attached = second.result("session/attach", ["key": key, "seq": 0])
    #expect(attached["isMigrated"] == true && attached["session"] == session)
    #expect(Self.edition(attached) == "new")
    #expect(attached["values"] == ["email": "a@b"])
    #expect(attached.at("document", "actions", "login", "result") == ["name": "Kim"])
    #expect(attached["events"]?.arrayValue?.map { $0["kind"] } == ["succeeded"])
    let revision = try #require(attached["revision"]?.integerValue)
    #expect(revision > tapped.last?.at("result", "revision")?.integerValue ?? .max)
    // The session goes on: its updates have the next revisions, and it still has the secret.
    let changed = second.request("field/change", ["field": "new", "value": "y"])
    #expect(changed.first?.at("params", "from") == .integer(revision))
    #expect(changed.last?.at("result", "revision") == .integer(revision + 1))
    second.request("action/tap", ["action": "login"])
    guard case .http(let request)? = daemon.effects.last?.effect.request else {
      Issue.record("no request was sent")
      return
    }
    #expect(request.json == ["password": "secret"])
    // A later attach gets the session that was migrated before.
    let third = daemon.connect().result("session/attach", ["key": key])
    #expect(third["isMigrated"] == nil && Self.edition(third) == "new")
  }

  @Test
  func `a session that somebody has keeps its form until nobody has it`() throws {
    let daemon = TestDaemon(catalog: FormCatalog([Self.login(version: 1, field: "old")]))
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    daemon.server.reload(FormCatalog([Self.login(version: 1, field: "new")]))
    let second = daemon.connect()
    let beside = second.result("session/attach", ["key": key])
    #expect(beside["isMigrated"] == nil && Self.edition(beside) == "old")
    client.result("session/detach")
    #expect(Self.edition(client.result("session/attach", ["key": key])) == "old")
    client.connection.closed()
    second.result("session/detach")
    let alone = second.result("session/attach", ["key": key])
    #expect(alone["isMigrated"] == true && Self.edition(alone) == "new")
  }

  @Test
  func `a session whose action runs keeps its form until the action has ended`() throws {
    let daemon = TestDaemon(catalog: FormCatalog([Self.login(version: 1, field: "old")]))
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    client.request("action/tap", ["action": "login"])
    client.connection.closed()
    daemon.server.reload(FormCatalog([Self.login(version: 2, field: "new")]))
    let second = daemon.connect()
    #expect(Self.edition(second.result("session/attach", ["key": key])) == "old")
    second.result("session/detach")
    #expect(daemon.effects.count == 1, "the run goes on")
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"]))
    let attached = second.result("session/attach", ["key": key])
    #expect(attached["isMigrated"] == true && Self.edition(attached) == "new")
  }

  @Test
  func `a tap that is held back keeps the form, and the session`() throws {
    let held = { (output: String) in
      TestForms.form(
        """
        { "form": "login", "schema": { "type": "object", "properties": { "email": { "type": "string" } } },
          "actions": { "go": { "debounce": "2m" } }, "outputs": { "edition": "'\(output)'" } }
        """
      )
    }
    let daemon = TestDaemon(catalog: FormCatalog([held("old")]))
    let client = daemon.connect()
    let (key, _) = try client.openKept(["form": "login", "keep": "1m"])
    client.request("action/tap", ["action": "go"])
    client.connection.closed()
    daemon.server.reload(FormCatalog([held("new")]))
    daemon.advance(milliseconds: 90_000)
    let second = daemon.connect()
    #expect(Self.edition(second.result("session/attach", ["key": key])) == "old")
    second.result("session/detach")
    daemon.advance(milliseconds: 30_000)
    let attached = second.result("session/attach", ["key": key, "seq": 0])
    #expect(Self.edition(attached) == "new" && attached["events"]?.arrayValue?.count == 1)
  }

  @Test
  func `an older version, the same definition, and no form at all change nothing`() throws {
    let daemon = TestDaemon(catalog: FormCatalog([Self.login(version: 2, field: "old")]))
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    client.result("session/detach")
    for forms in [[Self.login(version: 1, field: "new")], [Self.login(version: 2, field: "old")], []] {
      daemon.server.reload(FormCatalog(forms))
      let attached = client.result("session/attach", ["key": key])
      #expect(attached["isMigrated"] == nil && Self.edition(attached) == "old")
      client.result("session/detach")
    }
  }

  @Test
  func `a definition that was brought along follows no form of its name`() throws {
    let daemon = TestDaemon(catalog: FormCatalog([Self.login(version: 1, field: "new")]))
    let client = daemon.connect()
    let definition: JSON = ["form": "login", "schema": ["properties": ["x": [:]]], "outputs": ["edition": "'own'"]]
    let (key, _) = try client.openKept(["definition": definition, "keep": "10m"])
    client.connection.closed()
    let attached = daemon.connect().result("session/attach", ["key": key])
    #expect(attached["isMigrated"] == nil && Self.edition(attached) == "own")
  }

  @Test
  func `checks that are under way ask again, and answers to the earlier ones come to nothing`() throws {
    let checked = { (output: String) in
      TestForms.form(
        """
        { "form": "login", "schema": { "type": "object", "properties": { "code": { "type": "string" } } },
          "checks": [ { "id": "known", "field": "code",
            "run": { "http": { "service": "codes", "method": "GET", "path": "/known" } },
            "outcomes": [ { "when": "response.kind == 'ok'", "valid": true }, { "code": "unknown" } ] } ],
          "outputs": { "edition": "'\(output)'" } }
        """
      )
    }
    let daemon = TestDaemon(catalog: FormCatalog([checked("old")]))
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    client.request("field/change", ["field": "code", "value": "a", "commit": true])
    client.connection.closed()
    #expect(daemon.effects.count == 1)
    daemon.server.reload(FormCatalog([checked("new")]))
    let second = daemon.connect()
    let attached = second.result("session/attach", ["key": key])
    #expect(attached.at("document", "isPending") == true && Self.edition(attached) == "new")
    #expect(daemon.effects.count == 1 && daemon.cancelled == 1)
    daemon.answerEffect(EffectResponse(kind: .ok, status: 200, body: .null))
    #expect(second.result("session/get").at("document", "isPending") == false)
  }

  @Test
  func `what it counted for is given back when it ends`() throws {
    let daemon = TestDaemon(catalog: FormCatalog([Self.login(version: 1, field: "old")]))
    let before = daemon.server.memory
    let client = daemon.connect()
    let (key, _) = try client.openKept()
    client.request("field/change", ["values": ["email": "a@b", "old": "much text"]])
    client.connection.closed()
    daemon.server.reload(FormCatalog([Self.login(version: 2, field: "new")]))
    let second = daemon.connect()
    second.result("session/attach", ["key": key])
    second.result("session/close")
    let after = daemon.server.memory
    #expect((after.values, after.sessions) == (before.values, before.sessions))
    let statistics = second.result("server/stats")
    #expect(statistics["sessions"] == 0 && statistics["keptSessions"] == 0)
    daemon.advance(milliseconds: 20 * 60_000)
    #expect(second.error("session/attach", ["key": key])["code"] == 1001)
  }
}
