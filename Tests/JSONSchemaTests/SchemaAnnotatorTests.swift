internal import Budgets
import Formats
import JSON
import Testing

@testable import JSONSchema

@Suite struct `Texts in a schema` {
  /// Texts for every value that a schema names: the title of each is its address with `@` before it.
  private func texts(_ tree: ObjectTree) -> ValueTexts {
    func texts(of index: Int, in address: String) -> ValueTexts {
      let member = tree.members[index]
      let address = "\(address)/\(member.name)"
      var valueTexts = ValueTexts()
      valueTexts.title = "@\(address)"
      for choice in member.facts.choices ?? [] { valueTexts.choices[choice.value] = "@\(address)" }
      valueTexts.members = inside[index, default: []].map { (tree.members[$0].name, texts(of: $0, in: address)) }
      valueTexts.element = member.element.map { [texts(of: $0, in: address)] } ?? []
      return valueTexts
    }
    let inside = Dictionary(grouping: tree.members.indices.filter { tree.members[$0].list == nil }) {
      tree.members[$0].parent
    }
    var root = ValueTexts()
    root.title = "@"
    root.members = inside[nil, default: []].map { (tree.members[$0].name, texts(of: $0, in: "")) }
    return root
  }

  /// A schema with a text for every value that it names.
  private func annotated(_ schema: JSON, tellsExamples: Bool = true) throws -> JSON {
    let tree = try #require(try Schema.compile(schema).objectTree(budget: CompileBudget()))
    var annotator = SchemaAnnotator(schema, tellsExamples: tellsExamples)
    return .object(annotator.annotated(texts(tree)))
  }

  // MARK: Any schema

  @Test(arguments: (0..<16).map { UInt64($0) })
  func `leave the same values valid, and stand nowhere but at their places`(seed: UInt64) throws {
    var generator = RandomSchemas(seed: seed &+ 7000)
    var (told, copied) = (0, 0)
    for _ in 0..<60 {
      var document = generator.document()
      if generator.chance(30) {
        let pointers = ["#", "#/properties/a", "#/properties/b"]
        document = try JSON(
          parsing: Array(
            document.description.replacing("\"#/$defs/d2\"", with: "\"\(generator.pick(pointers))\"").utf8
          )
        )
      }
      if generator.chance(20), case .object(var members) = document {
        members["$schema"] = "http://json-schema.org/draft-07/schema#"
        document = .object(members)
      }
      // A reference may lead nowhere, or in a circle.
      guard let plain = try? Schema.compile(document) else { continue }
      let text = try annotated(document)
      let schema = try Schema.compile(text)
      if text["$defs"]?.objectValue?.count ?? 0 > document["$defs"]?.objectValue?.count ?? 0 { copied += 1 }
      for _ in 0..<20 {
        let instance: JSON = .object(generator.object())
        #expect(plain.validate(instance) == schema.validate(instance), "\(document) \(text) \(instance)")
        for annotation in schema.evaluate(instance).annotations {
          guard annotation.keyword == "title", let title = annotation.value.stringValue, title.first == "@" else {
            continue
          }
          told += 1
          let path = annotation.instanceLocation.tokens.map { JSONPointer.arrayIndex($0) == nil ? $0 : "*" }
          #expect(title == "@" + path.map { "/\($0)" }.joined(), "\(document) \(text) \(instance)")
        }
      }
    }
    #expect(told > 100 && copied > 3, "\(told) \(copied)")
  }

  // MARK: References

  @Test func `stand beside a reference, and inside of a copy of what it leads to`() throws {
    let address: JSON = ["type": "object", "properties": ["city": ["type": "string"], "zip": ["title": "Zip"]]]
    let schema = try annotated([
      "properties": [
        "billing": ["$ref": "#/$defs/address"], "shipping": ["$ref": "#/$defs/address", "properties": ["x": true]],
      ],
      "patternProperties": ["^other": ["$ref": "#/$defs/address"]], "$defs": ["address": address],
    ])
    #expect(schema.value(at: JSONPointer("/$defs/address")!) == address)
    #expect(
      schema["properties"] == [
        "billing": ["$ref": "#/$defs/address-1", "title": "@/billing"],
        "shipping": [
          "$ref": "#/$defs/address-2", "title": "@/shipping", "properties": ["x": ["title": "@/shipping/x"]],
        ],
      ]
    )
    #expect(schema["patternProperties"] == ["^other": ["$ref": "#/$defs/address"]])
    #expect(
      schema.value(at: JSONPointer("/$defs/address-2/properties")!)
        == ["city": ["type": "string", "title": "@/shipping/city"], "zip": ["title": "@/shipping/zip"]]
    )
  }

  @Test func `of a form that is made of itself are those of its first level`() throws {
    let schema = try annotated([
      "properties": ["name": ["type": "string"], "children": ["items": ["$ref": "#"]]],
      "additionalProperties": ["$ref": "#/properties/name"],
    ])
    #expect(schema["properties"]?["name"] == ["type": "string", "title": "@/name"])
    #expect(schema["additionalProperties"] == ["$ref": "#/$defs/name-1"])
    #expect(schema["$defs"]?["name-1"] == ["type": "string"])
    let children = schema["properties"]?["children"]
    #expect(children == ["title": "@/children", "items": ["$ref": "#/$defs/schema-1", "title": "@/children/*"]])
    #expect(schema["$defs"]?["schema-1"]?["properties"]?["name"] == ["type": "string"])
  }

  @Test func `before 2019-09 stand in the copy, for nothing counts beside a reference`() throws {
    let schema = try annotated([
      "$schema": "http://json-schema.org/draft-07/schema#", "properties": ["a": ["$ref": "#/definitions/x"]],
      "definitions": ["x": ["type": "string"]],
    ])
    #expect(schema["properties"] == ["a": ["$ref": "#/definitions/x-1"]])
    #expect(schema["definitions"] == ["x": ["type": "string"], "x-1": ["type": "string", "title": "@/a"]])
  }

  @Test(
    arguments: [
      ["properties": ["a": ["$anchor": "x", "properties": ["b": [:]]]]],
      ["properties": ["a": ["$id": "urn:x", "properties": ["b": [:]]]]],
      ["properties": ["a": ["$dynamicAnchor": "x"]]],
    ] as [JSON]
  )
  func `do not stand in a schema with a name of its own`(_ schema: JSON) throws {
    #expect(try annotated(schema)["properties"] == schema["properties"])
  }

  @Test func `do not stand in a copy of a schema with a name of its own`() throws {
    let definitions: JSON = ["x": ["properties": ["b": ["$anchor": "y"]]]]
    let schema = try annotated(["properties": ["a": ["$ref": "#/$defs/x"]], "$defs": definitions])
    #expect(schema["properties"] == ["a": ["$ref": "#/$defs/x", "title": "@/a"]] && schema["$defs"] == definitions)
  }

  @Test(
    arguments: [
      // The first leads to the whole, the second to a member, both by a URI.
      ["properties": ["a": ["properties": ["b": ["$ref": ""]]]]],
      [
        "$id": "https://example.com/form", "properties": ["a": ["type": "string"]],
        "additionalProperties": [
          "$id": "https://example.com/other", "properties": ["c": ["$ref": "form#/properties/a"]],
        ],
      ],
    ] as [JSON]
  )
  func `stand nowhere when a reference may lead to any place`(_ schema: JSON) throws {
    #expect(try annotated(schema) == schema)
  }

  // MARK: Choices

  @Test func `name choices`() throws {
    let schema = try annotated([
      "properties": [
        "a": ["enum": ["x", 1]], "b": ["enum": [1, 1.0]],
        "c": ["oneOf": [["const": "x"], ["const": 2, "title": "z"]]],
        "d": ["anyOf": [["$ref": "#/$defs/e"], ["type": "null"]]],
        "e": ["enum": ["x"], "oneOf": [["type": "string"], ["type": "null"]]],
      ],
      "$defs": ["e": ["enum": ["y"]]],
    ])
    let properties = schema["properties"]
    #expect(properties?["a"]?["oneOf"] == [["const": "x", "title": "@/a"], ["const": 1, "title": "@/a"]])
    #expect(properties?["a"]?["enum"] == nil)
    #expect(properties?["b"]?["enum"] == [1, 1.0])
    #expect(properties?["c"]?["oneOf"] == [["const": "x", "title": "@/c"], ["const": 2, "title": "@/c"]])
    #expect(properties?["d"]?["anyOf"] == [["$ref": "#/$defs/e-1"], ["type": "null"]])
    #expect(schema["$defs"]?["e-1"] == ["oneOf": [["const": "y", "title": "@/d"]]])
    #expect(properties?["e"]?["enum"] == ["x"])
  }

  // MARK: Secrets and bounds

  @Test func `come without examples and defaults where these may be secrets`() throws {
    let schema = try annotated(
      [
        "default": ["a": "hunter2"],
        "properties": ["a": ["default": "hunter2", "examples": ["hunter2"]], "default": ["$ref": "#/$defs/default"]],
        "additionalProperties": ["$id": "urn:x", "default": "hunter2"], "const": ["default": 1],
        "$defs": ["default": ["type": "string", "examples": ["hunter2"]]],
      ],
      tellsExamples: false
    )
    #expect(!schema.description.contains("hunter2"))
    #expect(schema["properties"]?["default"] == ["$ref": "#/$defs/default", "title": "@/default"])
    #expect(schema["const"] == ["default": 1])
  }

  @Test func `are no more than can be told at once`() throws {
    // A definition that refers twice to the next has more values than characters.
    var definitions = JSONObject()
    for level in 0..<20 {
      let reference: JSON = ["$ref": .string("#/$defs/d\(level + 1)")]
      definitions["d\(level)"] = ["properties": ["a": reference, "b": reference]]
    }
    definitions["d20"] = ["type": "string"]
    let schema: JSON = ["properties": ["a": ["$ref": "#/$defs/d0"]], "$defs": .object(definitions)]
    let text = try annotated(schema)
    #expect(text.description.utf8.count < 2_000_000)
    _ = try Schema.compile(text)
  }

  @Test func `do not bring along a long text for each of them`() throws {
    let long = JSON.string(String(repeating: "x", count: 100_000))
    var properties = JSONObject()
    for index in 0..<1_000 { properties["p\(index)"] = ["$ref": "#/$defs/d"] }
    let inner: JSON = ["type": "object", "description": long, "properties": ["a": ["type": "string"]]]
    let schema: JSON = ["properties": .object(properties), "$defs": ["d": inner]]
    let text = try annotated(schema)
    #expect(text.description.utf8.count < 4_000_000)
    _ = try Schema.compile(text)
  }
}
