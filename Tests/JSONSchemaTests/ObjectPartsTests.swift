internal import Budgets
import Formats
import JSON
import JSONSchema
import Testing

/// The facts about a schema that a form needs and that need no instance.
@Suite struct ObjectPartsTests {
  private func parts(_ schema: JSON) throws -> ObjectParts { try Schema.compile(schema).objectParts() }

  @Test func `properties and required names are found through ref and allOf in order`() throws {
    let parts = try parts([
      "$ref": "#/$defs/person", "properties": ["email": ["type": "string"]], "required": ["email"],
      "allOf": [["properties": ["age": ["minimum": 0], "name": ["maxLength": 5]]]],
      "$defs": ["person": ["properties": ["name": ["type": "string"]], "required": ["name"]]],
    ])
    #expect(parts.properties.map(\.name) == ["name", "email", "age"])
    #expect(parts.required.map(\.name) == ["name", "email"])
    #expect(
      parts.properties[0].pointers.map(\.description) == ["/$defs/person/properties/name", "/allOf/0/properties/name"]
    )
    #expect(parts.keywords.isEmpty)
    #expect(parts.failure(missing: 0).keywordLocation.description == "/$ref/required")
    var failures: [Failure] = []
    var budget = WorkBudget(units: 1_000)
    parts.failures(of: "too long", property: 0, into: &failures, budget: &budget)
    #expect(failures.map(\.keywordLocation.description) == ["/allOf/0/properties/name/maxLength"])
    #expect(failures.map(\.instanceLocation.tokens) == [["name"]])
  }

  @Test(
    arguments: [
      (["maxLength": 7], 7), (["type": "string", "maxLength": 7], 7), (["type": ["null", "string"]], .max),
      ([:], .max), (["minimum": 3, "items": false], .max), (["maxLength": 0], 0),
      (["maxLength": 9, "allOf": [["maxLength": 5]]], -1), (["type": "integer"], -1), (["minLength": 1], -1),
      (["maxLength": 5, "pattern": "a"], -1), (["const": "a"], -1),
      (["enum": ["a"]], -1), (["$ref": "#/$defs/x"], -1), (["not": [:]], -1), (false, -1),
    ] as [(JSON, Int)]
  )
  func `a text is admitted by its length alone where the schema says no more`(property: JSON, bytes: Int) throws {
    let parts = try parts(["properties": ["a": property], "$defs": ["x": ["maxLength": 3]]])
    for length in 0..<12 {
      #expect((length <= parts.textBytesMax(property: 0)) == (length <= bytes), "\(length)")
      guard length <= parts.textBytesMax(property: 0) else { continue }
      var budget = WorkBudget(units: 1_000)
      let isValid = parts.isValid(.string(String(repeating: "a", count: length)), property: 0, budget: &budget)
      #expect(isValid)
    }
  }

  @Test(
    arguments: [
      (["if": ["properties": ["a": ["const": 1]]], "then": ["required": ["b"]]], .names(["a", "b"])),
      (["dependentRequired": ["a": ["c", "b"]]], .names(["a", "b", "c"])),
      (["dependentSchemas": ["a": ["properties": ["z": true]]]], .names(["a", "z"])),
      (
        ["anyOf": [["required": ["a"]], ["$ref": "#/$defs/x"]], "$defs": ["x": ["required": ["q"]]]],
        .names(["a", "q"])
      ),
      (["not": ["minProperties": 3]], .everything), (["maxProperties": 3], .everything),
      (["properties": ["a": true], "additionalProperties": false], .all(except: ["a"])),
      (["not": ["minLength": 3]], .nothing), (["type": "object"], .nothing), (["const": [:]], .everything),
      (["propertyNames": ["maxLength": 3]], .everything), (["unevaluatedProperties": false], .everything),
    ] as [(JSON, ReadSet)]
  )
  func `a part knows what it reads`(schema: JSON, reads: ReadSet) throws {
    #expect(try parts(schema).keywords.map(\.reads) == [reads])
  }

  @Test func `a part knows when members count only for being there`() throws {
    let parts = try parts([
      "dependentRequired": ["a": ["b"]], "dependencies": ["a": ["c"]], "minProperties": 1, "maxProperties": 2,
      "propertyNames": ["maxLength": 3], "dependentSchemas": ["a": ["required": ["b"]]], "const": [:],
      "anyOf": [["required": ["a"]]], "unevaluatedProperties": false, "minItems": 1,
    ])
    #expect(
      parts.keywords.filter(\.readsPresenceAlone).map(\.keyword)
        == [.dependentRequired, .dependencies, .minProperties, .maxProperties, .propertyNames]
    )
  }

  @Test func `facts are read through ref allOf and optional alternatives`() throws {
    let parts = try parts([
      "properties": [
        "name": ["anyOf": [["$ref": "#/$defs/name"], ["type": "null"]], "title": "Name", "default": .null],
        "color": ["oneOf": [["const": "r", "title": "Red"], ["const": "g", "title": "Green"]]],
        "size": ["enum": [1, 2.5]], "secret": ["type": "string", "writeOnly": true],
        "tags": ["type": "array", "items": ["type": "string", "maxLength": 9], "maxItems": 4],
        "age": ["allOf": [["type": ["integer", "string"]], ["type": "number"]], "maximum": 9],
        "address": ["properties": ["city": ["type": "string"]], "type": "object"], "any": true,
      ],
      "$defs": ["name": ["type": "string", "maxLength": 20, "format": "email", "title": "inner"]],
    ])
    let facts = Dictionary(uniqueKeysWithValues: parts.properties.map { ($0.name, $0.facts) })
    #expect(facts["name"]?.types == ["null", "string"])
    #expect(facts["name"]?.maxLength == 20)
    #expect(facts["name"]?.format == "email")
    #expect(facts["name"]?.title == "Name")
    #expect(facts["name"]?.default == JSON.null)
    #expect(facts["name"]?.admitsNull == true)
    #expect(facts["color"]?.choices?.map(\.title) == ["Red", "Green"])
    #expect(facts["color"]?.types == ["string"])
    #expect(facts["size"]?.types == ["number"])
    #expect(facts["secret"]?.writeOnly == true)
    #expect(facts["tags"]?.items.map(\.maxLength) == [9])
    #expect(facts["tags"]?.maxItems == 4)
    #expect(facts["age"]?.types == ["integer"])
    #expect(facts["address"]?.members.map(\.name) == ["city"])
    #expect(facts["any"]?.types.count == 6)
  }

  @Test func `facts of a recursive schema end`() throws {
    let parts = try parts(["properties": ["child": ["$ref": "#"], "children": ["items": ["$ref": "#"]]]])
    #expect(parts.properties.map(\.name) == ["child", "children"])
  }
}
