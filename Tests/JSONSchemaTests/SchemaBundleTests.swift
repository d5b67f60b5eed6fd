internal import Budgets
import JSON
import JSONSchema
import Testing

/// A schema and files made one document. The files are in memory, in a folder that is the root of the file system.
@Suite
struct SchemaBundleTests {
  private let library = SchemaLibrary(folder: "/", isClosed: true)

  private func bundle(_ schema: JSON, _ files: [String: JSON]) throws -> SchemaBundle {
    for (name, document) in files {
      library.add(SchemaLibrary.File(path: name, document: document, text: []), at: "file:///" + name)
    }
    let bundle = try SchemaBundle.bundle(
      schema,
      uri: "file:///a.form.json",
      library: library,
      budget: CompileBudget()
    )
    return try #require(bundle)
  }

  /// Expects equal results for values from the bundle and from the schema with its files.
  private func says(_ bundle: SchemaBundle, sameAs schema: JSON, of values: [JSON]) throws {
    let library = library
    let together = try Schema.compile(bundle.document)
    let apart = try Schema.compile(
      schema,
      options: CompileOptions(baseURI: "file:///a.form.json") { uri in
        library.knownFile(at: uri)?.document
      }
    )
    for value in values {
      #expect(together.validate(value) == apart.validate(value), "\(value)")
    }
    #expect(Set(values.map(together.validate)) == [true, false], "a value that is valid, and one that is not")
  }

  @Test
  func `a schema without files stays as it is`() throws {
    let schema: JSON = [
      "properties": ["a": ["$ref": "#/$defs/a"]], "$defs": ["a": ["$id": "https://x/a", "type": "string"]],
    ]
    let bundle = try bundle(schema, [:])
    #expect(bundle.document == schema)
    #expect(bundle.origin(of: JSONPointer(tokens: ["properties"])).pointer.tokens == ["properties"])
  }

  @Test
  func `a schema that is only a reference becomes what the file says`() throws {
    let file: JSON = [
      "$schema": "http://json-schema.org/draft-07/schema#", "$id": "https://example.com/settings",
      "properties": ["a": ["$ref": "#/definitions/a"]], "definitions": ["a": ["type": "string"]],
    ]
    let bundle = try bundle(["$ref": "settings.schema.json"], ["settings.schema.json": file])
    #expect(bundle.document == file)
    let origin = bundle.origin(of: JSONPointer(tokens: ["properties", "a"]))
    #expect(
      origin == .init(document: "file:///settings.schema.json", pointer: JSONPointer(tokens: ["properties", "a"]))
    )
    try says(bundle, sameAs: ["$ref": "settings.schema.json"], of: [["a": "x"], ["a": 1]])
  }

  @Test
  func `a file that is referred to becomes a definition, and references name places`() throws {
    let schema: JSON = [
      "properties": [
        "home": ["$ref": "address.schema.json"], "work": ["$ref": "address.schema.json#/properties/city"],
      ],
      "$defs": ["address": ["type": "null"]],
    ]
    let bundle = try bundle(
      schema,
      [
        "address.schema.json": [
          "$id": "https://example.com/address", "$anchor": "whole",
          "properties": ["city": ["$ref": "#text"], "zip": ["$ref": "#/$defs/zip"], "next": ["$ref": "#whole"]],
          "$defs": ["zip": ["pattern": "^[0-9]+$"], "text": ["$anchor": "text", "type": "string"]],
        ]
      ]
    )
    #expect(
      bundle.document == [
        "properties": [
          "home": ["$ref": "#/$defs/address-2"], "work": ["$ref": "#/$defs/address-2/properties/city"],
        ],
        "$defs": [
          "address": ["type": "null"],
          "address-2": [
            "properties": [
              "city": ["$ref": "#/$defs/address-2/$defs/text"], "zip": ["$ref": "#/$defs/address-2/$defs/zip"],
              "next": ["$ref": "#/$defs/address-2"],
            ],
            "$defs": ["zip": ["pattern": "^[0-9]+$"], "text": ["type": "string"]],
          ],
        ],
      ]
    )
    let pointer = JSONPointer(tokens: ["$defs", "address-2", "properties", "zip"])
    #expect(
      bundle.origin(of: pointer)
        == .init(document: "file:///address.schema.json", pointer: JSONPointer(tokens: ["properties", "zip"]))
    )
    try says(bundle, sameAs: schema, of: [["home": ["city": "x"]], ["home": ["next": ["zip": "x"]]], ["work": 1]])
  }

  @Test
  func `of a file that is no schema as a whole only what references lead to is taken`() throws {
    let schema: JSON = ["properties": ["a": ["$ref": "api.json#/components/schemas/A"]]]
    let bundle = try bundle(
      schema,
      [
        "api.json": [
          "required": "nonsense",
          "components": [
            "schemas": ["A": ["properties": ["b": ["$ref": "#/components/schemas/B"]]], "B": ["type": "integer"]]
          ],
        ]
      ]
    )
    #expect(
      bundle.document["$defs"] == ["A": ["properties": ["b": ["$ref": "#/$defs/B"]]], "B": ["type": "integer"]]
    )
    try says(bundle, sameAs: schema, of: [["a": ["b": 1]], ["a": ["b": "1"]]])
  }

  @Test
  func `files that refer to each other are taken once`() throws {
    let schema: JSON = ["$ref": "tree/node.json"]
    let bundle = try bundle(
      schema,
      [
        "tree/node.json": ["properties": ["children": ["$ref": "list.json"]], "required": ["name"]],
        "tree/list.json": ["type": "array", "items": ["$ref": "node.json"]],
      ]
    )
    #expect(
      bundle.document == [
        "properties": ["children": ["$ref": "#/$defs/list"]], "required": ["name"],
        "$defs": ["list": ["type": "array", "items": ["$ref": "#"]]],
      ]
    )
    try says(
      bundle,
      sameAs: schema,
      of: [["name": 1, "children": [["name": 1]]], ["name": 1, "children": [[:]]], ["name": 1, "children": 1]]
    )
  }

  @Test
  func `files of another dialect get identifiers, which do not tell where they lie`() throws {
    let schema: JSON = [
      "properties": ["old": ["$ref": "parts/old.json"], "items": ["$ref": "parts/old.json#/definitions/list"]]
    ]
    let bundle = try bundle(
      schema,
      [
        "parts/old.json": [
          "$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/list", "type": "null",
          "definitions": ["list": ["items": [["$ref": "new.json"]]]],
        ],
        "parts/new.json": [
          "$schema": "https://json-schema.org/draft/2020-12/schema", "prefixItems": [["type": "string"]],
        ],
      ]
    )
    #expect(
      bundle.document == [
        "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "form:/a.form.json",
        "properties": [
          "old": ["$ref": "form:/parts/old.json"], "items": ["$ref": "form:/parts/old.json#/definitions/list"],
        ],
        "$defs": [
          "old": [
            "$id": "form:/parts/old.json", "$schema": "http://json-schema.org/draft-07/schema#",
            "allOf": [["$ref": "#/definitions/list"]],
            "definitions": ["list": ["items": [["$ref": "form:/parts/new.json"]]]],
          ],
          "new": [
            "$id": "form:/parts/new.json", "$schema": "https://json-schema.org/draft/2020-12/schema",
            "prefixItems": [["type": "string"]],
          ],
        ],
      ]
    )
    try says(bundle, sameAs: schema, of: [["old": [["x"]]], ["old": [[1]]], ["items": [[1]]], ["old": 1]])
  }

  @Test
  func `a place in a file of another dialect needs no identifiers where the schema is only a reference`() throws {
    let schema: JSON = ["$schema": "https://json-schema.org/draft/2020-12/schema", "$ref": "old.json#/definitions/a"]
    let bundle = try bundle(
      schema,
      [
        "old.json": [
          "$schema": "http://json-schema.org/draft-07/schema#",
          "definitions": ["a": ["items": [["type": "string"]]], "unused": ["$ref": "nothing.json"]],
        ]
      ]
    )
    #expect(
      bundle.document == [
        "$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a",
        "definitions": ["a": ["items": [["type": "string"]]]],
      ]
    )
    #expect(bundle.absences.isEmpty)
    try says(bundle, sameAs: schema, of: [["x"], [1]])
  }

  @Test
  func `references whose target is looked for at run time keep their anchors`() throws {
    let schema: JSON = ["$ref": "strict.json"]
    let bundle = try bundle(
      schema,
      [
        "strict.json": ["$dynamicAnchor": "node", "$ref": "tree.json", "unevaluatedProperties": false],
        "tree.json": [
          "$id": "https://example.com/tree", "$dynamicAnchor": "node",
          "properties": ["data": true, "children": ["items": ["$dynamicRef": "#node"]]],
        ],
      ]
    )
    #expect(bundle.document["$ref"] == "https://example.com/tree")
    #expect(bundle.document["$id"] == "form:/strict.json")
    try says(bundle, sameAs: schema, of: [["children": [["data": 1]]], ["children": [["daat": 1]]]])
  }

  @Test
  func `a reference that leads to no file stays, and the reason is told`() throws {
    let bundle = try bundle(
      ["properties": ["a": ["$ref": "no.json"], "b": ["$ref": "/etc/passwd"], "c": ["$ref": "https://example.com/c"]]],
      [:]
    )
    let reasons = bundle.absences.map { "\($0.key): \($0.value.message)" }.sorted()
    #expect(
      reasons == [
        "/properties/a/$ref: there is no file /no.json",
        "/properties/b/$ref: a file is given by its path relative to this file, not by an absolute path",
        "/properties/c/$ref: it is not a file, and schemas are not fetched from a network",
      ]
    )
    #expect(bundle.document["properties"]?["a"] == ["$ref": "no.json"])
  }

  @Test
  func `an identifier in a file is what its references are resolved against`() throws {
    let bundle = try bundle(
      ["$ref": "a.json"],
      ["a.json": ["$id": "https://example.com/a.json", "items": ["$ref": "b.json"]], "b.json": true]
    )
    #expect(bundle.absences.map(\.value) == [.notAFile])
  }

  @Test
  func `identifiers that stand twice in a file are refused`() throws {
    do {
      _ = try bundle(
        ["$ref": "a.json"],
        ["a.json": ["$defs": ["a": ["$anchor": "x"], "b": ["$anchor": "x"]]]]
      )
      Issue.record("the anchor was taken")
    } catch let error as SchemaCompileError {
      #expect(error.problems.map(\.description) == ["file:///a.json#/$defs/b/$anchor: the anchor x is used twice"])
    }
  }
}
