import Forms
import JSON
import Sessions
import Testing

/// The rules by which a session judges, shows, asks and runs what a form definition says. The name of a test begins
/// with its rule.
@Suite struct SemanticsTests {
  // MARK: 1

  @Test(arguments: ["", "   ", nil] as [JSON?])
  func `Empty is absent: only required fails, no other keyword or rule runs`(_ value: JSON?) throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "required": ["a"], "properties": {"a": {"type": "string", "minLength": 3}}},
         "fields": {"a": {"normalize": ["trim"]}},
         "rules": [{"id": "r", "field": "a", "check": "false"}]}
        """
    )
    form.change("a", "xyz")
    #expect(form.codes("a") == ["r"])
    form.apply(.change([FieldChange(field: 0, value: value)]))
    #expect(form.codes("a") == ["required"])
    #expect(form.session.values() == [:])
  }

  @Test func `Empty is absent: an optional field is valid when empty and checked when not`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "minLength": 3}}},
         "rules": [{"id": "r", "field": "a", "check": "self.startsWith('x')"}]}
        """
    )
    #expect(form.isValid)
    form.change("a", "a")
    #expect(form.codes("a") == ["minLength", "r"])
    form.change("a", "")
    #expect(form.isValid)
    form.change("a", .null)
    #expect(form.isValid)
  }

  @Test
  func `Empty is absent: null is a value where the schema admits it, and emptyAs keep makes the empty text one`()
    throws
  {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "required": ["n", "k"],
          "properties": {"n": {"type": ["string", "null"]}, "k": {"type": "string", "maxLength": 5}}},
         "fields": {"k": {"emptyAs": "keep"}}}
        """
    )
    #expect(form.codes("n") == ["required"])
    form.change("n", .null)
    #expect(form.codes("n").isEmpty)
    form.change("k", "")
    #expect(form.isValid)
    #expect(form.session.values() == ["n": .null, "k": ""])
  }

  @Test(arguments: [[], [:], 0, false] as [JSON])
  func `Empty is absent: other empties are values`(_ value: JSON) throws {
    let form = try SessionDriver(text: #"{"schema": {"type": "object", "required": ["a"], "properties": {"a": {}}}}"#)
    #expect(!form.isValid)
    form.change("a", value)
    #expect(form.isValid)
    #expect(form.session.values() == ["a": value])
  }

  @Test func `Empty is absent: required by the field's own formula`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "boolean"}}},
         "fields": {"a": {"required": "values.b == true"}}}
        """
    )
    #expect(form.isValid)
    #expect(form["/fields/a/isRequired"] == false)
    form.change("b", true)
    #expect(form.codes("a") == ["required"])
    #expect(form["/fields/a/isRequired"] == true)
    form.change("b", false)
    #expect(form.isValid)
  }

  // MARK: 2

  @Test func `Length: minLength and size count code points, graphemes what people call characters`() throws {
    let form = try SessionDriver(
      text: #"""
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "minLength": 5, "maxLength": 20}}},
         "outputs": {"size": "size(values.a)", "graphemes": "graphemes(values.a)"}}
        """#
    )
    let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"
    form.change("a", .string(family))
    #expect(form.isValid)
    #expect(form["/outputs"] == ["size": 5, "graphemes": 1])
    form.change("a", "e\u{301}")
    #expect(form.codes("a") == ["minLength"])
    #expect(form["/outputs"] == ["size": 2, "graphemes": 1])
  }

  @Test func `Length: NFC before rules where the field asks for it, never for secrets unless asked`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9},
          "plain": {"type": "string", "maxLength": 9}, "secret": {"type": "string", "maxLength": 9, "writeOnly": true},
          "asked": {"type": "string", "maxLength": 9, "writeOnly": true}}},
         "fields": {"a": {"normalize": ["nfc"]}, "asked": {"normalize": ["nfc"]}},
         "outputs": {"a": "size(values.a)", "plain": "size(values.plain)", "secret": "size(values.secret) == 2",
           "asked": "size(values.asked) == 1"}}
        """
    )
    form.change(["a": "e\u{301}", "plain": "e\u{301}", "secret": "e\u{301}", "asked": "e\u{301}"])
    #expect(form["/outputs"] == ["a": 1, "plain": 2, "secret": true, "asked": true])
  }

  @Test func `Length: text functions work on code points, not on Swift's characters`() throws {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "maxLength": 9}}},
         "outputs": {"has": "values.a.contains('@')"}}
        """
    )
    form.change("a", "@\u{301}a")
    #expect(form["/outputs/has"] == true)
  }

  // MARK: 3

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

  // MARK: 4

  @Test
  func
    `Order: schema, rules, checks; errors before warnings; the first is shown, all are listed, warnings never block`()
    throws
  {
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {"type": "string", "minLength": 3, "pattern": "^[a-z]*$"}}},
         "fields": {"a": {"show": "always"}},
         "rules": [{"id": "w", "field": "a", "check": "false", "message": "a warning", "severity": "warning"},
           {"id": "r1", "field": "a", "check": "size(self) > 2", "message": "one"},
           {"id": "r2", "field": "a", "check": "self != 'X'", "message": "two"}],
         "checks": [{"id": "c", "field": "a", "run": {"provider": {"name": "p", "arguments": {"a": "self"}}},
           "outcomes": [{"when": "response.body == true", "valid": true}, {"code": "taken", "message": "taken"}]}]}
        """
    )
    form.change("a", "X")
    #expect(form.codes("a") == ["minLength", "pattern", "r1", "r2", "w"])
    #expect(form.message("a") == "This must have at least 3 characters.")
    form.change("a", "xyz")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: false))
    #expect(form.codes("a") == ["taken", "w"])
    #expect(form.message("a") == "taken")
    #expect(!form.isValid)
    form.change("a", "wxyz")
    form.answer(form.onlyEffect, EffectResponse(kind: .ok, body: true))
    #expect(form.codes("a") == ["w"])
    #expect(form.message("a") == "a warning")
    #expect(form.isValid)
  }

  // MARK: 5

  private func errorLines(_ schema: String, _ values: KeyValuePairs<String, JSON>) throws -> [String] {
    let form = try SessionDriver(text: "{\"schema\": \(schema)}")
    form.change(values)
    var found = (form["/errors"]?.arrayValue ?? []).map {
      "form \($0["code"]?.stringValue ?? "") \($0["path"]?.stringValue ?? "-")"
    }
    for field in form.form.fields {
      let path = field.path.map { "/fields/\($0)" }.joined()
      for error in form["\(path)/errors"]?.arrayValue ?? [] {
        found.append("\(field.address) \(error["code"]?.stringValue ?? "") \(error["path"]?.stringValue ?? "-")")
      }
    }
    return found
  }

  @Test func `Which field an error belongs to: the deepest that holds its place`() throws {
    #expect(
      try errorLines(
        #"{"type": "object", "properties": {"a": {"type": "array", "prefixItems": [{}, {"type": "object", "properties": {"q": {"minimum": 1}}}]}}}"#,
        ["a": [["q": 1], ["q": 0]]]
      ) == ["a minimum /1/q"]
    )
    let rows = try SessionDriver(
      text:
        #"{"schema": {"properties": {"a": {"type": "array", "items": {"type": "object", "properties": {"q": {"minimum": 1}}}}}}}"#
    )
    rows.change("a", [["q": 1], ["q": 0]])
    #expect(rows.codes("a") == [] && rows.codes("/a/#1/q") == [] && rows.codes("/a/#2/q") == ["minimum"])
  }

  @Test func `Which field an error belongs to: of a union those of the branch that the value is meant for`() throws {
    let payment = """
      {"type": "object", "properties": {"pay": {"type": "object", "required": ["kind"], "properties": {"kind": {"enum": ["card", "bank"]}},
        "oneOf": [
          {"properties": {"kind": {"const": "card"}, "number": {"type": "string", "minLength": 12}}, "required": ["number"]},
          {"properties": {"kind": {"const": "bank"}, "iban": {"type": "string", "pattern": "^[A-Z]{2}"}, "owner": {"type": "string"}},
           "required": ["iban", "owner"]}]},
       "limit": {"anyOf": [{"type": "null"}, {"type": "integer", "minimum": 5}]},
       "either": {"oneOf": [{"required": ["x", "y"]}, {"required": ["z"]}]}}}
      """
    #expect(try errorLines(payment, ["/pay/kind": "card"]) == ["/pay/number required -"])
    #expect(try errorLines(payment, ["/pay/kind": "card", "/pay/number": "123"]) == ["/pay/number minLength -"])
    #expect(
      try errorLines(payment, ["/pay/kind": "bank", "/pay/iban": "1"]) == [
        "/pay/iban pattern -", "/pay/owner required -",
      ]
    )
    #expect(try errorLines(payment, ["/pay/kind": "cash"]).first == "pay oneOf -")
    #expect(try errorLines(payment, ["limit": 3]) == ["limit minimum -"])
    let form = try SessionDriver(text: "{\"schema\": \(payment)}")
    form.change("either", [:])
    #expect(form["/fields/either/errors/0/params/causes"] == [["code": "required", "path": "/z"]])
  }

  @Test func `Which field an error belongs to: required and dependent point at the missing member`() throws {
    #expect(
      try errorLines(
        #"{"type": "object", "properties": {"a": {}, "b": {}}, "required": ["a"], "dependentRequired": {"a": ["b"]}}"#,
        ["a": 1]
      ) == ["b dependentRequired -"]
    )
    #expect(
      try errorLines(
        #"{"type": "object", "properties": {"a": {"type": "object", "required": ["q"]}}}"#,
        ["a": [:]]
      )
        == ["a required /q"]
    )
  }

  @Test
  func `Which field an error belongs to: one that two keywords require is told once, two that are missing are told`()
    throws
  {
    #expect(
      try errorLines(
        """
        {"type": "object", "properties": {"a": {"type": "object", "required": ["x"]}, "b": {}, "c": {}}, "required": ["c"],
         "if": {"required": ["b"]}, "then": {"required": ["c"], "properties": {"a": {"required": ["y"]}}}}
        """,
        ["a": [:], "b": 1]
      ) == ["a required /x", "a required /y", "c required -"]
    )
  }

  @Test func `Which field an error belongs to: allOf, ref, then and else are transparent`() throws {
    #expect(
      try errorLines(
        """
        {"type": "object", "$defs": {"d": {"properties": {"a": {"minimum": 5}}}}, "allOf": [{"$ref": "#/$defs/d"}],
         "properties": {"a": {}, "b": {}, "c": {}}, "if": {"properties": {"a": {"const": 1}}, "required": ["a"]},
         "then": {"required": ["b"]}, "else": {"properties": {"c": {"maximum": 3}}}}
        """,
        ["a": 1, "c": 9]
      ) == ["a minimum -", "b required -"]
    )
  }

  @Test
  func
    `Which field an error belongs to: anyOf, oneOf and not report once where they stand; what names no field goes to the form`()
    throws
  {
    #expect(
      try errorLines(
        #"{"type": "object", "properties": {"a": {"anyOf": [{"minimum": 5}, {"multipleOf": 7}]}, "b": {"not": {"const": 1}}}}"#,
        ["a": 1, "b": 1]
      ) == ["a anyOf -", "b not -"]
    )
    let form = try SessionDriver(
      text: """
        {"schema": {"type": "object", "properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
         "rules": [{"id": "differ", "check": "values.a != values.b", "message": "They must differ."}]}
        """
    )
    #expect(form["/errors"]?.arrayValue?.compactMap { $0["code"]?.stringValue } == ["anyOf", "differ"])
    form.change(["a": 1, "b": 2])
    #expect(form.isValid)
    form.change("b", 1)
    #expect(form["/errors/0/message"] == "They must differ.")
    #expect(form["/errors/0/path"] == nil)
    #expect(!form.isValid)
  }
}
