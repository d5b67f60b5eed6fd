import Forms
import JSON
import Sessions
import Testing
internal import Times

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
    for use: SnapshotUse = .resuming,
    on engine: Engine = Engine()
  ) throws -> RestoredSession {
    try engine.restore(driver.form, from: driver.session.snapshot(for: use), at: driver.now)
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
    let pending = try restored(form)
    #expect(pending.turn.starts.count == 1 && pending.session.document == form.kept)
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: false))
    let settled = try restored(form)
    #expect(settled.turn.starts.isEmpty && settled.session.document == form.kept && !settled.isMigrated)
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
    #expect(!form.session.snapshot(for: .keeping).text.contains("hunter"))
    let session = try restored(form, for: .keeping).session
    #expect(session.values(includingSecrets: true) == [:])
  }

  @Test(
    arguments: [
      ("\"edition\":3", "\"edition\":2"), ("\"edition\":3", "\"edition\":4"), ("\"form\":\"t\"", "\"form\":\"other\""),
      ("\"form\":\"t\"", "\"form\":7"), ("{\"edition\"", "[\"edition\""), ("{", ""),
    ]
  )
  func `what is no snapshot of the form is refused`(_ old: String, _ new: String) throws {
    let form = try SessionDriver(text: text)
    let snapshot = form.session.snapshot(for: .keeping)
    let damaged = snapshot.replacing(old, with: new)
    #expect(damaged.parts != snapshot.parts)
    #expect(throws: SnapshotError.self) { try Engine().restore(form.form, from: damaged, at: .milliseconds(0)) }
    #expect(throws: SnapshotError.self) {
      try Engine().restore(form.form, from: SessionSnapshot(parts: [:]), at: .milliseconds(0))
    }
  }

  @Test func `parts that others keep beside the engine's are passed over, and stay`() throws {
    let form = try SessionDriver(text: text)
    form.change("a", "abc")
    var snapshot = SessionSnapshot(parts: [SnapshotPart(rawValue: -1): Array("mine".utf8)])
    form.session.keepSnapshot()
    snapshot.apply(form.engine.takeSnapshotChanges(of: form.session, for: .keeping))
    #expect(snapshot.parts[SnapshotPart(rawValue: -1)] == Array("mine".utf8))
    #expect(try Engine().restore(form.form, from: snapshot, at: form.now).session.values() == ["a": "abc"])
    form.session.keepSnapshot()
    _ = form.engine.takeSnapshotChanges(of: form.session, for: .resuming)
  }

  /// A part that replaces a part of a session's snapshot, or is added to the parts that a session would write.
  struct Damage: Sendable {
    let part: Int64
    let text: String

    init(_ part: Int64, _ text: String) {
      self.part = part
      self.text = text
    }
  }

  private static let (field, order, beginning, action) = (
    Int64(0x10_0000), Int64(0x20_0000), Int64(0x30_0000), Int64(0x40_0000)
  )
  private static let (check, session, row) = (Int64(0x50_0000), Int64(0x70_0000), Int64(0x100_0000))

  static let damages: [Damage] = [
    Damage(0, "7"), Damage(0, #"{"fields":[1]}"#), Damage(0, #"{"fields":{"a":7}}"#),
    Damage(0, #"{"fields":{"a":{"flags":-1,"held":[7],"server":[1],"shown":3,"initial":[]}}}"#),
    Damage(0, #"{"revision":-5,"sequence":-1,"lastRun":99999999999,"lastTap":-3,"lastRow":9223372036854775807}"#),
    Damage(0, #"{"step":"none","now":"yesterday"}"#), Damage(0, #"{"fields":{"a":{"value":{"deep":[1]}}}}"#),
    Damage(action, #"{"action":"go","attempts":-1,"taps":[1,{"tap":-1},{"tap":3,"run":-7},{"tap":3}]}"#),
    Damage(action, #"{"action":1}"#), Damage(check, #"{"check":"c","key":1,"verdict":"invalid","error":99999}"#),
    Damage(check, #"{"check":"c","key":1,"verdict":"invalid","error":{}}"#), Damage(session + 3, #"{"cells":[1]}"#),
    Damage(session + 3, #"{"cells":[-1,9223372036854775807]}"#), Damage(session + 1, #"{"now":[],"initial":1}"#),
    Damage(session + 2, #"{"server":[{"fault":"x"},7]}"#), Damage(session + 9, "{}"), Damage(row, #"{"fields":{}}"#),
    Damage(order, #"{"list":"a","rows":[[1,9223372036854775807],[9223372036854775807,1],[0,1],[1]]}"#),
    Damage(beginning, #"{"list":"a","rows":[1,{"id":-1}]}"#), Damage(field, #"{"field":"a","state":3}"#),
  ]

  @Test(arguments: damages)
  func `a damaged snapshot is restored as far as it goes, and never stops the process`(_ damage: Damage) throws {
    let form = try SessionDriver(text: text)
    var snapshot = form.session.snapshot(for: .resuming)
    snapshot.apply(
      SnapshotChanges(isWhole: false, parts: [(SnapshotPart(rawValue: damage.part), Array(damage.text.utf8))])
    )
    let engine = Engine()
    let session = try engine.restore(form.form, from: snapshot, at: .milliseconds(0)).session
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
