import JSON
import JSONSchema
import Testing

@Suite struct `Warnings about a schema` {
  private func warnings(_ schema: JSON) throws -> [SchemaWarning] { try Schema.compile(schema).warnings() }

  @Test(arguments: [
    ("writeonly", "writeOnly"), ("minlength", "minLength"), ("ADDITIONALPROPERTIES", "additionalProperties"),
    ("maxLenght", "maxLength"), ("requird", "required"), ("$deffs", "$defs"), ("propertes", "properties"),
    ("NOT", "not"),
  ])
  func `name a keyword that differs by case or by a slip`(_ name: String, _ meant: String) throws {
    let found = try warnings(["properties": ["a": .object([name: true] as JSONObject)]])
    #expect(found.map(\.kind) == [.unknownKeyword])
    #expect(found.first?.pointer == JSONPointer(tokens: ["properties", "a", name]))
    #expect(found.first?.remedy == "did you mean \"\(meant)\"?")
  }

  @Test(arguments: [("emial", "email"), ("Date-Time", "date-time"), ("uuidd", "uuid")])
  func `name a format that differs by case or by a slip`(_ name: String, _ meant: String) throws {
    let found = try warnings(["properties": ["a": ["type": "string", "format": .string(name)]]])
    #expect(found.map(\.kind) == [.unknownFormat] && found.first?.remedy == "did you mean \"\(meant)\"?")
    #expect(found.first?.pointer == JSONPointer(tokens: ["properties", "a", "format"]))
    // A format that resembles no known one is meant for drawing.
    #expect(
      try warnings(["format": "password", "properties": ["a": ["format": "x"], "b": ["format": "email"]]]) == []
    )
  }

  @Test func `say nothing of annotations and of what is no schema`() throws {
    let found = try warnings([
      "x-typo": 1, "widget": "slider", "id": "a", "note": "n", "$comment": "c", "$defs": ["writeonly": true],
      "properties": ["writeonly": true], "default": ["minlength": 1], "const": ["minlength": 1],
      "examples": [["minlength": 1]],
    ])
    #expect(found.map(\.text) == [])
  }

  /// Definitions `d0`, `d1`, and so on. Each names the one before it as the pattern says.
  private func levels(_ count: Int, _ level: (JSON) -> JSON) -> JSON {
    var definitions: JSONObject = ["d0": ["type": "string"]]
    for number in 1...count { definitions["d\(number)"] = level(["$ref": .string("#/$defs/d\(number - 1)")]) }
    return ["$defs": .object(definitions), "properties": ["a": ["$ref": .string("#/$defs/d\(count)")]]]
  }

  @Test func `name the place where references that double pass the bound`() throws {
    for level in [
      { ["allOf": [$0, $0]] }, { ["anyOf": [$0, $0]] }, { ["if": $0, "then": $0] }, { ["not": $0, "oneOf": [$0]] },
    ] as [(JSON) -> JSON] {
      let found = try warnings(levels(40, level))
      #expect(found.map(\.kind) == [.repeatedReferences])
      let path = try #require(found.first?.pointer.tokens)
      #expect(path == ["$defs", "d12"] || path == ["$defs", "d13"])
    }
  }

  @Test func `name the place where references double from member to member or element to element`() throws {
    for level in [
      { ["allOf": [["items": $0], ["items": $0]]] }, { ["items": $0, "contains": $0] },
      { ["prefixItems": [true, $0], "contains": $0] },
      { ["oneOf": [["properties": ["a": $0]], ["properties": ["a": $0, "b": true]]]] },
      { ["properties": ["a": $0], "patternProperties": ["^a": $0]] },
      { ["additionalProperties": $0, "anyOf": [["unevaluatedProperties": $0]]] },
    ] as [(JSON) -> JSON] {
      let found = try warnings(levels(40, level))
      #expect(found.map(\.kind) == [.repeatedReferences])
      let path = try #require(found.first?.pointer.tokens)
      #expect(path == ["$defs", "d12"] || path == ["$defs", "d13"])
    }
  }

  @Test func `say nothing of references that many members or elements share`() throws {
    for level in [
      { ["properties": ["left": $0, "right": $0]] }, { ["prefixItems": [$0, $0], "items": $0] },
      { ["items": $0, "additionalProperties": $0] }, { ["patternProperties": ["^a": $0], "items": $0] },
    ] as [(JSON) -> JSON] {
      #expect(try warnings(levels(40, level)).isEmpty)
    }
  }

  @Test func `say nothing of references that double a few times, or never`() throws {
    #expect(try warnings(levels(10) { ["allOf": [$0, $0]] }).isEmpty)
    #expect(try warnings(levels(3000) { $0 }).isEmpty)
    // Only one of `then` and `else` is applied.
    #expect(try warnings(levels(40) { ["if": true, "then": $0, "else": $0] }).isEmpty)
    let choices = (0..<20_000).map { JSON.object(["const": .integer($0)]) }
    #expect(try warnings(["properties": ["a": ["oneOf": .array(choices)]]]).isEmpty)
  }

  @Test func `end where references go round`() throws {
    let tree: JSON = [
      "properties": ["left": ["$ref": "#"], "right": ["$ref": "#"]], "items": ["$dynamicRef": "#n"],
      "$dynamicAnchor": "n",
    ]
    #expect(try warnings(tree).isEmpty)
  }
}
