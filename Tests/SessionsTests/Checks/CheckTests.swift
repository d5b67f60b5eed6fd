import Forms
import JSON
import Sessions
import Testing
internal import Times

/// When checks ask, and what their answers do.
@Suite struct `Checks` {
  @Test
  func `Checks: they wait until their field passes schema and rules, and do not run while untouched and clean`()
    throws
  {
    let definition = try SessionDriver.checked().form
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

  @Test func `Checks: any cell that the run reads restarts them, when the resolved arguments differ`() throws {
    let form = try SessionDriver.checked()
    form.change("a", "xy")
    let first = form.onlyEffect
    form.change("a", "xy")
    #expect(form.onlyEffect.id == first.id)
    form.change("b", "q")
    #expect(form.onlyEffect.id != first.id)
    form.answer(ok: true)
    #expect(form.isValid)
    form.change("b", "q")
    #expect(form.effects.isEmpty)
  }

  @Test
  func `Checks: pending from the keystroke, not from the end of the debounce; while pending the form is not valid`()
    throws
  {
    let form = try SessionDriver.checked("\"debounce\": \"300ms\",")
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
    form.answer(ok: true)
    #expect(form.isValid && form["/isPending"] == false)
  }

  @Test func `Checks: a late answer of an older generation is dropped`() throws {
    let form = try SessionDriver.checked()
    form.change("a", "xy")
    let old = form.onlyEffect
    form.change("a", "xyz")
    form.answer(ok: true)
    form.answer(old, EffectResponse(kind: .ok, body: false))
    #expect(form.isValid)
    #expect(form.codes("a").isEmpty)
  }

  @Test func `Checks: every run ends, for timeouts are mandatory`() throws {
    let form = try SessionDriver.checked("\"timeout\": \"2s\",")
    form.change("a", "xy")
    form.advance(milliseconds: 2_000)
    #expect(form["/isPending"] == false)
    #expect(form.codes("a") == ["free"])
    let unsaid = try SessionDriver.checked()
    unsaid.change("a", "xy")
    #expect(unsaid.session.deadline == .milliseconds(10_000))
  }

  @Test(arguments: [("block", ["free"], false), ("warn", ["free"], true), ("ignore", [], true)])
  func `Checks: a failed service is onFailure, and the next tap tries again`(
    _ policy: String,
    _ codes: [String],
    _ isValid: Bool
  ) throws {
    let form = try SessionDriver.checked("\"onFailure\": \"\(policy)\",")
    form.change("a", "xy")
    form.answer(kind: .refused)
    #expect(form.codes("a") == codes)
    #expect(form.isValid == isValid && form.isEnabled("go"))
    #expect(form.tap("go").outcome == .held && !form.isEnabled("go"))
    form.answer(ok: false)
    #expect(!form.isEnabled("go"))
    #expect(form.codes("a") == ["free"])
    #expect(form.events.map(\.kind) == [.rejected])
    #expect(!form.isValid)
  }

  @Test func `Checks: a blur asks a service that failed once more`() throws {
    let form = try SessionDriver.checked()
    form.focus("a")
    form.change("a", "xy")
    form.answer(kind: .refused)
    #expect(form.effects.isEmpty)
    form.blur("a")
    #expect(form.effects.count == 1)
    form.answer(kind: .refused)
    form.change(["b": "z"], commit: true)
    #expect(form.effects.count == 1)
    form.answer(kind: .refused)
    form.change(["a": "xy"], commit: true)
    #expect(form.effects.count == 1)
    form.answer(ok: true)
    form.blur("a")
    #expect(form.effects.isEmpty && form.isValid)
  }

  @Test func `Checks: cache keeps answers per session, not failures`() throws {
    let form = try SessionDriver.checked("\"cache\": true,")
    form.change("a", "aa")
    form.answer(ok: false)
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

  @Test func `Checks: a check whose argument faults has failed, and goes with the value`() throws {
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
    form.answer(ok: true)
    #expect(form.isValid)
  }
}
