import Forms
import JSON
import Testing

/// A schema, and which of its fields are secrets.
struct SecretPlace: Sendable, CustomTestStringConvertible {
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
  static let places: [SecretPlace] = [
    SecretPlace("itself", #"{"properties": {"a": {"writeOnly": true}, "b": {"writeOnly": false}}}"#, ["a"]),
    SecretPlace(
      "in then",
      #"{"properties": {"a": {}, "b": {}}, "if": {}, "then": {"properties": {"a": {"writeOnly": true}}}}"#,
      ["a"]
    ),
    SecretPlace(
      "in else",
      #"{"properties": {"a": {}, "b": {}}, "if": {}, "else": {"properties": {"a": {"writeOnly": true}}}}"#,
      ["a"]
    ),
    SecretPlace(
      "in if",
      #"{"properties": {"a": {}, "b": {}}, "if": {"properties": {"a": {"writeOnly": true}}}}"#,
      ["a"]
    ),
    SecretPlace(
      "below not",
      #"{"properties": {"a": {}, "b": {}}, "not": {"properties": {"a": {"writeOnly": true}}}}"#,
      ["a"]
    ),
    SecretPlace(
      "in a branch of the root's anyOf",
      #"{"properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["b"]}, {"properties": {"a": {"writeOnly": true}}}]}"#,
      ["a"]
    ),
    SecretPlace(
      "in a branch of the root's oneOf",
      #"{"properties": {"a": {}, "b": {}}, "oneOf": [{"required": ["b"]}, {"properties": {"a": {"writeOnly": true}}}]}"#,
      ["a"]
    ),
    SecretPlace(
      "in dependentSchemas",
      #"{"properties": {"a": {}, "b": {}}, "dependentSchemas": {"b": {"properties": {"a": {"writeOnly": true}}}}}"#,
      ["a"]
    ),
    SecretPlace(
      "in dependencies of draft 7",
      #"""
      {"$schema": "http://json-schema.org/draft-07/schema#",
       "properties": {"a": {}, "b": {}}, "dependencies": {"b": {"properties": {"a": {"writeOnly": true}}}}}
      """#,
      ["a"]
    ),
    SecretPlace(
      "by its name's pattern",
      #"{"properties": {"a_pin": {}, "b": {}}, "patternProperties": {"_pin$": {"writeOnly": true}}}"#,
      ["a_pin"]
    ),
    SecretPlace(
      "by additionalProperties of a branch that does not name the field",
      #"{"properties": {"a": {}, "b": {}}, "allOf": [{"properties": {"b": {}}, "additionalProperties": {"writeOnly": true}}]}"#,
      ["a"]
    ),
    SecretPlace(
      "by additionalProperties of a branch whose patterns do not name the field",
      #"{"properties": {"a": {}, "b": {}}, "anyOf": [{"patternProperties": {"^b": {}}, "additionalProperties": {"writeOnly": true}}]}"#,
      ["a"]
    ),
    SecretPlace(
      "by unevaluatedProperties",
      #"{"properties": {"a": {}, "b": {}}, "anyOf": [{"properties": {"b": {}}, "unevaluatedProperties": {"writeOnly": true}}]}"#,
      ["a"]
    ),
    SecretPlace(
      "in one branch of its anyOf",
      #"{"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "integer", "writeOnly": true}]}, "b": {}}}"#,
      ["a"]
    ),
    SecretPlace(
      "where its value has a type",
      #"{"properties": {"a": {"if": {"type": "string"}, "then": {"writeOnly": true}}, "b": {}}}"#,
      ["a"]
    ),
    SecretPlace("below its not", #"{"properties": {"a": {"not": {"const": 1, "writeOnly": true}}, "b": {}}}"#, ["a"]),
    SecretPlace(
      "by a member",
      #"{"properties": {"a": {"properties": {"c": {"properties": {"d": {"writeOnly": true}}}}}, "b": {}}}"#,
      ["/a/c/d"]
    ),
    SecretPlace(
      "by a member very far inside",
      #"{"properties": {"a": \#(String(repeating: #"{"properties": {"c": "#, count: 30)){"writeOnly": true}\#(String(repeating: "}}", count: 30)), "b": {}}}"#,
      ["/a\(String(repeating: "/c", count: 30))"]
    ),
    SecretPlace(
      "by its elements",
      #"{"properties": {"a": {"items": {"writeOnly": true}}, "b": {"items": {}}}}"#,
      ["/a/*"]
    ),
    SecretPlace(
      "by one of its first elements",
      #"{"properties": {"a": {"prefixItems": [{}, {"writeOnly": true}]}, "b": {}}}"#,
      ["a"]
    ),
    SecretPlace("by what it contains", #"{"properties": {"a": {"contains": {"writeOnly": true}}, "b": {}}}"#, ["a"]),
    SecretPlace(
      "by further elements",
      #"{"properties": {"a": {"unevaluatedItems": {"writeOnly": true}}, "b": {}}}"#,
      ["a"]
    ),
    SecretPlace(
      "by any member",
      #"{"properties": {"a": {"additionalProperties": {"writeOnly": true}}, "b": {}}}"#,
      ["a"]
    ),
    SecretPlace(
      "behind references",
      ##"{"$defs": {"x": {"$ref": "#/$defs/y"}, "y": {"writeOnly": true}}, "properties": {"a": {"$ref": "#/$defs/x"}, "b": {}}}"##,
      ["a"]
    ),
    SecretPlace(
      "on a circle",
      ##"{"$defs": {"x": {"properties": {"next": {"$ref": "#/$defs/x"}, "pin": {"writeOnly": true}}}}, "properties": {"a": {"$ref": "#/$defs/x"}, "b": {}}}"##,
      ["/a/next", "/a/pin"]
    ),
    SecretPlace(
      "by a circle through the form itself",
      ##"{"properties": {"a": {"items": {"$ref": "#"}}, "pin": {"writeOnly": true}, "b": {}}}"##,
      ["pin", "/a/*"]
    ),
    SecretPlace(
      "behind a dynamic reference",
      ##"""
      {"$defs": {"x": {"$id": "/x", "$dynamicAnchor": "n"}, "y": {"$id": "/y", "$dynamicAnchor": "n", "writeOnly": true}},
       "properties": {"a": {"$dynamicRef": "/x#n"}, "b": {}, "c": {"$ref": "/x"}}}
      """##,
      ["a"]
    ),
    SecretPlace(
      "behind a reference to conditions",
      ##"{"$defs": {"x": {"if": {}, "then": {"allOf": [{"properties": {"a": {"writeOnly": true}}}]}}}, "properties": {"a": {}, "b": {}}, "$ref": "#/$defs/x"}"##,
      ["a"]
    ),
    SecretPlace(
      "with all others, when the form is",
      #"{"properties": {"a": {}, "b": {}}, "anyOf": [{}, {"writeOnly": true}]}"#,
      ["a", "b"]
    ),
    SecretPlace(
      "not by the name that a member may have",
      #"{"properties": {"a": {"propertyNames": {"writeOnly": true}}}}"#,
      []
    ),
    SecretPlace(
      "not by a schema that nothing applies",
      #"{"$defs": {"x": {"writeOnly": true}}, "properties": {"a": {}}, "then": {"properties": {"a": {"writeOnly": true}}}}"#,
      []
    ),
    SecretPlace(
      "not by a constant that looks like a schema",
      #"{"properties": {"a": {"default": {"writeOnly": true}, "const": {"writeOnly": true}}}}"#,
      []
    ),
  ]

  @Test(arguments: places)
  func `wherever a schema that can apply to it is writeOnly`(_ place: SecretPlace) throws {
    let compilation = Form.compile(Array(#"{"form": "t", "schema": \#(place.schema)}"#.utf8))
    let form = try #require(compilation.form, "\(compilation.diagnostics)")
    #expect(form.fields.filter(\.isSecret).map(\.address) == place.secrets)
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
