import Forms
import JSON
import Sessions
import Testing

/// What checks and delays must do.
extension SemanticsTests {
  // MARK: 6

  /// A form with one check that asks about `a` (and tells it `b`).
  private func checked(_ more: String = "", actions: String = "{\"go\": {}}", show: String = "always") throws
    -> SessionDriver
  {
    try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {
           "a": {"type": "string", "maxLength": 20, "minLength": 2}, "b": {"type": "string", "maxLength": 20}}},
         "fields": {"a": {"show": "\(show)"}},
         "checks": [{"id": "free", "field": "a", \(more) "run": {"provider": {"name": "p", "arguments": {"a": "self", "b": "values.b"}}},
           "outcomes": [{"when": "response.body == true", "valid": true}, {"message": "taken"}]}],
         "actions": \(actions)}
        """
    )
  }

  private func say(_ body: JSON, to form: SessionDriver) {
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: body))
  }

  @Test
  func `6. Checks: they wait until their field passes schema and rules, and do not run while untouched and clean`()
    throws
  {
    let definition = try checked().form
    let form = SessionDriver(definition, options: OpenOptions(values: ["a": "xyz"]))
    #expect(form.effects.isEmpty)
    form.change("a", "x")
    #expect(form.effects.isEmpty)
    form.change("a", "xy")
    #expect(form.effects.count == 1)
    let other = SessionDriver(definition, options: OpenOptions(values: ["a": "xyz"]))
    other.blur("a")
    #expect(other.effects.count == 1)
  }

  @Test func `6. Checks: any cell that the run reads restarts them, when the resolved arguments differ`() throws {
    let form = try checked()
    form.change("a", "xy")
    let first = form.onlyEffect
    form.change("a", "xy")
    #expect(form.onlyEffect.id == first.id)
    form.change("b", "q")
    #expect(form.onlyEffect.id != first.id)
    say(true, to: form)
    #expect(form.isValid)
    form.change("b", "q")
    #expect(form.effects.isEmpty)
  }

  @Test
  func `6. Checks: pending from the keystroke, not from the end of the debounce; while pending the form is not valid`()
    throws
  {
    let form = try checked("\"debounce\": \"300ms\",")
    #expect(form.isValid)
    form.change("a", "xy")
    #expect(form["/fields/a/isPending"] == true && form["/isPending"] == true)
    #expect(!form.isValid && !form.isEnabled("go"))
    #expect(form.effects.isEmpty)
    form.advance(milliseconds: 200)
    form.change("a", "xyz")
    form.advance(milliseconds: 299)
    #expect(form.effects.isEmpty)
    form.advance(milliseconds: 1)
    #expect(form.effects.count == 1)
    say(true, to: form)
    #expect(form.isValid && form["/isPending"] == false)
  }

  @Test func `6. Checks: a late answer of an older generation is dropped`() throws {
    let form = try checked()
    form.change("a", "xy")
    let old = form.onlyEffect
    form.change("a", "xyz")
    say(true, to: form)
    form.answer(old, EffectResponse(kind: .ok, body: false))
    #expect(form.isValid)
    #expect(form.codes("a").isEmpty)
  }

  @Test func `6. Checks: every run ends, for timeouts are mandatory`() throws {
    let form = try checked("\"timeout\": \"2s\",")
    form.change("a", "xy")
    form.advance(milliseconds: 2_000)
    #expect(form["/isPending"] == false)
    #expect(form.codes("a") == ["free"])
    let unsaid = try checked()
    unsaid.change("a", "xy")
    #expect(unsaid.session.deadline == .milliseconds(10_000))
  }

  @Test(arguments: [("block", ["free"], false), ("warn", ["free"], true), ("ignore", [], true)])
  func `6. Checks: a failed service is onFailure, and the next tap tries again`(
    _ policy: String,
    _ codes: [String],
    _ isValid: Bool
  ) throws {
    let form = try checked("\"onFailure\": \"\(policy)\",")
    form.change("a", "xy")
    form.answer(kind: .refused)
    #expect(form.codes("a") == codes)
    #expect(form.isValid == isValid)
    #expect(form.tap("go").outcome == .held)
    say(false, to: form)
    #expect(form.codes("a") == ["free"])
    #expect(form.events.map(\.kind) == [.rejected])
    #expect(!form.isValid)
  }

  @Test func `6. Checks: cache keeps answers per session, not failures`() throws {
    let form = try checked("\"cache\": true,")
    form.change("a", "aa")
    say(false, to: form)
    form.change("a", "bb")
    form.answer(kind: .timeout)
    form.change("a", "aa")
    #expect(form.effects.isEmpty)
    #expect(form.message("a") == "taken")
    form.change("a", "bb")
    #expect(form.effects.count == 1)
    let other = SessionDriver(form.form)
    other.change("a", "aa")
    #expect(other.effects.count == 1)
  }

  @Test func `6. Checks: a check whose argument faults has failed, and goes with the value`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 20}}},
         "checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p", "arguments": {"n": "10 / (size(self) - 3)"}}},
           "outcomes": [{"when": "response.body == true", "valid": true}, {"message": "no"}]}]}
        """
    )
    form.change("a", "abc")
    #expect(form.codes("a") == ["c"])
    form.change("a", "")
    #expect(form.codes("a").isEmpty)
    #expect(form.isValid)
    form.change("a", "abc")
    #expect(form.codes("a") == ["c"])
    form.change("a", "abcd")
    say(true, to: form)
    #expect(form.isValid)
  }

  // MARK: 7

  private func timed(_ timing: String) throws -> SessionDriver {
    try SessionDriver(
      text: """
        {"schema": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "maxLength": 20}}},
         "fields": {"a": {"\(timing)": "100ms", "show": "edit"}}, "actions": {"go": {}}}
        """
    )
  }

  @Test
  func
    `7. Throttle and debounce of a field delay the value itself: every cell keeps its old state and nothing is pending`()
    throws
  {
    let form = try timed("debounce")
    let before = form.kept
    form.change("a", "x")
    #expect(form.kept == before)
    #expect(form.patches.isEmpty)
    #expect(form.session.values() == [:])
    form.advance(milliseconds: 100)
    #expect(form.isValid && form["/isDirty"] == true)
  }

  @Test(arguments: ["throttle", "debounce"])
  func `7. Throttle and debounce of a field: a blur flushes its field, a tap, a flush and reset flush all`(
    _ timing: String
  ) throws {
    let form = try timed(timing)
    form.change("a", "x")
    form.change("a", "xy")
    form.blur("a")
    #expect(form.session.values() == ["a": "xy"])
    form.change("a", "xyz")
    form.apply(.flush)
    #expect(form.session.values() == ["a": "xyz"])
    form.change("a", "w")
    #expect(form.tap("go").outcome == .started)
    #expect(form.session.values() == ["a": "w"])
    form.change("a", "last")
    form.reset(keepValues: true)
    #expect(form.session.values() == ["a": "last"])
    #expect(form.session.deadline == nil)
  }

  @Test func `7. Throttle and debounce of a field: reading the session does not flush`() throws {
    let form = try timed("debounce")
    form.change("a", "x")
    _ = form.session.values()
    _ = form.session.document
    #expect(form.session.values() == [:])
  }

  @Test func `7. Throttle and debounce of a field: throttling acts on both edges, so the last value is never lost`()
    throws
  {
    let form = try timed("throttle")
    for text in ["a", "ab", "abc"] { form.change("a", .string(text)) }
    #expect(form.session.values() == ["a": "a"])
    form.advance(milliseconds: 100)
    #expect(form.session.values() == ["a": "abc"])
    form.change("a", "abcd")
    #expect(form.session.values() == ["a": "abc"])
    form.advance(milliseconds: 200)
    #expect(form.session.values() == ["a": "abcd"])
    form.change("a", "e")
    #expect(form.session.values() == ["a": "e"])
  }

  private func throttled(_ throttle: String) throws -> SessionDriver {
    try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 20}}},
         "actions": {"go": {"throttle": \(throttle), "outcomes": [{"success": "values.a"}]}}}
        """
    )
  }

  @Test func `7. Throttle of an action: "1s" is the leading edge`() throws {
    let form = try throttled("\"1s\"")
    #expect(form.tap("go").outcome == .started)
    form.advance(milliseconds: 999)
    #expect(form.tap("go").outcome == .dropped)
    form.advance(milliseconds: 1)
    #expect(form.tap("go").outcome == .started)
    form.advance(milliseconds: 5_000)
    #expect(form.events.map(\.kind) == [.succeeded, .dropped, .succeeded])
  }

  @Test
  func `7. Throttle of an action: with both edges the last tap fires at the end, with the values as they then stand`()
    throws
  {
    let form = try throttled(#"{"every": "1s", "edges": "both"}"#)
    form.change("a", "first")
    form.tap("go")
    #expect(form.tap("go").outcome == .held)
    form.change("a", "then")
    form.advance(milliseconds: 1_000)
    #expect(form.events.compactMap(\.result) == ["first", "then"])
  }

  @Test func `7. Throttle of an action: a window that is over lets a tap through even when its timer is late`() throws {
    let form = try throttled("\"1s\"")
    form.tap("go")
    form.passWithoutTimers(milliseconds: 1_500)
    #expect(form.tap("go").outcome == .started)
  }

  @Test func `7. Throttle of an action: the held tap whose window is over fires before a later one`() throws {
    let form = try throttled(#"{"every": "1s", "edges": "both"}"#)
    form.tap("go")
    form.tap("go")
    form.passWithoutTimers(milliseconds: 1_500)
    #expect(form.tap("go").outcome == .held)
    #expect(form.events.map(\.kind) == [.succeeded, .succeeded])
  }

  @Test func `7. Debounce of an action: only the last of a burst fires`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {}}}, "actions": {"go": {"debounce": "100ms"}}}
        """
    )
    for _ in 0..<3 {
      #expect(form.tap("go").outcome == .held)
      form.advance(milliseconds: 50)
    }
    #expect(form.events.map(\.kind) == [.dropped, .dropped])
    form.advance(milliseconds: 50)
    #expect(form.events.map(\.kind) == [.dropped, .dropped, .succeeded])
  }

  // MARK: 8

  @Test
  func
    `8. A tap: while checks are pending and no error blocks it is held whatever isEnabled says, and fires when they end`()
    throws
  {
    let form = try checked(actions: #"{"go": {}, "never": {"enabled": "false"}}"#)
    form.change("a", "xy")
    #expect(form.tap("go").outcome == .held)
    #expect(form.tap("never").outcome == .held)
    #expect(form["/actions/go/attempts"] == 0)
    say(true, to: form)
    #expect(form.events.map(\.kind) == [.succeeded, .rejected])
    #expect(form["/actions/go/attempts"] == 1)
  }

  @Test func `8. A tap: those that were held go on in the order in which they came, whichever action they are of`()
    throws
  {
    let form = try checked(actions: #"{"first": {"flight": "queue"}, "second": {}}"#)
    form.change("a", "xy")
    for action in ["second", "first", "first"] { form.tap(action) }
    say(true, to: form)
    #expect(form.events.map(\.action) == ["second", "first", "first"])
  }

  @Test func `8. A tap: one that was held is rejected when its check says no`() throws {
    let form = try checked()
    form.change("a", "xy")
    form.tap("go")
    say(false, to: form)
    #expect(form.events.map(\.kind) == [.rejected])
    #expect(form.events.first?.blockers == [Blocker(field: "a", code: "free")])
  }

  @Test func `8. A tap: whenPending refuse says no at once, with the pending field as blocker`() throws {
    let form = try checked(actions: #"{"go": {"whenPending": "refuse"}}"#)
    form.change("a", "xy")
    let tap = form.tap("go")
    #expect(tap.outcome == .rejected)
    #expect(tap.blockers == [Blocker(field: "a", code: "pending")])
  }

  @Test func `8. A tap: an error that blocks is told at once, pending or not`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "required": ["b"], "properties": {"a": {"type": "string", "maxLength": 20}, "b": {}}},
         "checks": [{"id": "free", "field": "a", "run": {"provider": {"name": "p"}},
           "outcomes": [{"when": "true", "valid": true}, {"message": "no"}]}], "actions": {"go": {}}}
        """
    )
    form.change("a", "x")
    #expect(form["/isPending"] == true)
    let tap = form.tap("go")
    #expect(tap.outcome == .rejected)
    #expect(tap.blockers == [Blocker(field: "a", code: "pending"), Blocker(field: "b", code: "required")])
  }

  @Test func `8. A tap: on a disabled action starts nothing and says disabled when its formula alone says no`() throws {
    let form = try SessionDriver(
      text: #"{"schema": {"type": "object", "properties": {"a": {}}}, "actions": {"go": {"enabled": "values.a == 1"}}}"#
    )
    let tap = form.tap("go")
    #expect(tap.outcome == .rejected && tap.run == nil)
    #expect(tap.blockers == [Blocker(field: nil, code: "disabled")])
    #expect(form["/actions/go"] == ["isEnabled": false, "isLoading": false, "attempts": 0])
  }

  private func flying(_ flight: String) throws -> SessionDriver {
    try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {}}},
         "actions": {"go": {"flight": "\(flight)", "run": {"provider": {"name": "p", "arguments": {"a": "values.a"}}}}}}
        """
    )
  }

  private func argument(_ effect: Effect) -> JSON? {
    guard case .provider(let request) = effect.request else { return nil }
    return request.arguments["a"]
  }

  @Test func `8. A tap: flight drop guards against double submit, and loading never changes isEnabled`() throws {
    let form = try flying("drop")
    form.tap("go")
    #expect(form.tap("go").outcome == .dropped)
    #expect(form.isEnabled("go") && form["/actions/go/isLoading"] == true)
    #expect(form.effects.count == 1)
  }

  @Test func `8. A tap: flight latest supersedes the run before it`() throws {
    let form = try flying("latest")
    form.tap("go")
    #expect(form.tap("go").run == 2)
    #expect(form.effects.count == 1)
    say(2, to: form)
    #expect(form.events.map(\.kind) == [.superseded, .succeeded])
    #expect(form.events.map(\.run) == [1, 2])
  }

  @Test func `8. A tap: flight merge runs beside each other, and loading ends with the last`() throws {
    let form = try flying("merge")
    form.tap("go")
    form.tap("go")
    let effects = form.effectsInOrder
    #expect(effects.count == 2)
    form.answer(effects[1], EffectResponse(kind: .ok, body: "second"))
    #expect(form["/actions/go/isLoading"] == true)
    form.answer(effects[0], EffectResponse(kind: .ok, body: "first"))
    #expect(form["/actions/go/isLoading"] == false)
    #expect(form.events.map(\.run) == [2, 1])
  }

  @Test func `8. A tap: flight queue runs in turn, with the arguments as at the tap`() throws {
    let form = try flying("queue")
    for number in 1...3 {
      form.change("a", .integer(Int64(number)))
      #expect(form.tap("go").outcome == (number == 1 ? .started : .held))
    }
    form.change("a", 9)
    for number in 1...3 {
      #expect(argument(form.onlyEffect) == .integer(Int64(number)))
      say(.integer(Int64(number)), to: form)
    }
    #expect(form.events.compactMap(\.result) == [1, 2, 3])
    #expect(form["/actions/go/isLoading"] == false)
  }
}
