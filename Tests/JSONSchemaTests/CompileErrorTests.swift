import JSON
import JSONSchema
import Testing

/// The errors of compiling a schema, with their locations.
@Suite struct CompileErrorTests {
  private func problems(_ schema: JSON, _ options: CompileOptions = .init()) -> [SchemaCompileError.Problem] {
    do {
      _ = try Schema.compile(schema, options: options)
      return []
    } catch {
      return error.problems
    }
  }

  @Test(
    arguments: [
      ([:], nil),
      (["type": "strnig"], "/type"),
      (["type": ["string", 1]], "/type"),
      (["properties": ["a": ["minLength": -1]]], "/properties/a/minLength"),
      (["properties": ["a": 1]], "/properties/a"),
      (["properties": []], "/properties"),
      (["required": "a"], "/required"),
      (["required": [1]], "/required"),
      (["allOf": []], "/allOf"),
      (["multipleOf": 0], "/multipleOf"),
      (["maximum": "1"], "/maximum"),
      (["uniqueItems": 1], "/uniqueItems"),
      (["enum": "a"], "/enum"),
      (["pattern": "("], "/pattern"),
      (["patternProperties": ["(": true]], "/patternProperties"),
      (["format": 1], "/format"),
      (["$ref": 1], "/$ref"),
      (["$ref": "#/$defs/none"], "/$ref"),
      (["$ref": "#none"], "/$ref"),
      (["$ref": "https://example.com/none"], "/$ref"),
      (["items": ["not": ["$ref": "#/%zz"]]], "/items/not/$ref"),
      (["$schema": "https://example.com/none"], "/$schema"),
      (["$id": "https://example.com/a#b"], "/$id"),
      (["$defs": ["a": ["$anchor": "x"], "b": ["$anchor": "x"]]], "/$defs/b/$anchor"),
      (["$defs": ["a": ["$id": "x"], "b": ["$id": "x"]]], "/$defs/b/$id"),
      (["title": 1], "/title"),
      (["dependentRequired": ["a": "b"]], "/dependentRequired"),
      (["contains": true, "minContains": 0.5], "/minContains"),
    ] as [(JSON, String?)]
  )
  func `a problem is named with its place`(schema: JSON, pointer: String?) {
    #expect(problems(schema).map(\.pointer.description) == (pointer.map { [$0] } ?? []))
  }

  @Test(arguments: [1, "x", .null, []] as [JSON])
  func `what is neither an object nor a boolean is no schema`(document: JSON) {
    #expect(problems(document).map(\.kind) == [.badValue])
  }

  @Test func `all problems are reported up to a number`() {
    let few: JSON = ["type": "x", "minLength": "y", "properties": ["a": ["pattern": "["]]]
    #expect(problems(few).map(\.pointer.description) == ["/type", "/minLength", "/properties/a/pattern"])
    let many = JSONObject((0..<200).map { ("p\($0)", ["type": "x"] as JSON) })
    #expect(problems(["properties": .object(many)]).count == SchemaCompileError.problemsMax)
  }

  @Test func `an unknown vocabulary is refused only if it is required`() {
    func options(_ isRequired: Bool) -> CompileOptions {
      CompileOptions { uri in
        guard uri == "https://example.com/meta" else { return nil }
        return [
          "$id": "https://example.com/meta", "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$vocabulary": [
            "https://json-schema.org/draft/2020-12/vocab/core": true,
            "https://example.com/vocabulary": .bool(isRequired),
          ],
        ]
      }
    }
    let schema: JSON = ["$schema": "https://example.com/meta", "minLength": 3]
    #expect(problems(schema, options(true)).map(\.kind) == [.unknownVocabulary])
    #expect(problems(schema, options(false)) == [])
  }

  @Test func `a problem in another document names that document`() {
    let options = CompileOptions { _ in ["type": "x"] }
    let found = problems(["$ref": "https://example.com/other"], options)
    #expect(found.map(\.document) == ["https://example.com/other"])
    #expect(found.map(\.description.isEmpty) == [false])
  }

  @Test func `documents come from the resolver and are asked for once`() throws {
    let asked = Asked()
    let options = CompileOptions(baseURI: "file:///forms/login.json") { uri in
      asked.note(uri)
      return ["$anchor": "short", "maxLength": 2]
    }
    let schema = try Schema.compile(
      ["allOf": [["$ref": "common.json#short"], ["$ref": "./common.json"]]],
      options: options
    )
    #expect(!schema.validate("abc"))
    #expect(asked.uris == ["file:///forms/common.json"])
    #expect(
      schema.failures(of: "abc").map(\.absoluteKeywordLocation)
        == ["file:///forms/common.json#/maxLength", "file:///forms/common.json#/maxLength"]
    )
  }

  @Test func `the meta-schema of the standard is at hand and refuses what is no schema`() throws {
    let schema = try Schema.compile(["$ref": "https://json-schema.org/draft/2020-12/schema"])
    #expect(schema.validate(["type": "string", "properties": ["a": ["minLength": 1]]]))
    #expect(!schema.validate(["properties": ["a": ["minLength": -1]]]))
    #expect(!schema.validate(["allOf": [["not": ["type": "strnig"]]]]))
  }
}

/// The compiler runs on one thread here, so a plain list is enough.
private final class Asked: @unchecked Sendable {
  private(set) var uris: [String] = []

  func note(_ uri: String) { uris.append(uri) }
}
