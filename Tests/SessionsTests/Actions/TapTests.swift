import Forms
import JSON
import Sessions
import Testing

/// Taps: which are accepted, held or rejected, and how the runs of one action follow each other.
@Suite struct `Taps` {
  @Test
  func
    `A tap: while checks are pending and no error blocks it is held whatever isEnabled says, and fires when they end`()
    throws
  {
    let form = try SessionDriver.checked(actions: #"{"go": {}, "never": {"enabled": "false"}}"#)
    form.change("a", "xy")
    #expect(form.tap("go").outcome == .held)
    #expect(form.tap("never").outcome == .held)
    #expect(form["/actions/go/attempts"] == 0)
    form.answer(ok: true)
    #expect(form.events.map(\.kind) == [.succeeded, .rejected])
    #expect(form["/actions/go/attempts"] == 1)
  }

  @Test func `A tap: those that were held go on in the order in which they came, whichever action they are of`()
    throws
  {
    let form = try SessionDriver.checked(actions: #"{"first": {"flight": "queue"}, "second": {}}"#)
    form.change("a", "xy")
    for action in ["second", "first", "first"] { form.tap(action) }
    form.answer(ok: true)
    #expect(form.events.map(\.action) == ["second", "first", "first"])
  }

  @Test func `A tap: who types on holds it no longer than its action may take`() throws {
    let form = try SessionDriver.checked(actions: #"{"go": {"timeout": "2s"}, "patient": {}}"#)
    form.change("a", "xy")
    form.tap("go")
    form.tap("patient")
    // The check that the tap came upon may take its own time.
    form.advance(milliseconds: 5_000)
    #expect(form.events.isEmpty)
    for text in ["xyz", "xyzz"] {
      form.change("a", .string(text))
      form.advance(milliseconds: 1_500)
    }
    #expect(form.events.map(\.action) == ["go"] && form.events.last?.kind == .rejected)
    #expect(form.events.last?.blockers == [Blocker(field: "a", code: "pending")])
    form.answer(ok: true)
    #expect(form.events.map(\.kind) == [.rejected, .succeeded] && form.session.deadline == nil)
  }

  @Test func `A tap: one that was held is rejected when its check says no`() throws {
    let form = try SessionDriver.checked()
    form.change("a", "xy")
    form.tap("go")
    form.answer(ok: false)
    #expect(form.events.map(\.kind) == [.rejected])
    #expect(form.events.first?.blockers == [Blocker(field: "a", code: "free")])
    // It reveals the errors that rejected it under every policy, like a tap that was not held.
    #expect(form["/messages/a"] != nil)
  }

  @Test func `A tap: whenPending refuse says no at once, with the pending field as blocker`() throws {
    let form = try SessionDriver.checked(actions: #"{"go": {"whenPending": "refuse"}}"#)
    form.change("a", "xy")
    let tap = form.tap("go")
    #expect(tap.outcome == .rejected)
    #expect(tap.blockers == [Blocker(field: "a", code: "pending")])
  }

  @Test func `A tap: an error that blocks is told at once, pending or not`() throws {
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

  @Test func `A tap: on a disabled action starts nothing and says disabled when its formula alone says no`() throws {
    let form = try SessionDriver(
      text: #"{"schema": {"type": "object", "properties": {"a": {}}}, "actions": {"go": {"enabled": "values.a == 1"}}}"#
    )
    let tap = form.tap("go")
    #expect(tap.outcome == .rejected && tap.run == nil)
    #expect(tap.blockers == [Blocker(field: nil, code: "disabled")])
    #expect(form["/actions/go"] == ["isEnabled": false, "isLoading": false, "attempts": 0])
  }

  @Test(arguments: ["", #""enabled": "true","#])
  func `A tap: with scope none it passes whatever the form says, and neither reveals nor asks again`(
    _ enabled: String
  ) throws {
    let form = try SessionDriver.checked(
      #""timeout": "1s","#,
      actions: #"{"go": {}, "free": {\#(enabled) "scope": "none", "whenPending": "refuse"}}"#,
      show: "submit"
    )
    #expect(form.isEnabled("free"))
    form.change("a", "x")
    #expect(!form.isValid && form.isEnabled("free"))
    #expect(form.tap("free").outcome == .started)
    #expect(form.codes("a") == ["minLength"] && form.message("a") == nil)
    form.change("a", "xy")
    #expect(form["/isPending"] == true)
    #expect(form.tap("free").outcome == .started)
    form.answer(kind: .gone)
    #expect(form.codes("a") == ["free"])
    #expect(form.tap("free").outcome == .started)
    #expect(form.effects.isEmpty && form.message("a") == nil)
    form.tap("go")
    #expect(form.effects.count == 1)
  }

  @Test func `A tap: with scope none its own formula still says no, and the blocker is disabled`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "required": ["b"], "properties": {"a": {}, "b": {}}},
         "actions": {"go": {"scope": "none", "enabled": "values.a == 1"}}}
        """
    )
    #expect(form.tap("go").blockers == [Blocker(field: nil, code: "disabled")])
    #expect(form["/messages"] == [:])
    form.change("a", 1)
    #expect(form.tap("go").outcome == .started)
  }

  @Test func `A tap: with scope none what the outcome says of a field shows at once, and nothing else does`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "required": ["a", "b"], "properties": {"a": {}, "b": {}}},
         "actions": {"go": {"scope": "none", "outcomes": [{"failure": "'no'", "fieldErrors": {"a": "'the server says no'"}}]}}}
        """
    )
    form.tap("go")
    #expect(form.codes("a") == ["required", "server"])
    #expect(form["/messages"] == ["a": "the server says no"])
    form.blur("a")
    #expect(form.message("a") == "This is required.")
  }

  @Test func `A tap: with scope form it is as without a scope`() throws {
    let form = try SessionDriver.checked(actions: #"{"go": {"scope": "form"}}"#, show: "submit")
    form.change("a", "x")
    #expect(!form.isEnabled("go"))
    #expect(form.tap("go").blockers == [Blocker(field: "a", code: "minLength")])
    #expect(form.message("a") != nil)
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

  @Test func `A tap: flight drop guards against double submit, and loading never changes isEnabled`() throws {
    let form = try flying("drop")
    form.tap("go")
    #expect(form.tap("go").outcome == .dropped)
    #expect(form.isEnabled("go") && form["/actions/go/isLoading"] == true)
    #expect(form.effects.count == 1)
  }

  @Test func `A tap: flight latest supersedes the run before it`() throws {
    let form = try flying("latest")
    form.tap("go")
    #expect(form.tap("go").run == 2)
    #expect(form.effects.count == 1)
    form.answer(ok: 2)
    #expect(form.events.map(\.kind) == [.superseded, .succeeded])
    #expect(form.events.map(\.run) == [1, 2])
  }

  @Test(arguments: ["drop", "latest", "merge", "queue"])
  func `A tap: what is cancelled ends with the event cancelled, once`(flight: String) throws {
    let form = try flying(flight)
    form.change("a", 1)
    form.tap("go")
    form.tap("go")
    let open = form.effects.count
    let before = form.events.count
    form.apply(.cancel(action: 0))
    #expect(form.events.count == 2 && form.events.dropFirst(before).allSatisfy { $0.kind == .cancelled })
    #expect(form.effects.isEmpty && open > 0 && form["/actions/go/isLoading"] == false)
    #expect(form["/actions/go/error"] == nil && form["/actions/go/attempts"] != nil)
    // The next tap runs, and a cancel without a tap changes nothing.
    form.tap("go")
    form.answer(ok: "done")
    #expect(form.events.last?.kind == .succeeded)
    let revision = form.session.revision
    form.apply(.cancel(action: 0))
    #expect(form.session.revision == revision && form.events.count == 3)
  }

  @Test func `A tap: a cancel reaches taps that wait for a check, a pause or a delay`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},
         "checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "c"}},
           "outcomes": [{"valid": true}]}],
         "actions": {
           "held": {"run": {"provider": {"name": "p"}}},
           "slow": {"scope": "none", "throttle": {"every": "1s", "edges": "both"}, "flight": "latest"},
           "late": {"scope": "none", "debounce": "1s"},
           "again": {"scope": "none", "retry": {"times": 3, "delay": "1s"}, "run": {"provider": {"name": "p"}}}}}
        """
    )
    func cancel(_ name: String) throws {
      form.apply(.cancel(action: try #require(form.session.form.actions.firstIndex { $0.name == name })))
    }
    form.change("a", "x")
    #expect(form.tap("held").outcome == .held)
    try cancel("held")
    #expect(form.events.map(\.kind) == [.cancelled] && form.events[0].run == nil)
    form.tap("slow")
    #expect(form.tap("slow").outcome == .held)
    try cancel("slow")
    #expect(form.events.map(\.kind) == [.cancelled, .succeeded, .cancelled])
    // The window is still open.
    #expect(form.tap("slow").outcome == .held)
    form.tap("late")
    try cancel("late")
    form.advance(milliseconds: 2_000)
    #expect(form.events.map(\.kind) == [.cancelled, .succeeded, .cancelled, .cancelled, .succeeded])
    form.tap("again")
    let effect = try #require(form.effectsInOrder.last)
    form.answer(effect, EffectResponse(kind: .refused))
    try cancel("again")
    form.advance(milliseconds: 5_000)
    #expect(form.events.last?.kind == .cancelled && form.events.last?.run != nil)
    #expect(form["/actions/again/isLoading"] == false)
  }

  @Test func `A tap: flight merge runs beside each other, and loading ends with the last`() throws {
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

  @Test func `A tap: flight queue runs in turn, with the arguments as at the tap`() throws {
    let form = try flying("queue")
    for number in 1...3 {
      form.change("a", .integer(Int64(number)))
      #expect(form.tap("go").outcome == (number == 1 ? .started : .held))
    }
    form.change("a", 9)
    for number in 1...3 {
      #expect(argument(form.onlyEffect) == .integer(Int64(number)))
      form.answer(ok: .integer(Int64(number)))
    }
    #expect(form.events.compactMap(\.result) == [1, 2, 3])
    #expect(form["/actions/go/isLoading"] == false)
  }
}
