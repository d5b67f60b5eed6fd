import Forms
import JSON
import Sessions
import Testing

@Suite struct `Snapshots and explanations` {
  private let text = """
    {"form": "t", "schema": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "minLength": 3, "maxLength": 9},
       "p": {"type": "string", "writeOnly": true, "maxLength": 30}, "d": {"type": "string", "maxLength": 9}}},
     "fields": {"d": {"debounce": "1s"}},
     "rules": [{"id": "r", "field": "a", "check": "self != 'bad'", "message": "no"}],
     "checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p", "arguments": {"a": "self"}}},
       "outcomes": [{"when": "response.body == true", "valid": true}, {"code": "taken", "message": "taken"}]}],
     "actions": {"go": {"outcomes": [{"success": "{'n': size(values.a)}", "message": "done"}]}}, "outputs": {"o": "values.a"}}
    """

  private func restored(
    _ driver: SessionDriver,
    includingSecrets: Bool = true,
    on engine: Engine = Engine()
  ) throws -> (session: Session, turn: Turn) {
    let text = driver.session.snapshot(includingSecrets: includingSecrets).description
    return try engine.restore(driver.form, from: JSON(parsing: text), at: driver.now)
  }

  @Test func `a restored session is what it was: values, traces of editing, results and what the user has seen`() throws
  {
    let form = try SessionDriver(text: text, options: OpenOptions(locale: "ko", values: ["a": "first"]))
    form.change("p", "hunter2")
    form.tap("go")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    form.change("a", "ab")
    form.blur("a")
    form.focus("a")
    let session = try restored(form).session
    #expect(session.document == form.kept)
    #expect(session.values(includingSecrets: true) == ["a": "ab", "p": "hunter2"])
    #expect(session.revision == form.session.revision)
    #expect(session.document["actions"]?["go"]?["result"] == ["n": 5])
  }

  @Test func `what a check said holds while it is asked the same, and one that was under way runs again`() throws {
    let form = try SessionDriver(text: text)
    form.change("a", "free")
    let (pending, turn) = try restored(form)
    #expect(turn.starts.count == 1 && pending.document == form.kept)
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: false))
    let (settled, other) = try restored(form)
    #expect(other.starts.isEmpty && settled.document == form.kept)
    #expect(form.codes("a") == ["taken"])
  }

  @Test func `a change that was held back waits again`() throws {
    let form = try SessionDriver(text: text)
    form.change("d", "later")
    let engine = Engine()
    let session = try restored(form, on: engine).session
    #expect(session.values() == [:])
    _ = engine.apply(.timer, to: session, at: .milliseconds(1_000))
    #expect(session.values() == ["d": "later"])
  }

  @Test func `without secrets a snapshot has none`() throws {
    let form = try SessionDriver(text: text, options: OpenOptions(values: ["p": "hunter1"]))
    form.change("p", "hunter2")
    #expect(!form.session.snapshot(includingSecrets: false).description.contains("hunter"))
    let session = try restored(form, includingSecrets: false).session
    #expect(session.values(includingSecrets: true) == [:])
  }

  @Test(
    arguments: [[:], ["version": 1, "form": "t"], ["version": 2, "form": "other"], ["version": 2], 7, [1]] as [JSON]
  )
  func `what is no snapshot of the form is refused`(_ snapshot: JSON) throws {
    let form = try SessionDriver(text: text).form
    #expect(throws: SnapshotError.self) { try Engine().restore(form, from: snapshot, at: .milliseconds(0)).session }
  }

  @Test(
    arguments: [
      ["values": 7], ["fields": [1]],
      ["fields": ["a": ["flags": -1, "held": [7], "server": [1], "displayed": 3, "initial": []]]],
      ["actions": ["go": 1]], ["checks": ["c": ["key": 1, "verdict": "invalid", "error": 99999]]],
      ["revision": -5, "flags": 255],
      ["watched": [1]], ["values": ["a": ["deep": [1]]]],
    ] as [JSON]
  )
  func `a damaged snapshot is restored as far as it goes, and never stops the process`(_ damage: JSON) throws {
    let form = try SessionDriver(text: text)
    var snapshot = form.session.snapshot(includingSecrets: true).objectValue ?? [:]
    for member in damage.objectValue ?? [:] { snapshot[member.name] = member.value }
    let engine = Engine()
    let session = try engine.restore(form.form, from: .object(snapshot), at: .milliseconds(0)).session
    _ = engine.apply(.set(field: 0, to: "abc"), to: session, at: .milliseconds(0))
    _ = engine.apply(.tap(action: 0), to: session, at: .milliseconds(0))
    #expect(session.values() == ["a": "abc"])
    #expect(session.checkInvariants().isEmpty)
  }

  @Test func `why is this button disabled: down to the rule and the facts, never a secret`() throws {
    let form = try SessionDriver(text: text)
    form.change(["a": "bad", "p": "hunter2"])
    let explanation = form.session.explanation()
    #expect(explanation["actions"]?["go"]?["isEnabled"] == false)
    let reason = explanation["actions"]?["go"]?["because"]?.arrayValue?.first
    #expect(reason?["code"] == "r" && reason?["rule"] == "self != 'bad'" && reason?["field"] == "a")
    #expect(reason?["reads"]?.objectValue?.first?.value == "bad")
    #expect(!explanation.description.contains("hunter"))
    form.change("a", "good")
    #expect("\(form.session.explanation())".contains("pending"))
  }
}
