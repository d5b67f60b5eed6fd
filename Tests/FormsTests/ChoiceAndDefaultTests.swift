import Forms
import JSON
internal import SourceTexts
import Testing

@Suite struct `Values that the schema lists` {
  private static func form(_ more: String) -> String {
    #"""
    {"form": "t", "schema": {"type": "object", "properties": {
      "kind": {"enum": ["delivery", "pickup"]}, "note": {"type": "string", "maxLength": 9},
      "items": {"type": "array", "maxItems": 3, "items": {"type": "object", "properties": {"size": {"enum": ["s", "m"]}}}}
    }}, \#(more)}
    """#
  }

  private func warnings(_ more: String) -> [String] {
    Form.compile(Array(Self.form(more).utf8)).diagnostics.map { "\($0.code): \($0.message); \($0.remedy ?? "")" }
  }

  @Test(
    arguments: [
      ("values.kind == 'delivry'", "values.kind is never 'delivry'; did you mean 'delivery'?"),
      ("'pikup' != values.kind", "values.kind is never 'pikup'; did you mean 'pickup'?"),
      ("values.kind in ['delivery', 'mail']", "values.kind is never 'mail'; its values are: delivery, pickup"),
    ]
  )
  func `a comparison with another text is never true`(_ formula: String, _ said: String) {
    #expect(warnings(#""outputs": {"x": "\#(formula)"}"#) == ["unknownValue: \(said)"])
  }

  @Test(arguments: [
    "values.kind == 'pickup'", "values.kind == ''", "values.note == 'delivry'", "values.kind == values.note",
  ])
  func `other comparisons are not judged`(_ formula: String) {
    #expect(warnings(#""outputs": {"x": "\#(formula)"}"#) == [])
  }

  @Test func `rules know the field by self, rows by row, and answers have kinds`() {
    #expect(
      warnings(
        #"""
        "rules": [{"id": "a", "field": "kind", "check": "self != 'x'", "message": "m"},
          {"id": "b", "field": "/items/*/size", "check": "row.size != 'l'", "message": "m"}],
        "actions": {"go": {"run": {"provider": {"name": "p"}},
          "outcomes": [{"when": "response.kind == 'timeuot'", "failure": "'x'"}, {"success": "true"}]}}
        """#
      ).map { $0.prefix(while: { $0 != ";" }) } == [
        "unknownValue: self is never 'x'", "unknownValue: row.size is never 'l'",
        "unknownValue: response.kind is never 'timeuot'",
      ]
    )
  }
}

@Suite struct `A default` {
  private func warnings(_ properties: String) -> [String] {
    Form.compile(Array(#"{"form": "t", "schema": {"type": "object", "properties": {\#(properties)}}}"#.utf8))
      .diagnostics
      .map { "\($0.code) \($0.pointer)" }
  }

  @Test(
    arguments: [
      (#""a": {"enum": ["x", "y"], "default": "z"}"#, "/schema/properties/a/default"),
      (#""a": {"type": "integer", "maximum": 3, "default": 4}"#, "/schema/properties/a/default"),
      (#""a": {"type": "string", "maxLength": 3, "default": 4}"#, "/schema/properties/a/default"),
      (
        #""o": {"type": "object", "properties": {"a": {"enum": ["x"], "default": "z"}}}"#,
        "/schema/properties/o/properties/a/default"
      ),
      (
        #""l": {"type": "array", "maxItems": 2, "items": {"type": "object", "properties": {"a": {"enum": ["x"], "default": "z"}}}}"#,
        "/schema/properties/l/items/properties/a/default"
      ),
    ]
  )
  func `that its schema refuses is told`(_ properties: String, _ pointer: String) {
    #expect(warnings(properties) == ["default \(pointer)"])
  }

  @Test(
    arguments: [
      #""a": {"enum": ["x", "y"], "default": "y"}"#,
      #""a": {"type": "string", "minLength": 3, "maxLength": 9, "default": ""}"#,
      #""a": {"type": ["integer", "null"], "default": null}"#,
    ]
  )
  func `that its schema allows, and no input, are not told`(_ properties: String) {
    #expect(warnings(properties) == [])
  }
}

@Suite struct `Values that belong together` {
  private func related(_ text: String) -> [String] {
    Form.compile(ScannedText(json: SourceText(Array(text.utf8)), limits: Form.jsonLimits), file: "t.form.json")
      .diagnostics
      .flatMap { diagnostic in diagnostic.related.map { "\(diagnostic.pointer): \($0.pointer) \($0.message)" } }
  }

  @Test func `the first of two ids, and the formulas of a circle, are told`() {
    #expect(
      related(
        #"""
        {"schema": {"properties": {"a": {"type": "string", "maxLength": 3}}},
         "rules": [{"id": "x", "check": "true", "message": "m"}, {"id": "x", "check": "true", "message": "m"}],
         "steps": [{"id": "s", "fields": ["a"]}, {"id": "s", "fields": []}]}
        """#
      ) == ["/rules/1/id: /rules/0/id the first one", "/steps/1/id: /steps/0/id the first one"]
    )
    let circle = related(
      #"""
      {"schema": {"properties": {"a": {"type": "string", "maxLength": 3}, "b": {"type": "string", "maxLength": 3}}},
       "fields": {"a": {"visible": "fields.b.isVisible"}, "b": {"visible": "fields.a.isVisible"}}}
      """#
    )
    #expect(circle.count == 1 && circle[0].contains("/fields/a/visible") && circle[0].contains("/fields/b/visible"))
  }
}
