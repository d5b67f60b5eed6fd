import Forms
import JSON
import Sessions
import Testing

/// Initial values, what differs from them, and the reset of a form to them.
@Suite struct `Initial values and reset` {
  @Test func `Initial values: those of open, else the schema's default, else absent; normalized`() throws {
    let definition = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "default": "d", "maxLength": 9},
           "b": {"type": "string", "maxLength": 9}, "c": {"type": "string", "maxLength": 9}}},
         "fields": {"b": {"normalize": ["trim"]}}}
        """
    ).form
    #expect(SessionDriver(definition).session.values() == ["a": "d"])
    let form = SessionDriver(definition, options: OpenOptions(values: ["a": "", "b": " x ", "unknown": 1]))
    // A member that is not a field is kept, and the schema judges it.
    #expect(form.session.values() == ["b": "x", "unknown": 1])
    #expect(form["/isDirty"] == false)
  }

  @Test func `Dirty compares with the initial value; edited and touched stick until reset`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "default": "d", "maxLength": 9}}},
         "fields": {"a": {"show": "edit"}}, "actions": {"go": {"run": {"provider": {"name": "p"}}}}}
        """
    )
    form.change("a", "e")
    #expect(form["/fields/a/isDirty"] == true && form["/isDirty"] == true)
    form.change("a", "d")
    #expect(form["/fields/a/isDirty"] == false && form["/isDirty"] == false)
    form.change("a", "")
    form.blur("a")
    #expect(form.message("a") != nil && form["/fields/a/isTouched"] == true)
    form.change("a", "x")
    form.tap("go")
    let running = form.onlyEffect
    let revision = form.session.revision
    form.reset()
    #expect(form.effects.isEmpty)
    #expect(form.session.revision == revision + 1)
    #expect(form.session.values() == ["a": "d"])
    #expect(form["/fields/a/isTouched"] == false && form["/fields/a/isDirty"] == false)
    #expect(form["/actions/go"] == ["isEnabled": true, "isLoading": false, "attempts": 0])
    form.answer(running, EffectResponse(kind: .ok, body: 1))
    #expect(form["/actions/go/result"] == nil)
    form.change(["a": ""], origin: .program)
    #expect(form.message("a") == nil)
  }

  @Test func `Reset with keepValues makes the current values the initial ones`() throws {
    let form = try SessionDriver(
      text: #"{"schema": {"type": "object", "properties": {"a": {"type": "string", "default": "d", "maxLength": 9}}}}"#
    )
    form.change("a", "x")
    form.reset(keepValues: true)
    #expect(form["/isDirty"] == false)
    form.change("a", "d")
    #expect(form["/isDirty"] == true)
    form.reset()
    #expect(form.session.values() == ["a": "x"])
  }

  @Test func `Reset gives up taps that wait and checks that run`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},
         "checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p"}}, "outcomes": [{"when": "true", "valid": true}, {"code": "no"}]}],
         "actions": {"go": {}, "slow": {"debounce": "1s"}}}
        """
    )
    form.change("a", "x")
    form.tap("go")
    form.tap("slow")
    form.reset()
    #expect(form.events.map(\.kind) == [.dropped, .dropped])
    #expect(form.effects.isEmpty && form.session.deadline == nil && !form.session.isBusy)
    #expect(form.isValid)
  }
}
