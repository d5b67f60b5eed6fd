import JSON
import JSONSchema
import Testing

/// The differences of the older drafts, and how the draft of a document is found.
@Suite struct DraftTests {
  private func isValid(_ schema: JSON, _ instance: JSON, _ draft: SchemaDraft) throws -> Bool {
    let schema = try Schema.compile(schema, options: CompileOptions(draft: draft))
    let isValid = schema.validate(instance)
    #expect(schema.failures(of: instance).isEmpty == isValid)
    return isValid
  }

  private func problems(_ schema: JSON, _ draft: SchemaDraft) -> [String] {
    do {
      _ = try Schema.compile(schema, options: CompileOptions(draft: draft))
      return []
    } catch {
      return error.problems.map(\.pointer.description)
    }
  }

  // MARK: Which draft

  @Test(
    arguments: [
      ("http://json-schema.org/draft-04/schema#", .draft4), ("http://json-schema.org/draft-04/schema", .draft4),
      ("https://json-schema.org/draft-06/schema#", .draft6), ("http://json-schema.org/draft-07/schema#", .draft7),
      ("https://json-schema.org/draft/2019-09/schema", .draft2019),
      ("http://json-schema.org/draft/2020-12/schema#", .draft2020),
    ] as [(String, SchemaDraft)]
  )
  func `a document says of which draft it is`(uri: String, draft: SchemaDraft) throws {
    // Each keyword is in the drafts from one on.
    let newer: [(SchemaDraft, String, JSON)] = [
      (.draft6, "const", 1), (.draft7, "if", true), (.draft2019, "dependentRequired", ["a": ["b"]]),
      (.draft2020, "prefixItems", [false]),
    ]
    for (first, keyword, value) in newer {
      let schema: JSON = ["$schema": .string(uri), "not": [keyword: value, "else": false]]
      let instance: JSON = keyword == "prefixItems" ? [1] : keyword == "dependentRequired" ? ["a": 1] : 2
      let isKnown = try Schema.compile(schema).validate(instance)
      #expect(isKnown == (draft >= first && keyword != "if"), "\(keyword)")
    }
    #expect(SchemaDraft(metaSchemaURI: String(uri.prefix { $0 != "#" })) == draft)
  }

  @Test(arguments: SchemaDraft.allCases)
  func `a document that does not say it is of the draft in the options`(draft: SchemaDraft) throws {
    let schema: JSON = ["items": [false]]
    #expect(problems(schema, draft) == (draft == .draft2020 ? ["/items"] : []))
    #expect(try isValid(["const": 1], 2, draft) == (draft == .draft4))
    #expect(try isValid(["$schema": "http://json-schema.org/schema#", "const": 1], 2, draft) == (draft == .draft4))
  }

  @Test func `a document that is referred to is of the draft of what refers to it`() throws {
    let options = CompileOptions { uri in
      switch uri {
      case "https://example.com/plain": ["items": [["type": "null"]], "const": 1]
      case "https://example.com/new":
        ["$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [["type": "null"]]]
      default: nil
      }
    }
    let old = try Schema.compile(
      ["$schema": "http://json-schema.org/draft-04/schema#", "$ref": "https://example.com/plain"],
      options: options
    )
    #expect(old.validate([.null]))
    #expect(!old.validate([1]))
    #expect(throws: SchemaCompileError.self) {
      try Schema.compile(["$ref": "https://example.com/plain"], options: options)
    }
    let mixed = try Schema.compile(
      ["$schema": "http://json-schema.org/draft-04/schema#", "$ref": "https://example.com/new"],
      options: options
    )
    #expect(!mixed.validate([1]))
  }

  @Test func `a draft that is not known is named with those that are`() {
    let error = #expect(throws: SchemaCompileError.self) {
      try Schema.compile(["$schema": "http://json-schema.org/draft-03/schema#"])
    }
    #expect(error?.problems.map(\.kind) == [.unknownDialect])
    #expect(error?.problems.first?.text.contains("4, 6, 7, 2019-09, 2020-12") == true)
  }

  // MARK: What they say

  @Test(
    arguments: [
      (["minimum": 1, "exclusiveMinimum": true], 1, false), (["minimum": 1, "exclusiveMinimum": true], 1.5, true),
      (["minimum": 1, "exclusiveMinimum": false], 1, true), (["maximum": 1, "exclusiveMaximum": true], 1, false),
      (["exclusiveMaximum": true], 1, true), (["maximum": 1, "exclusiveMaximum": true], "x", true),
      (["type": "integer"], 1, true), (["type": "integer"], 1.0, false), (["type": "number"], 1, true),
      (["type": ["integer", "string"]], 1.0, false),
      (["allOf": [["$ref": "#here"]], "definitions": ["a": ["id": "#here", "type": "null"]]], 1, false),
      (["$ref": "#/definitions/a", "type": "null", "definitions": ["a": [:]]], 1, true),
      (["id": "https://example.com/a/", "not": ["$ref": "b"], "definitions": ["b": ["id": "b"]]], 1, false),
    ] as [(JSON, JSON, Bool)]
  )
  func `draft 4`(schema: JSON, instance: JSON, isValid: Bool) throws {
    #expect(try self.isValid(schema, instance, .draft4) == isValid)
  }

  @Test func `an exclusive bound of draft 4 is told as one`() throws {
    let schema = try Schema.compile(["minimum": 1, "exclusiveMinimum": true], options: CompileOptions(draft: .draft4))
    let failures = schema.failures(of: 1)
    #expect(failures.map(\.keyword) == [.exclusiveMinimum])
    #expect(failures.map(\.parameters) == [.limit(1)])
  }

  @Test(arguments: [SchemaDraft.draft4, .draft6, .draft7])
  func `before 2019-09 an identifier may end with an anchor`(draft: SchemaDraft) throws {
    let id = draft == .draft4 ? "id" : "$id"
    let schema: JSON = [
      id: "https://example.com/root.json",
      "definitions": [
        "whole": [id: "part.json#whole", "type": "null"], "own": [id: "root.json#own", "type": "null"],
        "same": [id: "#", "type": "null"],
      ],
      "properties": ["a": ["$ref": "part.json#whole"], "b": ["$ref": "#own"], "c": ["$ref": "part.json"]],
    ]
    for name in ["a", "b", "c"] {
      #expect(try !isValid(schema, [name: 1], draft))
      #expect(try isValid(schema, [name: .null], draft))
    }
  }

  @Test(
    arguments: [
      (.draft7, ["deprecated": "text"]),
      (.draft7, ["$anchor": 1, "$defs": 5, "minContains": "x", "maxContains": .null]),
      (.draft7, ["dependentRequired": 1, "unevaluatedItems": 1, "prefixItems": 1, "$dynamicRef": 1]),
      (.draft6, ["if": 1, "then": 1, "readOnly": "no", "contentEncoding": 8, "$comment": 1]),
      (.draft4, ["const": 1, "contains": 1, "propertyNames": 1, "examples": 1, "$id": 1]),
      (.draft2019, ["prefixItems": 1, "$dynamicRef": 1, "$dynamicAnchor": 1]),
      (.draft2020, ["additionalItems": 1, "$recursiveRef": 1, "id": 1]),
    ] as [(SchemaDraft, JSON)]
  )
  func `a keyword that a draft does not have is ignored whatever its shape`(draft: SchemaDraft, schema: JSON) throws {
    #expect(problems(schema, draft) == [])
    #expect(try isValid(schema, draft == .draft4 ? 1 : [], draft))
    #expect(try isValid(["not": schema], [], draft) == false)
  }

  @Test(
    arguments: [
      (.draft4, ["exclusiveMinimum": 1], "/exclusiveMinimum"), (.draft4, ["id": 1], "/id"),
      (.draft6, ["exclusiveMinimum": true], "/exclusiveMinimum"), (.draft7, ["definitions": []], "/definitions"),
      (.draft2019, ["$defs": []], "/$defs"), (.draft2019, ["$id": "https://example.com/a#b"], "/$id"),
    ] as [(SchemaDraft, JSON, String)]
  )
  func `a keyword of a draft has the shape that the draft says`(draft: SchemaDraft, schema: JSON, pointer: String) {
    #expect(problems(schema, draft) == [pointer])
  }

  @Test(arguments: SchemaDraft.allCases)
  func `the meta-schema of each draft is at hand`(draft: SchemaDraft) throws {
    let bad: JSON = draft == .draft4 ? ["exclusiveMinimum": 1] : ["properties": ["a": ["minLength": -1]]]
    for uri in [draft.metaSchemaURI, draft.metaSchemaURI + "#"] {
      let schema = try Schema.compile(["$ref": .string(uri)])
      #expect(schema.validate(["type": "string", "properties": ["a": ["minLength": 1]]]))
      #expect(!schema.validate(bad))
    }
    let both: JSON = [
      "allOf": [
        ["$ref": "http://json-schema.org/draft-07/schema#/definitions/nonNegativeInteger"],
        ["$ref": "https://json-schema.org/draft-07/schema"],
      ]
    ]
    #expect(try Schema.compile(both).validate(-1) == false)
  }
}
