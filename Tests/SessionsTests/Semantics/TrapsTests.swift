import Forms
import JSON
import Sessions
internal import SourceTexts
import Testing

/// Bugs that other systems of forms had first. The tests of rows, which have their own state, are in the folder Rows.
@Suite struct TrapsTests {
  /// `a` is asked about by two checks; `go` needs the form valid.
  private func checked(_ more: String = "", debounce: String = "") throws -> SessionDriver {
    try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 20}}},
         "fields": {"a": {"show": "always"}},
         "checks": [
           {"id": "c1", "field": "a", \(debounce) "run": {"provider": {"name": "p", "arguments": {"a": "self"}}},
            "outcomes": [{"when": "response.body == true", "valid": true}, {"message": "one"}]},
           {"id": "c2", "field": "a", "run": {"provider": {"name": "p", "arguments": {"a": "self + '2'"}}},
            "outcomes": [{"when": "response.body == true", "valid": true}, {"message": "two"}]}],
         "actions": {"go": {\(more)}}}
        """
    )
  }

  private func answer(_ form: SessionDriver, _ effect: Effect, _ body: JSON) {
    form.answer(effect, EffectResponse(kind: .ok, body: body))
  }

  @Test func `An old asynchronous result never wins over a newer one`() throws {
    let form = try checked()
    form.change("a", "x")
    let old = form.effectsInOrder
    form.change("a", "y")
    for effect in form.effectsInOrder { answer(form, effect, true) }
    for effect in old { answer(form, effect, false) }
    #expect(form.isValid && form.message("a") == nil)
  }

  @Test func `Pending ends with the last of several checks, not with the first`() throws {
    let form = try checked()
    form.change("a", "x")
    let effects = form.effectsInOrder
    #expect(effects.count == 2)
    answer(form, effects[0], true)
    #expect(form["/fields/a/isPending"] == true && form["/isPending"] == true && !form.isValid)
    answer(form, effects[1], true)
    #expect(form["/isPending"] == false && form.isValid)
  }

  @Test func `The form is not valid during the debounce`() throws {
    let form = try checked(debounce: #""debounce": "1s","#)
    form.change("a", "x")
    #expect(!form.isValid && form["/isPending"] == true)
  }

  @Test func `A submit waits for pending checks, or is refused by rule`() throws {
    let form = try checked()
    form.change("a", "x")
    #expect(form.tap("go").outcome == .held)
    for effect in form.effectsInOrder { answer(form, effect, true) }
    #expect(form.events.map(\.kind) == [.succeeded])
    let strict = try checked(#""whenPending": "refuse""#)
    strict.change("a", "x")
    #expect(strict.tap("go").outcome == .rejected)
  }

  @Test func `Value and touched come in one transaction, so the new value is judged`() throws {
    let form = try SessionDriver(
      text: #"{"schema": {"type": "object", "properties": {"a": {"type": "string", "minLength": 2}}}}"#
    )
    form.change("a", "x")
    form.change(["a": "xy"], commit: true)
    #expect(form.message("a") == nil)
    form.change(["a": "z"], commit: true)
    #expect(form.message("a") != nil)
    #expect(form.patches.count == 3)
  }

  @Test func `Nothing is pending for ever`() throws {
    let form = try checked(#""run": {"provider": {"name": "q"}}, "retry": {"times": 3, "delay": "1s"}"#)
    form.change("a", "x")
    form.tap("go")
    form.advance(milliseconds: 300_000)
    #expect(form["/isPending"] == false && form["/actions/go/isLoading"] == false)
    #expect(!form.session.isBusy && form.effects.isEmpty)
    #expect(form.events.count == 1)
  }

  @Test func `A server error does not disable the button for good`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},
         "actions": {"go": {"run": {"provider": {"name": "p"}}, "outcomes": [{"failure": "'no'", "fieldErrors": {"a": "'taken'"}}]}}}
        """
    )
    form.change("a", "x")
    form.tap("go")
    answer(form, form.onlyEffect, 1)
    #expect(form.message("a") == "taken")
    #expect(form.isEnabled("go"))
    #expect(form.tap("go").outcome == .started)
  }

  @Test func `A double submit is caught in the engine, however far apart the taps are`() throws {
    let form = try checked(#""run": {"provider": {"name": "q"}}, "timeout": "1m""#)
    form.tap("go")
    form.advance(milliseconds: 30_000)
    #expect(form.tap("go").outcome == .dropped)
    #expect(form.effects.count == 1)
  }

  @Test func `A message that a blur made appear is in an update of its own, so that a client can hold it back`()
    throws
  {
    let form = try SessionDriver(
      text:
        #"{"schema": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}, "actions": {"go": {"scope": "none"}}}"#
    )
    form.focus("a")
    form.blur("a")
    #expect(form.patches == [["messages": ["a": "This is required."], "fields": ["a": ["isTouched": true]]]])
    #expect(form.tap("go").outcome == .started)
  }

  @Test func `The whole form does not turn red on the first key`() throws {
    let form = try SessionDriver(
      text:
        #"{"schema": {"type": "object", "required": ["a", "b", "c"], "properties": {"a": {"type": "string"}, "b": {}, "c": {}}}}"#
    )
    form.change("a", "x")
    #expect(form["/messages"] == [:])
    form.blur("a")
    #expect(form["/messages"] == [:])
  }

  @Test func `Reward early, punish late`() throws {
    let form = try SessionDriver(
      text: #"{"schema": {"type": "object", "properties": {"a": {"type": "string", "minLength": 3}}}}"#
    )
    form.change("a", "x")
    #expect(form.message("a") == nil)
    form.blur("a")
    #expect(form.message("a") != nil)
    form.change("a", "xyz")
    #expect(form.message("a") == nil)
    form.change("a", "x")
    #expect(form.message("a") == nil)
    form.blur("a")
    #expect(form.message("a") != nil)
  }

  @Test func `Asynchronous rules stand beside a JSON Schema and run behind it`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "format": "email"}}},
         "checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p", "arguments": {"a": "self"}}},
           "outcomes": [{"when": "response.body == true", "valid": true}, {"message": "taken"}]}]}
        """
    )
    form.change("a", "kim")
    #expect(form.codes("a") == ["format"] && form.effects.isEmpty)
    form.change("a", "kim@example.com")
    answer(form, form.onlyEffect, false)
    #expect(form.codes("a") == ["c"])
  }

  @Test(arguments: [
    ("ko", "3자 더"), ("en", "3 or more"), ("fr", "3 or more"), ("Ko-kr", "3자 더"), ("EN_us", "3 or more"),
  ])
  func `Texts stand beside the schema, with parameters for translators`(_ locale: String, _ text: String) throws {
    let definition = try SessionDriver(
      text: """
        {"locale": "en", "schema": {"type": "object", "properties": {"a": {"type": "string", "minLength": 3}}},
         "fields": {"a": {"show": "always", "messages": {"minLength": {"ko": "{limit}자 더", "en": "{limit} or more"}}}}}
        """
    ).form
    let form = SessionDriver(definition, options: OpenOptions(locale: locale))
    form.change("a", "x")
    #expect(form.message("a") == text)
    #expect(form["/fields/a/errors/0/params"] == ["limit": 3, "actual": 1])
  }

  @Test func `Hidden values are not submitted`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"more": {"type": "boolean"}, "a": {"type": "string", "maxLength": 9}}},
         "fields": {"a": {"visible": "values.more == true"}},
         "actions": {"go": {"run": {"provider": {"name": "p", "arguments": {"a": "values.a", "more": "values.more"}}}}}}
        """
    )
    form.change(["more": true, "a": "secretive"])
    form.change("more", false)
    form.tap("go")
    #expect(form.onlyProviderRequest?.arguments == ["more": false])
  }

  @Test
  func
    `What a formula costs within the bounds of the schema is known when the form is loaded, and the refusal names the remedy`()
    throws
  {
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "string"}, "maxItems": 500}}},
       "rules": [{"id": "r", "check": "values.a.all(x, values.a.all(y, values.a.all(z, x + y + z != 'abc')))"}]}
      """
    let compilation = Form.compile(Array(text.utf8))
    #expect(compilation.form == nil)
    #expect(compilation.diagnostics.first?.code == "cost")
    #expect("\(compilation.diagnostics)".contains("maxItems"))
  }

  @Test func `One field's delay loses nothing of another's, and cleared errors do not come back`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "minLength": 2}, "b": {"type": "string", "minLength": 2}}},
         "fields": {"a": {"debounce": "100ms", "show": "always"}, "b": {"debounce": "100ms", "show": "always"}}}
        """
    )
    form.change("a", "x")
    form.advance(milliseconds: 50)
    form.change("b", "y")
    form.advance(milliseconds: 50)
    #expect(form.codes("a") == ["minLength"] && form.codes("b").isEmpty)
    form.advance(milliseconds: 50)
    #expect(form.codes("b") == ["minLength"])
    form.change("a", "xx")
    form.advance(milliseconds: 200)
    form.change("b", "yy")
    form.advance(milliseconds: 200)
    #expect(form.isValid)
  }

  @Test func `Length: three decomposed syllables are not eight characters`() throws {
    let nickname = SessionDriver(try example("nickname"), options: OpenOptions(locale: "ko"))
    nickname.change("nickname", "\u{1102}\u{1175}\u{11A8}\u{1102}\u{1166}\u{110B}\u{1175}\u{11B7}")
    #expect(!nickname.isValid)
  }

  @Test(arguments: ["", .null, nil] as [JSON?])
  func `Empty, null and missing are one thing: absent`(_ value: JSON?) throws {
    let form = try SessionDriver(
      text:
        #"{"schema": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}, "outputs": {"empty": "fields.a.isEmpty"}}"#
    )
    form.change("a", "x")
    form.apply(.change([FieldChange(field: 0, value: value)]))
    #expect(form.codes("a") == ["required"] && form["/outputs/empty"] == true && form["/isDirty"] == false)
  }

  @Test func `A number as typed is a text that the schema judges; it is neither mangled nor lost`() throws {
    let form = try SessionDriver(
      text: #"{"schema": {"type": "object", "properties": {"n": {"type": "number"}}}, "outputs": {"n": "values.n"}}"#
    )
    form.change("n", "1,5")
    #expect(form.codes("n") == ["type"])
    #expect(form.session.values() == ["n": "1,5"])
    #expect(form["/outputs/n"] == nil)
    form.change("n", 1.5)
    #expect(form.isValid && form["/outputs/n"] == 1.5)
  }

  @Test func `A plain date stays the date that it is`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"d": {"type": "string", "format": "date"}}}, "outputs": {"d": "values.d"}}
        """
    )
    form.change("d", "2023-09-19")
    #expect(form.isValid && form["/outputs/d"] == "2023-09-19")
    form.change("d", "2023-02-30")
    #expect(form.codes("d") == ["format"])
  }

  @Test func `The value is never echoed, so a focused input cannot be overwritten`() throws {
    let form = try SessionDriver(
      text:
        #"{"schema": {"type": "object", "properties": {"a": {"type": "string"}}}, "fields": {"a": {"normalize": ["trim", "lower"]}}}"#
    )
    form.focus("a")
    form.change("a", "  Typing ")
    let patch = try #require(form.patches.first)
    #expect(form.patches.count == 1 && patch.objectValue?.names == ["isDirty", "fields"])
    #expect(patch["fields"]?.objectValue?.names == ["a"] && form["/fields/a/isDirty"] == true)
    #expect(!"\(form.patches)".contains("yping") && !"\(form.kept)".contains("yping"))
  }

  @Test func `An unknown name is refused when the form is loaded, though || would absorb its error`() throws {
    let text = """
      {"form": "t", "schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},
       "rules": [{"id": "r", "field": "a", "check": "size(values.missing) >= 8 || true"}]}
      """
    let compilation = Form.compile(Array(text.utf8))
    #expect(compilation.form == nil)
    #expect(compilation.diagnostics.map(\.code) == ["expression"])
  }
}
