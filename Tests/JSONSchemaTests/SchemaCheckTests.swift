import JSON
import JSONSchema
import Testing

/// Problems that a check of a schema finds and that compiling does not find.
@Suite struct SchemaCheckTests {
  private func problems(_ schema: JSON, _ options: CompileOptions = .init()) -> [String] {
    Schema.check(schema, options: options).problems.map(\.pointer.description)
  }

  @Test(
    arguments: [
      (true, []), ([:], []), (["$defs": ["a": ["type": "string"]]], []),
      (["$defs": ["a": ["type": "strng"]]], ["/$defs/a/type"]),
      (["$defs": ["a": ["$ref": "#/$defs/nope"]]], ["/$defs/a/$ref"]), (["$defs": ["a": 5]], ["/$defs/a"]),
      (["required": ["a", "a"]], ["/required"]), (["$anchor": "/x"], ["/$anchor"]), (5, [""]),
      (["$defs": ["a": ["properties": ["b": ["pattern": "("]]]]], ["/$defs/a/properties/b/pattern"]),
      (["contentSchema": ["type": "x"]], ["/contentSchema/type"]), (["$defs": 5], ["/$defs"]),
      (["$defs": ["a": ["required": ["b", "b"]]], "x-other": ["required": ["c", "c"]]], ["/$defs/a/required"]),
      (["properties": ["a": ["minLength": -1]], "type": ["string", "string"]], ["/properties/a/minLength", "/type"]),
    ] as [(JSON, [String])]
  )
  func `every schema of a document is looked at`(schema: JSON, pointers: [String]) {
    #expect(problems(schema) == pointers)
  }

  @Test(
    arguments: [
      (["$anchor": "/x"], "\"/x\" does not match the pattern ^[A-Za-z_][-A-Za-z0-9._]*$."),
      (["required": ["a", "a"]], "No two items may be equal; items 1 and 2 are."),
    ] as [(JSON, String)]
  )
  func `what the meta-schema refuses is told with what stands there`(schema: JSON, text: String) {
    #expect(Schema.check(schema).problems.map(\.text) == [text])
  }

  @Test(
    arguments: [
      (.draft4, ["definitions": ["a": ["type": "strng"]]], ["/definitions/a/type"]),
      (.draft4, ["properties": ["a": true]], ["/properties/a"]), (.draft4, ["exclusiveMaximum": true], [""]),
      (.draft7, ["$defs": ["a": 5]], []),
      (.draft7, ["$ref": "#/definitions/a", "definitions": ["a": 5]], ["/definitions/a"]),
      (.draft7, ["$ref": "#/definitions/a", "not": 5, "definitions": ["a": [:]]], ["/not"]),
      (
        .draft7, ["dependencies": ["a": ["b", "b"], "c": ["type": "x"]]], ["/dependencies/c/type", "/dependencies/a"]
      ),
      (.draft2019, ["items": [["type": "x"]]], ["/items/0/type"]),
    ] as [(SchemaDraft, JSON, [String])]
  )
  func `a document is judged by the meta-schema of its draft`(draft: SchemaDraft, schema: JSON, pointers: [String]) {
    #expect(problems(schema, CompileOptions(draft: draft)) == pointers)
  }

  @Test func `a part that names another meta-schema is judged by that one`() {
    let schema: JSON = [
      "$defs": [
        "old": [
          "$id": "https://example.com/old", "$schema": "http://json-schema.org/draft-07/schema#",
          "items": [["type": "string"]], "required": ["a", "a"],
        ]
      ]
    ]
    #expect(problems(schema) == ["/$defs/old/required"])
  }

  @Test func `a meta-schema of somebody's own judges what names it`() {
    let options = CompileOptions { uri in
      guard uri == "https://example.com/meta" else { return nil }
      return ["$schema": "https://json-schema.org/draft/2020-12/schema", "required": ["title"]]
    }
    #expect(problems(["$schema": "https://example.com/meta"], options) == [""])
    #expect(problems(["$schema": "https://example.com/meta", "title": "x"], options) == [])
    #expect(problems(["$schema": "https://example.com/none"], options) == ["/$schema"])
  }

  @Test func `a loop of references is an error only where something leads to it`() {
    let loop: JSON = ["a": ["$ref": "#/$defs/b"], "b": ["allOf": [["$ref": "#/$defs/a"]]]]
    let unused = Schema.check(["$defs": loop])
    #expect(unused.problems == [])
    #expect(unused.warnings.map(\.kind) == [.referenceLoop])
    #expect(unused.warnings.first?.pointer.tokens.first == "$defs")
    let used = Schema.check(["properties": ["x": ["$ref": "#/$defs/a"]], "$defs": loop])
    #expect(used.problems.map(\.kind) == [.referenceLoop])
    #expect(used.warnings.isEmpty)
    let options = CompileOptions(allowsReferenceLoops: true)
    let allowed = Schema.check(["properties": ["x": ["$ref": "#/$defs/a"]], "$defs": loop], options: options)
    #expect(allowed.problems == [] && allowed.warnings.map(\.kind) == [.referenceLoop])
    let useless = Schema.check(
      ["anyOf": [["type": "string"], ["$ref": "#/$defs/b"]], "$defs": loop],
      options: options
    )
    #expect(useless.problems.map(\.kind) == [.referenceLoop])
  }

  @Test func `a schema with a loop judges each instance that does not get there`() throws {
    let loop: JSON = ["a": ["$ref": "#/$defs/b"], "b": ["allOf": [["$ref": "#/$defs/a"]]]]
    let schema = try Schema.compile(
      ["properties": ["x": ["$ref": "#/$defs/a"], "y": ["type": "string"]], "$defs": loop],
      options: CompileOptions(allowsReferenceLoops: true)
    )
    #expect(schema.validate(["y": "s"]) && !schema.validate(["y": 1]) && schema.failures(of: ["y": "s"]).isEmpty)
    for value in [["x": 1], ["x": "s"], ["x": [:]], ["x": []], ["x": .null]] as [JSON] {
      #expect(!schema.validate(value) && schema.failures(of: value).map(\.kind) == [.tooDeep], "\(value)")
    }
  }

  @Test func `warnings are of every schema, too`() {
    let check = Schema.check(["$defs": ["a": ["minLenght": 1, "format": "emial"]]])
    #expect(check.problems == [])
    #expect(check.warnings.map(\.kind) == [.unknownKeyword, .unknownFormat])
  }

  @Test(arguments: SchemaDraft.allCases)
  func `the standard's own schemas are in order`(draft: SchemaDraft) throws {
    let document = try #require(MetaSchemas.document(of: draft.metaSchemaURI))
    let check = Schema.check(document)
    #expect(check.problems == [])
    #expect(check.warnings == [])
  }
}
