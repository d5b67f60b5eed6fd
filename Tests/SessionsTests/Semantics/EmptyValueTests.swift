import Forms
import JSON
import Sessions
import Testing

/// An empty value counts as no value.
@Suite struct `Empty values` {
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
}
