import Forms
import JSON
import PageCode
import Sessions
import Testing
internal import Times

/// The first page for developers who embed the module.
@Suite struct `The page of Sessions` {
  @Test func `its code is the code that runs here`() throws {
    let code = try PageCode(page: "Sources/Sessions/Sessions.docc/Sessions.md")
    #expect(code.shown == code.run)
    // page
    let definition = """
      {
        "form": "login",
        "schema": { "type": "object", "required": ["email"], "properties": { "email": { "type": "string" } } },
        "rules": [ { "id": "shape", "field": "email", "check": "self.contains('@')", "message": "Not an email address." } ],
        "actions": {
          "login": {
            "run": { "http": { "service": "accounts", "method": "POST", "path": "/login", "json": { "email": "values.email" } } }
          }
        }
      }
      """
    let compilation = Form.compile(Array(definition.utf8), file: "login.form.json")
    guard let form = compilation.form else { fatalError("\(compilation.diagnostics)") }
    guard let email = form.field(at: "email"), let login = form.action(named: "login") else { fatalError() }

    let engine = Engine()
    var now = Instant(nanoseconds: 0)  // of any clock that never goes back
    let (session, opening) = engine.open(form, at: now)
    var document = session.document
    var effects = opening.starts

    func apply(_ input: Input) {
      let turn = engine.apply(input, to: session, at: now)
      if turn.hasUpdate { document.merge(session.patch(engine.changes(of: turn))) }
      effects += turn.starts
      effects.removeAll { turn.cancels.contains($0.id) }
    }

    apply(.set(field: email, to: "kim"))
    apply(.blur(field: email))
    print(document["messages"]?["email"] ?? .null)  // "Not an email address."

    apply(.set(field: email, to: "kim@example.com"))
    apply(.tap(action: login))
    while let effect = effects.popLast() {
      // The sender of requests answers each of them, at any later time.
      apply(.effect(effect.id, EffectResponse(kind: .ok, status: 200, body: ["name": "Kim"])))
    }
    print(document["actions"]?["login"]?["result"] ?? .null)  // {"name":"Kim"}

    while let deadline = session.deadline {
      now = deadline
      apply(.timer)
    }
    // end
    #expect(document == session.document)
    #expect(document["actions"]?["login"]?["result"] == ["name": "Kim"])
    #expect(session.values() == ["email": "kim@example.com"] && !session.isBusy)
  }
}
