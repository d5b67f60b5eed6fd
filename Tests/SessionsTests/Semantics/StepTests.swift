import Forms
import JSON
import Sessions
import Testing

/// The parts of a form that are shown one at a time.
@Suite struct `Steps` {
  private static let text = """
    {"schema": {"type": "object", "required": ["email", "name"], "properties": {
       "email": {"type": "string", "maxLength": 50}, "name": {"type": "string", "maxLength": 20},
       "address": {"type": "object", "required": ["city"], "properties": {"city": {"type": "string", "maxLength": 20},
         "zip": {"type": "string", "maxLength": 9}}},
       "company": {"type": "boolean"}, "vat": {"type": "string", "maxLength": 20}, "note": {"type": "string", "maxLength": 9}}},
     "checks": [{"id": "known", "field": "email", "run": {"provider": {"name": "p", "arguments": {"e": "self"}}},
       "outcomes": [{"when": "response.body == true", "valid": true}, {"code": "taken", "message": "Taken."}]}],
     "steps": [{"id": "account", "label": {"en": "Account", "ko": "계정"}, "fields": ["email", "company"]},
       {"id": "firm", "fields": ["vat"], "visible": "values.company == true"},
       {"id": "profile", "fields": ["name", "/address"]},
       {"id": "review", "fields": []}],
     "fields": {"vat": {"required": "true"}},
     "actions": {"next": {"scope": "account"}, "more": {"enabled": "steps.profile.isValid"}, "submit": {}},
     "outputs": {"isLast": "steps.account.isTouched && steps.firm.isVisible", "waits": "steps.account.isPending"}}
    """

  private func driver(_ values: JSONObject? = nil) throws -> SessionDriver {
    try SessionDriver(text: Self.text, options: OpenOptions(values: values))
  }

  private func show(_ step: String, _ form: SessionDriver) {
    form.apply(.show(step: form.form.step(named: step)!))
  }

  @Test func `stand in the document with what their fields come to together`() throws {
    let form = try driver()
    #expect(form["/step"] == "account")
    #expect(form["/steps/account"] == ["isVisible": true, "isValid": false, "isPending": false, "isTouched": false])
    #expect(form["/steps/review"] == ["isVisible": true, "isValid": true, "isPending": false, "isTouched": false])
    form.change("email", "kim@example.com")
    #expect(form["/steps/account/isPending"] == true && form["/outputs/waits"] == true)
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    form.blur("email")
    #expect(form["/steps/account"] == ["isVisible": true, "isValid": true, "isPending": false, "isTouched": true])
    form.change("/address/zip", "1")
    form.change("name", "Kim")
    #expect(form["/steps/profile/isValid"] == false)
    form.change("/address/city", "Seoul")
    #expect(form["/steps/profile/isValid"] == true)
    form.blur("/address/zip")
    #expect(form["/steps/profile/isTouched"] == true)
  }

  @Test func `a form without them says nothing of them`() throws {
    let form = try SessionDriver(text: #"{"schema": {"properties": {"a": {}}}}"#)
    #expect(form["/steps"] == nil && form["/step"] == nil && form.session.currentStep == nil)
  }

  @Test func `a hidden one hides its fields, which then do not count`() throws {
    let form = try driver()
    #expect(
      form["/steps/firm/isVisible"] == false && form["/fields/vat/isVisible"] == false && form.codes("vat").isEmpty
    )
    #expect(form["/steps/firm/isValid"] == true)
    form.change("company", true)
    form.blur("company")
    #expect(form["/steps/firm"] == ["isVisible": true, "isValid": false, "isPending": false, "isTouched": false])
    #expect(
      form["/fields/vat/isVisible"] == true && form.codes("vat") == ["required"] && form["/outputs/isLast"] == true
    )
    form.change("vat", "DE1")
    form.change("company", false)
    #expect(form["/fields/vat/isVisible"] == false && form.session.values() == ["company": false, "vat": "DE1"])
    #expect(form["/fields/note/isVisible"] == true)
  }

  @Test func `the user goes to any that is shown, and is at the next one while theirs is hidden`() throws {
    let form = try driver(["company": true])
    show("firm", form)
    #expect(form["/step"] == "firm" && form.session.revision == 1)
    show("firm", form)
    #expect(form.session.revision == 1)
    form.change("company", false)
    #expect(form["/step"] == "profile")
    form.change("company", true)
    #expect(form["/step"] == "firm")
    show("account", form)
    #expect(form["/step"] == "account")
    show("review", form)
    form.reset(keepValues: true)
    #expect(form["/step"] == "review")
    form.reset()
    #expect(form["/step"] == "account")
  }

  @Test func `behind the last that is shown is the one before it, and where none is shown there is none`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"properties": {"a": {"type": "integer"}}},
         "steps": [{"id": "one", "fields": [], "visible": "values.a != 1"}, {"id": "two", "fields": [], "visible": "values.a == null"}]}
        """
    )
    show("two", form)
    #expect(form["/step"] == "two")
    form.change("a", 2)
    #expect(form["/step"] == "one")
    form.change("a", 1)
    #expect(form["/step"] == nil && form.session.currentStep == nil)
    form.change("a", .null)
    #expect(form["/step"] == "two")
  }

  @Test func `as the scope of an action it alone blocks, holds and is revealed`() throws {
    let form = try driver()
    #expect(form.tap("next").blockers == [Blocker(field: "email", code: "required")])
    #expect(form.kept["messages"] == ["email": "This is required."])
    form.change("email", "kim@example.com")
    #expect(form.tap("next").outcome == .held)
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    #expect(form.events.last?.kind == .succeeded && form.kept["messages"] == [:])
    // The other action's scope is the fields that its `enabled` reads.
    #expect(form.tap("more").blockers == [Blocker(field: "name", code: "required")])
    #expect(form.tap("submit").blockers == [Blocker(field: "name", code: "required")])
  }

  @Test func `order the blockers of a tap: step by step, then by field, and in lists by row`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"required": ["free", "last", "box", "first"], "properties": {
           "free": {"type": "string"}, "last": {"type": "string"},
           "box": {"type": "object", "required": ["b", "a"], "properties": {
             "a": {"type": "string"}, "b": {"type": "string"}}},
           "first": {"type": "string"},
           "rows": {"type": "array", "items": {"type": "object", "required": ["x"], "properties": {
             "x": {"type": "string"}}}}}},
         "rules": [{"id": "whole", "check": "false"}],
         "steps": [{"id": "one", "fields": ["rows", "first"]}, {"id": "two", "fields": ["/box/b", "last"]},
           {"id": "three", "fields": ["/box/a"]}],
         "actions": {"go": {}}}
        """,
      options: OpenOptions(values: ["rows": [[:], ["x": "there"], [:]]])
    )
    form.move("/rows/2", to: 0)
    let fields = form.tap("go").blockers.map { $0.field }
    #expect(fields == [nil, "first", "/rows/#3/x", "/rows/#1/x", "last", "/box/b", "/box/a", "free"])
    let reasons = form.session.explanation()["actions"]?["go"]?["because"]?.arrayValue ?? []
    #expect(reasons.map { $0["field"]?.stringValue } == fields)
  }

  @Test func `come back from a snapshot as they were`() throws {
    let form = try driver(["company": true])
    show("firm", form)
    form.blur("email")
    let restored = try Engine().restore(form.form, from: form.session.snapshot(for: .resuming), at: form.now)
      .session
    #expect(restored.document == form.kept && restored.currentStep == 1)
    #expect(restored.checkInvariants().isEmpty)
  }

  @Test func `are explained by what keeps them from being valid and from being shown`() throws {
    let form = try driver()
    let explanation = form.session.explanation()
    #expect(explanation["steps"]?["firm"]?["hiddenBy"] == "values.company == true")
    #expect(explanation["steps"]?["account"]?["because"]?.arrayValue?.first?["field"] == "email")
    #expect(explanation["fields"]?["vat"]?["hiddenBy"] == "steps.firm.isVisible")
    #expect(explanation["actions"]?["next"]?["because"]?.arrayValue?.count == 1)
  }

  @Test func `may be watched`() throws {
    let form = try SessionDriver(
      text: Self.text,
      options: OpenOptions(watch: [JSONPointer("/steps/firm/isVisible")!, JSONPointer("/step")!])
    )
    #expect(form.kept == ["step": "account", "steps": ["firm": ["isVisible": false]]])
  }

  @Test func `a change costs the same however many fields a step has`() throws {
    #if DEBUG
      func evaluations(_ count: Int) throws -> Int {
        let names = (0..<count).map { "f\($0)" }
        let form = try SessionDriver([
          "schema": [
            "properties": .object(JSONObject(uncheckedMembers: names.map { .init(name: $0, value: ["maxLength": 2]) }))
          ],
          "steps": [["id": "all", "fields": .array(names.map { .string($0) })]],
          "outputs": ["o": "steps.all.isValid"],
        ])
        form.change("f0", "long")
        #expect(form["/steps/all/isValid"] == false)
        return form.evaluations
      }
      #expect(try evaluations(3) == evaluations(300))
    #endif
  }
}
