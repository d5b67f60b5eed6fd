import JSON
import JSONSchema
import Testing

/// Vocabularies, older drafts in references, and keywords that are kept for compatibility.
@Suite struct DialectTests {
  private static let vocabulary = "https://json-schema.org/draft/2020-12/vocab/"

  private func options(_ vocabularies: [String], draft7: JSON = true) -> CompileOptions {
    CompileOptions { uri in
      switch uri {
      case "https://example.com/meta":
        [
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$vocabulary": .object(JSONObject(vocabularies.map { (Self.vocabulary + $0, true as JSON) })),
        ]
      case "https://example.com/draft7": draft7
      default: nil
      }
    }
  }

  private func isValid(_ members: JSONObject, _ instance: JSON, _ options: CompileOptions) throws -> Bool {
    var schema = members
    schema["$schema"] = "https://example.com/meta"
    return try Schema.compile(.object(schema), options: options).validate(instance)
  }

  @Test func `a dialect without the validation vocabulary does not assert but applies`() throws {
    let options = options(["core", "applicator"])
    #expect(try isValid(["properties": ["n": ["minimum": 10]]], ["n": 1], options))
    #expect(try !isValid(["properties": ["n": false]], ["n": 1], options))
    #expect(try isValid(["unevaluatedProperties": false], ["n": 1], options))
  }

  @Test func `a dialect with the format-assertion vocabulary asserts formats`() throws {
    #expect(try !isValid(["format": "ipv4"], "x", options(["core", "format-assertion"])))
    #expect(try isValid(["format": "ipv4"], "x", options(["core", "format-annotation"])))
    #expect(try isValid(["format": "no-such-format"], "x", options(["core", "format-assertion"])))
  }

  @Test(
    arguments: [
      (["items": [["type": "string"]], "additionalItems": false], ["a", 1], false),
      (["items": [["type": "string"]]], ["a", 1], true), (["prefixItems": [false]], [1], true),
      (["$ref": "#/definitions/a", "minimum": 5, "definitions": ["a": ["maximum": 9]]], 1, true),
      (["$ref": "#/definitions/a", "minimum": 5, "definitions": ["a": ["maximum": 9]]], 10, false),
      (["dependentRequired": ["a": ["b"]]], ["a": 1], true), (["contains": true, "minContains": 0], [], false),
      (["definitions": ["a": ["$id": "#here", "type": "null"]], "allOf": [["$ref": "#here"]]], 1, false),
    ] as [(JSONObject, JSON, Bool)]
  )
  func `a referenced document of draft 7 means what draft 7 says`(members: JSONObject, instance: JSON, isValid: Bool)
    throws
  {
    var document = members
    document["$schema"] = "http://json-schema.org/draft-07/schema#"
    let schema = try Schema.compile(
      ["$ref": "https://example.com/draft7"],
      options: options([], draft7: .object(document))
    )
    #expect(schema.validate(instance) == isValid)
    #expect(schema.failures(of: instance).isEmpty == isValid)
  }

  @Test func `a recursive reference of draft 2019-09 is extended from outside`() throws {
    let tree: JSON = [
      "$schema": "https://json-schema.org/draft/2019-09/schema", "$id": "https://example.com/tree",
      "$recursiveAnchor": true, "type": "object", "properties": ["child": ["$recursiveRef": "#"]],
    ]
    let options = CompileOptions { $0 == "https://example.com/tree" ? tree : nil }
    let strict = try Schema.compile(
      [
        "$schema": "https://json-schema.org/draft/2019-09/schema", "$id": "https://example.com/strict",
        "$recursiveAnchor": true, "$ref": "tree", "unevaluatedProperties": false,
      ],
      options: options
    )
    #expect(strict.validate(["child": ["child": [:]]]))
    #expect(!strict.validate(["child": ["chidl": [:]]]))
    #expect(try Schema.compile(tree).validate(["child": ["chidl": [:]]]))
  }

  @Test(
    arguments: [
      (["a": 1], false), (["a": 1, "b": 1], true), (["c": 1], false), (["c": 1, "d": 1], true), ([:], true),
      (["b": 1], true),
    ] as [(JSON, Bool)]
  )
  func `dependencies still mean what they meant`(instance: JSON, isValid: Bool) throws {
    let schema = try Schema.compile(["dependencies": ["a": ["b"], "c": ["required": ["d"]]]])
    #expect(schema.validate(instance) == isValid)
  }

  @Test func `an identifier in an unknown keyword is none but can be pointed at`() throws {
    let schema: JSON = [
      "x-unknown": ["$id": "https://example.com/hidden", "type": "null"], "$ref": "#/x-unknown",
    ]
    #expect(try !Schema.compile(schema).validate(1))
    #expect(throws: SchemaCompileError.self) {
      try Schema.compile(["x-unknown": ["$id": "https://example.com/hidden"], "$ref": "https://example.com/hidden"])
    }
  }
}
