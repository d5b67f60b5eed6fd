import Forms
import JSON
import Sessions
import Testing

/// Validity is always current. The policy of a field says when its message shows.
@Suite struct `When messages show` {
  private func policies() throws -> SessionDriver {
    try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {
           "always": {"type": "string", "minLength": 2, "default": "x"}, "edit": {"type": "string", "minLength": 2, "default": "x"},
           "blur": {"type": "string", "minLength": 2, "default": "x"}, "submit": {"type": "string", "minLength": 2, "default": "x"}}},
         "fields": {"always": {"show": "always"}, "edit": {"show": "edit"}, "blur": {}, "submit": {"show": "submit"}},
         "actions": {"go": {}}}
        """
    )
  }

  private func shown(_ form: SessionDriver) -> [String] { form["/messages"]?.objectValue?.names ?? [] }

  @Test func `Validity is live, showing is a policy: each policy shows from its own moment on`() throws {
    let form = try policies()
    #expect(!form.isValid)
    #expect(shown(form) == ["always"])
    for field in ["edit", "blur", "submit"] { form.change(field, "y") }
    #expect(shown(form) == ["always", "edit"])
    for field in ["edit", "blur", "submit"] { form.blur(field) }
    #expect(shown(form) == ["always", "edit", "blur"])
    #expect(form.tap("go").outcome == .rejected)
    #expect(shown(form) == ["always", "edit", "blur", "submit"])
  }

  @Test(arguments: ["", "  ", nil] as [JSON?])
  func `Validity is live, showing is a policy: an input that leaves the value as it was is no edit`(
    _ empty: JSON?
  ) throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "maxLength": 9}}},
         "fields": {"a": {"normalize": ["trim"], "show": "edit"}}}
        """
    )
    form.apply(.set(field: 0, to: empty))
    form.apply(.change([FieldChange(field: 0, value: empty)]))
    #expect(form.message("a") == nil && form.session.revision == 0)
    form.change("a", "x")
    form.apply(.set(field: 0, to: empty))
    #expect(form.message("a") != nil)
  }

  @Test func `Validity is live, showing is a policy: the same value again does not begin an editing`() throws {
    let form = try policies()
    form.change("edit", "x")
    #expect(shown(form) == ["always"])
    form.blur("blur")
    form.change("blur", "x")
    form.change("blur", "xyz")
    form.change("blur", "y")
    #expect(shown(form) == ["always"])
    form.blur("blur")
    #expect(shown(form) == ["always", "blur"])
  }

  @Test func `Validity is live, showing is a policy: focus then blur without a change counts`() throws {
    let form = try policies()
    form.focus("blur")
    form.blur("blur")
    #expect(shown(form) == ["always", "blur"])
  }

  @Test func `Validity is live, showing is a policy: commit is a change and the end of editing`() throws {
    let form = try policies()
    form.change(["blur": "y"], commit: true)
    #expect(shown(form) == ["always", "blur"])
    #expect(form["/fields/blur/isTouched"] == true)
    form.change(["blur": "yes"], commit: true)
    #expect(shown(form) == ["always"])
  }

  @Test
  func `Validity is live, showing is a policy: a tap reveals every message, accepted or not, while editing too`()
    throws
  {
    let form = try policies()
    form.change("blur", "y")
    form.focus("submit")
    form.tap("go")
    #expect(shown(form).count == 4)
    form.change("blur", "yy")
    #expect(!shown(form).contains("blur"))
    form.change("blur", "y")
    #expect(!shown(form).contains("blur"))
    form.tap("go")
    #expect(shown(form).contains("blur"))
  }

  @Test(arguments: ["throttle", "debounce"])
  func `Validity is live, showing is a policy: a tap reveals the message of a value that it flushed`(
    _ timing: String
  ) throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "minLength": 2}}},
         "fields": {"a": {"\(timing)": "1s"}}, "actions": {"go": {"enabled": "true"}}}
        """
    )
    form.change("a", "ok")
    form.change("a", "y")
    #expect(form.tap("go").blockers == [Blocker(field: "a", code: "minLength")])
    #expect(form.codes("a") == ["minLength"])
    #expect(form.message("a") != nil)
  }

  @Test func `Validity is live, showing is a policy: a session opened with show always shows everything`() throws {
    let policies = try policies().form
    #expect(shown(SessionDriver(policies, options: OpenOptions(show: .always))).count == 4)
  }

  @Test
  func `Validity is live, showing is a policy: while edited a shown message may change its words but not its kind`()
    throws
  {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "minLength": 3, "maxLength": 5}}},
         "fields": {"a": {"messages": {"minLength": "{actual} of {limit}", "maxLength": "too long"}}}}
        """
    )
    form.change("a", "x")
    form.blur("a")
    #expect(form.message("a") == "1 of 3")
    form.focus("a")
    form.change("a", "xy")
    #expect(form.message("a") == "2 of 3")
    form.change("a", "xyxyxy")
    #expect(form.codes("a") == ["maxLength"])
    #expect(form.message("a") == nil)
    form.blur("a")
    #expect(form.message("a") == "too long")
  }
}
