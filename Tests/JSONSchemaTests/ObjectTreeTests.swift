import JSON
import Testing

@testable import JSONSchema

@Suite struct `The tree of a schema's objects` {
  private func tree(_ schema: JSON) throws -> ObjectTree {
    try #require(try Schema.compile(schema).objectTree(budget: CompileBudget()))
  }

  /// The members as pointers, in order.
  private func places(_ tree: ObjectTree) -> [String] {
    var paths: [String] = []
    for member in tree.members { paths.append("\(member.parent.map { paths[$0] } ?? "")/\(member.name)") }
    return paths
  }

  @Test func `has the members that properties names, also in branches`() throws {
    let tree = try tree([
      "properties": ["a": ["$ref": "#/$defs/x"], "b": ["allOf": [["properties": ["c": [:]]]]]],
      "oneOf": [["properties": ["d": ["properties": ["e": [:]]]]], ["properties": ["a": [:], "f": [:]]]],
      "if": ["properties": ["g": [:]]], "then": ["properties": ["h": [:]]], "else": ["properties": ["i": [:]]],
      "dependentSchemas": ["a": ["properties": ["j": [:]]]], "not": ["properties": ["k": [:]]],
      "additionalProperties": ["properties": ["l": [:]]],
      "$defs": ["x": ["properties": ["y": ["items": ["properties": ["z": [:]]]]]]],
    ])
    #expect(places(tree) == ["/a", "/a/y", "/b", "/b/c", "/d", "/d/e", "/f", "/g", "/h", "/i", "/j"])
    #expect(tree.members.filter { $0.property != nil }.map(\.name) == ["a", "y", "b", "c"])
    #expect(tree.members.map(\.end) == [2, 2, 4, 4, 6, 6, 7, 8, 9, 10, 11])
  }

  @Test func `says of a member that only branches name what they agree on`() throws {
    let tree = try tree([
      "oneOf": [
        ["properties": ["k": ["const": "a"], "n": ["type": "string", "maxLength": 5, "default": "x"]]],
        ["properties": ["k": ["const": "b"], "n": ["type": "integer"]]],
      ]
    ])
    #expect(tree.members[0].facts.choices?.map(\.value) == ["a", "b"] && tree.members[0].facts.types == ["string"])
    #expect(tree.members[1].facts.types == ["integer", "string"])
    #expect(tree.members[1].facts.default == nil && tree.members[1].facts.maxLength == nil)
  }

  @Test func `knows which other members an object may have`() throws {
    let tree = try tree([
      "patternProperties": ["^x-": [:]],
      "properties": [
        "a": ["additionalProperties": false, "properties": ["b": [:]]],
        "c": ["additionalProperties": true, "properties": ["d": [:]]],
      ],
    ])
    #expect(tree.objects.map { $0.others.admits("x-1") } == [true, false, true])
    #expect(tree.objects.map { $0.others.admits("y") } == [false, false, true])
  }

  @Test func `takes work in proportion to the schema's text and the places that it names`() throws {
    /// A chain of definitions, each of which is referred to twice by the one before, and has 100 subschemas of its own.
    func spent(definitions count: Int) throws -> (work: Int, places: Int) {
      var definitions = JSONObject()
      for index in 0..<count {
        let next: JSON = index + 1 < count ? ["$ref": .string("#/$defs/d\(index + 1)")] : ["type": "string"]
        definitions["d\(index)"] = [
          "properties": ["a": next, "b": next],
          "allOf": .array((0..<100).map { ["minProperties": .integer($0 % 2)] }),
        ]
      }
      let schema = try Schema.compile(["$ref": "#/$defs/d0", "$defs": .object(definitions)])
      let budget = CompileBudget()
      let tree = try #require(schema.objectTree(budget: budget))
      return (budget.spent, tree.members.count)
    }
    let (small, large) = (try spent(definitions: 6), try spent(definitions: 12))
    #expect(small.places == 126 && large.places == 8190)
    // Twice the text, and so many places more.
    #expect(large.work <= 2 * small.work + 2 * (large.places - small.places))
    // Beyond the bound on places there is no more work.
    let endless = try spent(definitions: 30)
    #expect(endless.places < 2 * 10_000 && endless.work <= 5 * small.work + 2 * endless.places)
  }

  @Test func `goes through a definition once on each way, and ends where definitions multiply`() throws {
    let twice = try tree([
      "properties": ["a": ["$ref": "#/$defs/x"], "b": ["$ref": "#/$defs/x"]],
      "$defs": ["x": ["properties": ["c": [:]]]],
    ])
    #expect(places(twice) == ["/a", "/a/c", "/b", "/b/c"])
    let circle = try tree([
      "properties": ["a": ["$ref": "#/$defs/x"]], "$defs": ["x": ["properties": ["next": ["$ref": "#/$defs/x"]]]],
    ])
    #expect(places(circle) == ["/a", "/a/next"])
    var definitions: JSONObject = ["d40": [:]]
    for level in 0..<40 {
      let next: JSON = ["$ref": .string("#/$defs/d\(level + 1)")]
      definitions["d\(level)"] = ["properties": ["a": next, "b": next]]
    }
    let many = try tree(["$ref": "#/$defs/d0", "$defs": .object(definitions)])
    #expect(many.members.count < 20_000)
  }
}
