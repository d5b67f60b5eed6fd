import Forms
import JSON
import Sessions
import Testing

/// The results of actions.
@Suite struct `The outcomes of actions` {
  @Test func `An action without run: its outcomes are evaluated in the same turn, and without outcomes it succeeds`()
    throws
  {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "integer"}}},
         "actions": {"plain": {}, "judge": {"outcomes": [{"when": "values.a == 1", "success": "'one'", "message": "is one"},
           {"failure": "'other'", "messageExpression": "'not ' + 'one'"}]}}}
        """
    )
    form.tap("plain")
    form.tap("judge")
    #expect(form["/actions/judge/error"] == "other")
    #expect(form["/actions/judge/message"] == "not one")
    form.change("a", 1)
    form.tap("judge")
    #expect(
      form["/actions/judge"] == [
        "isEnabled": true, "isLoading": false, "attempts": 2, "result": "one", "message": "is one",
      ]
    )
    #expect(form.events.map(\.kind) == [.succeeded, .failed, .succeeded])
    #expect(form.patches.count == 4)
  }

  private func submitting(_ more: String = "") throws -> SessionDriver {
    try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 20}, "b": {}}},
         "actions": {"go": {\(more) "run": {"provider": {"name": "p"}}, "outcomes": [
           {"when": "response.kind == 'ok' && response.body.ok", "success": "response.body.value", "message": "done"},
           {"when": "response.kind == 'ok'", "failure": "'refused'", "fieldErrors": {"a": "response.body.a"}},
           {"failure": "response.kind"}]}}}
        """
    )
  }

  @Test
  func
    `Outcomes: a start clears error alone, success sets result, failure sets error and keeps result, each its message`()
    throws
  {
    let form = try submitting()
    form.tap("go")
    form.answer(ok: ["ok": true, "value": 1])
    #expect(form["/actions/go/result"] == 1)
    #expect(form["/actions/go/message"] == "done")
    form.tap("go")
    #expect(form["/actions/go/message"] == "done")
    form.answer(kind: .gone)
    #expect(form["/actions/go/result"] == 1)
    #expect(form["/actions/go/error"] == "gone")
    #expect(form["/actions/go/message"] == nil)
    form.tap("go")
    #expect(form["/actions/go/error"] == nil)
    #expect(form["/actions/go/result"] == 1)
  }

  @Test func `Outcomes: formulas read the message of the last outcome, empty before the first`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {}}}, "outputs": {"says": "actions.go.message + '!'"},
         "actions": {"go": {"run": {"provider": {"name": "p"}}, "outcomes": [
           {"when": "response.kind == 'ok'", "success": "1", "message": "done"}, {"failure": "'no'", "message": "not done"}]}}}
        """
    )
    #expect(form["/outputs/says"] == "!")
    form.tap("go")
    #expect(form["/outputs/says"] == "!")
    form.answer(ok: 1)
    #expect(form["/outputs/says"] == "done!")
    form.tap("go")
    #expect(form["/outputs/says"] == "done!")
    form.answer(kind: .gone)
    #expect(form["/outputs/says"] == "not done!")
    form.reset()
    #expect(form["/outputs/says"] == "!")
  }

  @Test
  func
    `Outcomes: field errors are bound to the value submitted, go with the next edit, and never make the form invalid`()
    throws
  {
    let form = try submitting()
    form.change("a", "taken")
    form.tap("go")
    form.answer(ok: ["ok": false, "a": "This one is taken."])
    #expect(form.message("a") == "This one is taken.")
    #expect(form["/fields/a/errors/0/source"] == "server")
    #expect(form.isValid && form.isEnabled("go"))
    form.change("a", "other")
    #expect(form.message("a") == nil && form.codes("a").isEmpty)
    form.tap("go")
    form.change("a", "newer")
    form.answer(ok: ["ok": false, "a": "This one is taken."])
    #expect(form.message("a") == nil && form.codes("a").isEmpty)
  }

  @Test func `Outcomes: field errors stay when the value is set to what it is`() throws {
    let form = try submitting()
    form.change("a", "taken")
    form.tap("go")
    form.answer(ok: ["ok": false, "a": "This one is taken."])
    form.change("a", "taken")
    #expect(form.message("a") == "This one is taken.")
    form.change("a", "other")
    #expect(form.message("a") == nil)
  }

  @Test func `Outcomes: a fault in a branch fails the run with fault, and nothing ends`() throws {
    let form = try submitting()
    form.tap("go")
    form.answer(ok: 7)
    #expect(form["/actions/go/error"] == "fault")
    form.tap("go")
    form.answer(ok: ["ok": true, "value": 2])
    #expect(form["/actions/go/result"] == 2)
  }

  @Test func `Outcomes: nulls in results are dropped, and previous is the last result`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {}}},
         "actions": {"go": {"run": {"provider": {"name": "p"}}, "outcomes": [
           {"when": "previous == null", "success": "{'list': [1], 'gone': null}"}, {"success": "{'list': previous.list + [2]}"}]}}}
        """
    )
    form.tap("go")
    form.answer(ok: [:])
    #expect(form["/actions/go/result"] == ["list": [1]])
    form.tap("go")
    form.answer(ok: [:])
    #expect(form["/actions/go/result"] == ["list": [1, 2]])
  }

  @Test func `Outcomes: a failing service is tried again, later each time, as long as retry says`() throws {
    let form = try submitting(#""retry": {"times": 2, "delay": "100ms", "factor": 3},"#)
    form.tap("go")
    form.answer(kind: .refused)
    #expect(form.effects.isEmpty && form["/actions/go/isLoading"] == true)
    form.advance(milliseconds: 100)
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, status: 503))
    form.advance(milliseconds: 299)
    #expect(form.effects.isEmpty)
    form.advance(milliseconds: 1)
    form.answer(kind: .refused)
    #expect(form["/actions/go/error"] == "refused")
    #expect(form.events.map(\.kind) == [.failed])
    #expect(form["/actions/go/attempts"] == 1)
  }

  @Test func `what an outcome says of a field goes when the action runs again`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "default": "x"}}},
         "actions": {"go": {"run": {"provider": {"name": "p"}}, "outcomes": [
             {"when": "response.body == true", "success": "1"}, {"failure": "'no'", "fieldErrors": {"a": "'taken'"}}]},
           "other": {"outcomes": [{"failure": "'no'", "fieldErrors": {"a": "'elsewhere'"}}]}}}
        """
    )
    form.tap("other")
    for _ in 0..<3 {
      form.tap("go")
      #expect(form["/fields/a/errors"]?.arrayValue?.map { $0["message"] } == ["elsewhere"])
      form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: false))
      #expect(form["/fields/a/errors"]?.arrayValue?.map { $0["message"] } == ["elsewhere", "taken"])
    }
    form.tap("other")
    #expect(form["/messages/a"] == "taken")
    form.tap("go")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    #expect(form["/fields/a/errors"]?.arrayValue?.map { $0["message"] } == ["elsewhere"])
    form.change("a", "y")
    #expect(form["/fields/a/errors"] == [])
    #expect(form["/messages/a"] == nil)
  }
}
