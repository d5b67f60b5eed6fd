import Forms
import JSON
import Sessions
internal import SourceTexts
import Testing

/// The fields that a tap depends on, and the checks that it starts.
@Suite struct `The scope of an action` {
  private static let text = """
    {"schema": {"type": "object", "required": ["email", "name"], "properties": {
       "email": {"type": "string", "maxLength": 50}, "name": {"type": "string", "maxLength": 20},
       "address": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string", "maxLength": 20}}}}},
     "checks": [{"id": "known", "field": "email", "run": {"provider": {"name": "p", "arguments": {"e": "self"}}},
       "outcomes": [{"when": "response.body == true", "valid": true}, {"code": "taken", "message": "Taken."}]}],
     "rules": [{"id": "form", "check": "values.name != 'nobody'", "message": "Not nobody."}],
     "actions": {"next": {"scope": ["email", "/address"]}, "read": {"enabled": "fields.name.isValid"}, "all": {},
       "free": {"scope": "none"}, "late": {"enabled": "fields.name.isValid && form.isValid"}}}
    """

  private func driver(_ values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(text: Self.text, options: OpenOptions(values: values))
  }

  @Test func `its errors alone block a tap, are told and are revealed`() throws {
    let form = try driver()
    form.change("/address/city", "")
    #expect(form.tap("next").blockers == [Blocker(field: "email", code: "required")])
    #expect(form.kept["messages"] == ["email": "This is required."])
    #expect(!form.isEnabled("next") && form.isEnabled("free"))
    form.change("address", [:])
    #expect(form.tap("next").blockers.map(\.field) == ["email", "/address/city"])
    #expect(form.message("~1address~1city") == "This is required." && form.message("name") == nil)
    #expect(form.tap("all").blockers.map(\.field) == ["email", "name", "/address/city"])
    #expect(form.message("name") == "This is required.")
  }

  @Test func `is what enabled reads by status, where that is narrower than the form`() throws {
    let form = try driver()
    #expect(form.tap("read").blockers == [Blocker(field: "name", code: "required")])
    #expect(form.tap("late").blockers.map(\.field) == ["email", "name"])
    form.change("name", "nobody")
    // The form's own errors do not concern a field.
    #expect(form.tap("read").outcome == .started)
    #expect(form.tap("late").blockers.first == Blocker(field: nil, code: "form"))
  }

  @Test func `its checks alone hold a tap, and a tap starts those that nobody has run`() throws {
    let form = try driver(["email": "kim@example.com"])
    #expect(form.effectsInOrder.isEmpty && form["/fields/email/isPending"] == false)
    #expect(form.tap("read").blockers.map(\.field) == ["name"] && form.effectsInOrder.isEmpty)
    #expect(form.tap("next").outcome == .held && form["/fields/email/isPending"] == true)
    form.change("name", "Kim")
    #expect(form.tap("read").outcome == .started)
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: false))
    #expect(
      form.events.last?.kind == .rejected && form.events.last?.blockers == [Blocker(field: "email", code: "taken")]
    )
    #expect(form.message("email") == "Taken.")
  }

  @Test func `no check is started where an error blocks, or where the tap is dropped`() throws {
    let form = try driver(["email": "kim@example.com"])
    #expect(form.tap("all").outcome == .rejected && form.effectsInOrder.isEmpty)
    form.change("name", "Kim")
    #expect(form.tap("all").outcome == .held)
    #expect(form.tap("all").outcome == .dropped && form.effectsInOrder.count == 1)
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    #expect(form.events.last?.kind == .succeeded)
  }

  @Test func `an initial value that is trusted needs no check, another one does`() throws {
    let text = Self.text.replacing("\"id\": \"known\",", with: "\"id\": \"known\", \"trustInitial\": true,")
    let form = try SessionDriver(text: text, options: OpenOptions(values: ["email": "kim@example.com", "name": "Kim"]))
    #expect(form.tap("all").outcome == .started)
    form.change("email", "lee@example.com")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: false))
    #expect(form.codes("email") == ["taken"])
    form.change("email", "kim@example.com")
    #expect(form.isValid && form.tap("all").outcome == .started)
  }

  @Test func `a check whose service failed stops a run, and disables only what has a formula of its own`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"o": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},
           "b": {"type": "string", "maxLength": 1}}},
         "checks": [{"id": "c", "field": "/o/a", "run": {"provider": {"name": "p", "arguments": {"a": "self"}}},
           "outcomes": [{"when": "response.body == true", "valid": true}, {"code": "taken"}]}],
         "actions": {"all": {}, "part": {"scope": ["o"]}, "own": {"enabled": "form.isValid"}}}
        """
    )
    func enabled() -> [Bool] { ["all", "part", "own"].map(form.isEnabled) }
    form.change("/o/a", "x")
    #expect(enabled() == [false, false, false])
    form.answer(kind: .refused)
    #expect(enabled() == [true, true, false] && !form.isValid)
    // Another error in the scope disables the action, and goes without a change of the scope's validity.
    form.change("b", "toolong")
    #expect(enabled() == [false, true, false])
    form.change("b", "x")
    #expect(enabled() == [true, true, false])
    #expect(form.tap("part").outcome == .held && enabled() == [false, false, false])
    form.answer(kind: .refused)
    #expect(form.events.last?.blockers == [Blocker(field: "/o/a", code: "c")] && enabled() == [true, true, false])
  }

  @Test func `an error blocks a tap though enabled says yes`() throws {
    let form = try SessionDriver(
      text: #"{"schema": {"required": ["a"], "properties": {"a": {}}}, "actions": {"go": {"enabled": "true"}}}"#
    )
    #expect(form.isEnabled("go") && form.tap("go").blockers == [Blocker(field: "a", code: "required")])
  }

  @Test func `a field that appears behind a tap waits for its own policy`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"required": ["a", "b"], "properties": {"a": {"type": "string"}, "b": {"type": "string"}}},
         "fields": {"b": {"visible": "values.a == 'x'"}}, "actions": {"go": {}}}
        """
    )
    form.tap("go")
    form.change("a", "x")
    #expect(form.codes("b") == ["required"] && form.message("b") == nil)
    form.tap("go")
    #expect(form.message("b") == "This is required.")
  }

  @Test func `leads to fields that there are`() {
    let compilation = Form.compile(
      Array(
        #"{"form": "t", "schema": {"properties": {"email": {}}}, "actions": {"go": {"scope": ["emial", 7]}, "no": {"scope": "all"}}}"#
          .utf8
      )
    )
    #expect(
      compilation.diagnostics.map(\.pointer.description).sorted() == [
        "/actions/go/scope/0", "/actions/go/scope/1", "/actions/no/scope",
      ]
    )
    let unknown = Form.compile(
      Array(#"{"form": "t", "schema": {"properties": {"email": {}}}, "actions": {"go": {"scope": ["emial"]}}}"#.utf8)
    )
    #expect(unknown.diagnostics.map(\.code) == ["unknownField"])
    #expect("\(unknown.diagnostics)".contains("did you mean \"email\"?"))
  }
}
