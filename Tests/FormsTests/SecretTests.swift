import Forms
import JSON
internal import SourceTexts
import Testing

/// A schema, and which of its fields are secrets.
struct SecretCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let schema: String
  let secrets: [String]

  init(_ description: String, _ schema: String, _ secrets: [String]) {
    testDescription = description
    self.schema = schema
    self.secrets = secrets
  }
}

@Suite struct `A field is a secret` {
  static let cases: [SecretCase] = [
    SecretCase("itself", #"{"properties": {"a": {"writeOnly": true}, "b": {"writeOnly": false}}}"#, ["a"]),
    SecretCase(
      "in then",
      #"{"properties": {"a": {}, "b": {}}, "if": {}, "then": {"properties": {"a": {"writeOnly": true}}}}"#,
      ["a"]
    ),
    SecretCase(
      "in else",
      #"{"properties": {"a": {}, "b": {}}, "if": {}, "else": {"properties": {"a": {"writeOnly": true}}}}"#,
      ["a"]
    ),
    SecretCase(
      "in if",
      #"{"properties": {"a": {}, "b": {}}, "if": {"properties": {"a": {"writeOnly": true}}}}"#,
      ["a"]
    ),
    SecretCase(
      "below not",
      #"{"properties": {"a": {}, "b": {}}, "not": {"properties": {"a": {"writeOnly": true}}}}"#,
      ["a"]
    ),
    SecretCase(
      "in a branch of the root's anyOf",
      #"{"properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["b"]}, {"properties": {"a": {"writeOnly": true}}}]}"#,
      ["a"]
    ),
    SecretCase(
      "in a branch of the root's oneOf",
      #"{"properties": {"a": {}, "b": {}}, "oneOf": [{"required": ["b"]}, {"properties": {"a": {"writeOnly": true}}}]}"#,
      ["a"]
    ),
    SecretCase(
      "in dependentSchemas",
      #"{"properties": {"a": {}, "b": {}}, "dependentSchemas": {"b": {"properties": {"a": {"writeOnly": true}}}}}"#,
      ["a"]
    ),
    SecretCase(
      "in dependencies of draft 7",
      #"""
      {"$schema": "http://json-schema.org/draft-07/schema#",
       "properties": {"a": {}, "b": {}}, "dependencies": {"b": {"properties": {"a": {"writeOnly": true}}}}}
      """#,
      ["a"]
    ),
    SecretCase(
      "by its name's pattern",
      #"{"properties": {"a_pin": {}, "b": {}}, "patternProperties": {"_pin$": {"writeOnly": true}}}"#,
      ["a_pin"]
    ),
    SecretCase(
      "by additionalProperties of a branch that does not name the field",
      #"{"properties": {"a": {}, "b": {}}, "allOf": [{"properties": {"b": {}}, "additionalProperties": {"writeOnly": true}}]}"#,
      ["a"]
    ),
    SecretCase(
      "by additionalProperties of a branch whose patterns do not name the field",
      #"{"properties": {"a": {}, "b": {}}, "anyOf": [{"patternProperties": {"^b": {}}, "additionalProperties": {"writeOnly": true}}]}"#,
      ["a"]
    ),
    SecretCase(
      "by unevaluatedProperties",
      #"{"properties": {"a": {}, "b": {}}, "anyOf": [{"properties": {"b": {}}, "unevaluatedProperties": {"writeOnly": true}}]}"#,
      ["a"]
    ),
    SecretCase(
      "in one branch of its anyOf",
      #"{"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "integer", "writeOnly": true}]}, "b": {}}}"#,
      ["a"]
    ),
    SecretCase(
      "where its value has a type",
      #"{"properties": {"a": {"if": {"type": "string"}, "then": {"writeOnly": true}}, "b": {}}}"#,
      ["a"]
    ),
    SecretCase("below its not", #"{"properties": {"a": {"not": {"const": 1, "writeOnly": true}}, "b": {}}}"#, ["a"]),
    SecretCase(
      "by a member",
      #"{"properties": {"a": {"properties": {"c": {"properties": {"d": {"writeOnly": true}}}}}, "b": {}}}"#,
      ["/a/c/d"]
    ),
    SecretCase(
      "by a member very far inside",
      #"{"properties": {"a": \#(String(repeating: #"{"properties": {"c": "#, count: 30)){"writeOnly": true}\#(String(repeating: "}}", count: 30)), "b": {}}}"#,
      ["/a\(String(repeating: "/c", count: 30))"]
    ),
    SecretCase(
      "by its elements",
      #"{"properties": {"a": {"items": {"writeOnly": true}}, "b": {"items": {}}}}"#,
      ["/a/*"]
    ),
    SecretCase(
      "by one of its first elements",
      #"{"properties": {"a": {"prefixItems": [{}, {"writeOnly": true}]}, "b": {}}}"#,
      ["a"]
    ),
    SecretCase("by what it contains", #"{"properties": {"a": {"contains": {"writeOnly": true}}, "b": {}}}"#, ["a"]),
    SecretCase(
      "by further elements",
      #"{"properties": {"a": {"unevaluatedItems": {"writeOnly": true}}, "b": {}}}"#,
      ["a"]
    ),
    SecretCase(
      "by any member",
      #"{"properties": {"a": {"additionalProperties": {"writeOnly": true}}, "b": {}}}"#,
      ["a"]
    ),
    SecretCase(
      "behind references",
      ##"{"$defs": {"x": {"$ref": "#/$defs/y"}, "y": {"writeOnly": true}}, "properties": {"a": {"$ref": "#/$defs/x"}, "b": {}}}"##,
      ["a"]
    ),
    SecretCase(
      "on a circle",
      ##"{"$defs": {"x": {"properties": {"next": {"$ref": "#/$defs/x"}, "pin": {"writeOnly": true}}}}, "properties": {"a": {"$ref": "#/$defs/x"}, "b": {}}}"##,
      ["/a/next", "/a/pin"]
    ),
    SecretCase(
      "by a circle through the form itself",
      ##"{"properties": {"a": {"items": {"$ref": "#"}}, "pin": {"writeOnly": true}, "b": {}}}"##,
      ["pin", "/a/*"]
    ),
    SecretCase(
      "behind a dynamic reference",
      ##"""
      {"$defs": {"x": {"$id": "/x", "$dynamicAnchor": "n"}, "y": {"$id": "/y", "$dynamicAnchor": "n", "writeOnly": true}},
       "properties": {"a": {"$dynamicRef": "/x#n"}, "b": {}, "c": {"$ref": "/x"}}}
      """##,
      ["a"]
    ),
    SecretCase(
      "behind a reference to conditions",
      ##"{"$defs": {"x": {"if": {}, "then": {"allOf": [{"properties": {"a": {"writeOnly": true}}}]}}}, "properties": {"a": {}, "b": {}}, "$ref": "#/$defs/x"}"##,
      ["a"]
    ),
    SecretCase(
      "with all others, when the form is",
      #"{"properties": {"a": {}, "b": {}}, "anyOf": [{}, {"writeOnly": true}]}"#,
      ["a", "b"]
    ),
    SecretCase(
      "not by the name that a member may have",
      #"{"properties": {"a": {"propertyNames": {"writeOnly": true}}}}"#,
      []
    ),
    SecretCase(
      "not by a schema that nothing applies",
      #"{"$defs": {"x": {"writeOnly": true}}, "properties": {"a": {}}, "then": {"properties": {"a": {"writeOnly": true}}}}"#,
      []
    ),
    SecretCase(
      "not by a constant that looks like a schema",
      #"{"properties": {"a": {"default": {"writeOnly": true}, "const": {"writeOnly": true}}}}"#,
      []
    ),
  ]

  @Test(arguments: cases)
  func `wherever a schema that can apply to it is writeOnly`(_ secret: SecretCase) throws {
    let compilation = Form.compile(Array(#"{"form": "t", "schema": \#(secret.schema)}"#.utf8))
    let form = try #require(compilation.form, "\(compilation.diagnostics)")
    #expect(form.fields.filter(\.isSecret).map(\.address) == secret.secrets)
  }

  @Test func `so that no formula lets its value out`() {
    let compilation = Form.compile(
      Array(
        #"""
        {"form": "t", "outputs": {"o": "values.a"},
         "schema": {"properties": {"a": {"type": "string"}}, "if": {}, "then": {"properties": {"a": {"writeOnly": true}}}}}
        """#.utf8
      )
    )
    #expect(compilation.diagnostics.map(\.code) == ["secret"])
  }
}
