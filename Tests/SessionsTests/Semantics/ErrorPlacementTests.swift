import Forms
import JSON
import Sessions
import Testing

/// The order of errors, and the field that has each.
@Suite struct `Where errors are` {
  // MARK: The order of errors

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

  // MARK: The field of an error

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
