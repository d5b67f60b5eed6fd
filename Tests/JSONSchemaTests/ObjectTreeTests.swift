internal import Budgets
import Formats
import JSON
import Testing

@testable import JSONSchema

@Suite struct `The tree of a schema's objects` {
  private func tree(_ schema: JSON) throws -> ObjectTree {
    try #require(try Schema.compile(schema).objectTree(budget: CompileBudget()))
  }

  /// The members as pointers, in order.
  private func addresses(_ tree: ObjectTree) -> [String] {
    var paths: [String] = []
    for member in tree.members {
      paths.append("\((member.parent ?? member.list).map { paths[$0] } ?? "")/\(member.name)")
    }
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
    #expect(
      addresses(tree) == ["/a", "/a/y", "/b", "/b/c", "/d", "/d/e", "/f", "/g", "/h", "/i", "/j", "/a/y/*", "/a/y/*/z"]
    )
    #expect(tree.members.filter { $0.property != nil }.map(\.name) == ["a", "y", "b", "c", "*", "z"])
    #expect(tree.members.map(\.end) == [2, 2, 4, 4, 6, 6, 7, 8, 9, 10, 11, 13, 13])
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
    /// A chain of definitions. Each definition has 100 subschemas, and the definition before it refers to it twice.
    func spent(definitions count: Int) throws -> (work: Int, addresses: Int) {
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
    #expect(small.addresses == 126 && large.addresses == 8190)
    // Twice the text, and so many values more.
    #expect(large.work <= 2 * small.work + 2 * (large.addresses - small.addresses))
    // Beyond the bound on values there is no more work.
    let endless = try spent(definitions: 30)
    #expect(endless.addresses < 2 * 10_000 && endless.work <= 5 * small.work + 2 * endless.addresses)
  }

  @Test func `goes through a definition once on each way, and ends where definitions multiply`() throws {
    let twice = try tree([
      "properties": ["a": ["$ref": "#/$defs/x"], "b": ["$ref": "#/$defs/x"]],
      "$defs": ["x": ["properties": ["c": [:]]]],
    ])
    #expect(addresses(twice) == ["/a", "/a/c", "/b", "/b/c"])
    let circle = try tree([
      "properties": ["a": ["$ref": "#/$defs/x"]], "$defs": ["x": ["properties": ["next": ["$ref": "#/$defs/x"]]]],
    ])
    #expect(addresses(circle) == ["/a", "/a/next"])
    var definitions: JSONObject = ["d40": [:]]
    for level in 0..<40 {
      let next: JSON = ["$ref": .string("#/$defs/d\(level + 1)")]
      definitions["d\(level)"] = ["properties": ["a": next, "b": next]]
    }
    let many = try tree(["$ref": "#/$defs/d0", "$defs": .object(definitions)])
    #expect(many.members.count < 20_000)
  }

  // MARK: Lists

  @Test func `has the elements of lists, template by template`() throws {
    let tree = try tree([
      "properties": [
        "orders": [
          "items": [
            "properties": [
              "lines": ["items": ["properties": ["sku": [:]]]], "address": ["properties": ["city": [:]]], "note": [:],
            ]
          ]
        ],
        "person": ["properties": ["tags": ["items": ["type": "string", "maxLength": 9]], "name": [:]]],
        "grid": ["items": ["items": ["type": "integer"]]],
      ]
    ])
    #expect(
      addresses(tree) == [
        "/orders", "/person", "/person/tags", "/person/name", "/grid",
        "/orders/*", "/orders/*/lines", "/orders/*/address", "/orders/*/address/city", "/orders/*/note",
        "/person/tags/*", "/grid/*", "/orders/*/lines/*", "/orders/*/lines/*/sku", "/grid/*/*",
      ]
    )
    #expect(tree.members.map(\.template) == [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 3, 4, 4, 5])
    #expect(tree.members.map(\.end) == [1, 4, 3, 4, 5, 10, 7, 9, 9, 10, 11, 12, 14, 14, 15])
    #expect(
      tree.members.map(\.element) == [5, nil, 10, nil, 11, nil, 12, nil, nil, nil, nil, 14, nil, nil, nil]
    )
    #expect(tree.members.map(\.list) == [nil, nil, nil, nil, nil, 0, nil, nil, nil, nil, 2, 4, 6, nil, 11])
    for (position, member) in tree.members.enumerated() {
      if let list = member.list {
        #expect(tree.members[list].element == position && tree.members[list].object == member.owner)
        #expect(member.name == "*" && member.parent == nil && member.property == 0)
      }
    }
    #expect(tree.members[10].facts.types == ["string"] && tree.members[10].facts.maxLength == 9)
  }

  @Test func `takes a list apart into its element and what is said about the whole`() throws {
    let tree = try tree([
      "properties": [
        "a": [
          "$ref": "#/$defs/list", "type": "array", "minItems": 1, "maxItems": 2, "contains": [:], "required": ["x"],
          "allOf": [["items": ["maximum": 5], "uniqueItems": true]],
        ]
      ],
      "$defs": ["list": ["items": ["minimum": 3]]],
    ])
    let parts = tree.objects[1].parts
    #expect(parts.properties.map(\.name) == ["*"] && parts.required.isEmpty)
    #expect(parts.keywords.map(\.keyword) == [.type, .minItems, .maxItems, .contains, .uniqueItems])
    #expect(parts.keywords.map(\.reads) == Array(repeating: .everything, count: 5))
    #expect(parts.keywords.filter(\.readsCountAlone).map(\.keyword) == [.type, .minItems, .maxItems])
    #expect(parts.keywords.filter(\.reachesInside).map(\.keyword) == [.contains])
    #expect(tree.members[1].facts.minimum == 3 && tree.members[1].facts.maximum == 5)
    #expect(!tree.objects[1].others.admits("0"))
    var failures: [Failure] = []
    var budget = WorkBudget(units: 1_000)
    parts.failures(of: 9, property: 0, into: &failures, budget: &budget)
    #expect(failures.map(\.keywordLocation.description) == ["/properties/a/allOf/0/items/maximum"])
    #expect(failures.map(\.instanceLocation.description) == ["/*"])
    let whole = parts.failures(of: [1, 1, 1], keyword: 2, budget: &budget)
    #expect(whole.map(\.keywordLocation.description) == ["/properties/a/maxItems"])
  }

  @Test(
    arguments: [
      (["prefixItems": [[:]], "items": [:]], ["/a"]), (["items": true], ["/a"]), (["items": false], ["/a"]),
      (["items": [:], "properties": ["b": [:]]], ["/a", "/a/b"]), (["contains": [:]], ["/a"]),
      (["items": [:], "anyOf": [["properties": ["b": [:]]]]], ["/a", "/a/b"]), (["not": ["items": [:]]], ["/a"]),
      (["prefixItems": [[:]], "allOf": [["items": [:]]]], ["/a", "/a/*"]), (["items": [:]], ["/a", "/a/*"]),
      (["items": true, "then": ["items": [:]], "if": [:]], ["/a", "/a/*"]),
      (["items": ["properties": [:]], "additionalProperties": false], ["/a", "/a/*"]),
    ] as [(JSON, [String])]
  )
  func `takes for a list whatever has no members and one schema for all elements`(
    schema: JSON,
    expected: [String]
  ) throws {
    #expect(addresses(try tree(["properties": ["a": schema]])) == expected)
  }

  @Test func `takes the older drafts' array of items for none`() throws {
    let tree = try tree([
      "$schema": "http://json-schema.org/draft-07/schema#",
      "properties": [
        "a": ["items": [[:]]], "b": ["items": [], "additionalItems": [:]], "c": ["items": ["type": "string"]],
      ],
    ])
    #expect(addresses(tree) == ["/a", "/b", "/c", "/c/*"])
  }

  @Test func `says of an element that only branches describe what they agree on`() throws {
    let tree = try tree([
      "properties": [
        "a": [
          "oneOf": [
            ["items": ["type": "string", "default": "x"]], ["items": ["properties": ["b": [:]], "type": "object"]],
          ]
        ]
      ]
    ])
    #expect(addresses(tree) == ["/a", "/a/*", "/a/*/b"])
    #expect(tree.members[1].property == nil && tree.members[1].facts.default == nil)
    #expect(tree.members[1].facts.types == ["string", "object"])
    #expect(tree.objects[1].parts.keywords.map(\.keyword) == [.oneOf])
  }

  @Test func `ends where lists are made of themselves, are deep or multiply`() throws {
    let circles = try tree([
      "properties": ["a": ["$ref": "#/$defs/x"], "children": ["items": ["$ref": "#"]]],
      "$defs": ["x": ["items": ["$ref": "#/$defs/x"]]],
    ])
    #expect(addresses(circles) == ["/a", "/children", "/a/*", "/children/*"])
    var deep: JSON = ["writeOnly": true]
    for _ in 0..<60 { deep = ["items": deep] }
    let members = try tree(["properties": ["a": deep]]).members
    #expect(members.count == 33)
    #expect(members.map(\.isSecret) == Array(repeating: false, count: 32) + [true])
    var definitions: JSONObject = ["d40": [:]]
    for level in 0..<40 {
      let next: JSON = ["items": ["$ref": .string("#/$defs/d\(level + 1)")]]
      definitions["d\(level)"] = ["properties": ["a": next, "b": next]]
    }
    let many = try tree(["$ref": "#/$defs/d0", "$defs": .object(definitions)])
    #expect(many.members.count < 40_000)
  }

  @Test(
    arguments: [
      (["items": ["writeOnly": true]], "-h -s"), (["items": [:], "writeOnly": true], "-s -s"),
      (["items": ["properties": ["b": ["writeOnly": true]]]], "-h -h -s"),
      (["items": ["properties": ["b": ["minimum": 1]]]], "- - -"),
      (["items": ["properties": ["b": [:]], "patternProperties": ["c": ["writeOnly": true]]]], "-h -s -s"),
      (["items": ["properties": ["b": [:]]], "contains": ["writeOnly": true]], "-h -s -s"),
      (["items": [:], "anyOf": [["items": ["writeOnly": true]]]], "-h -s"),
      (["items": [:], "not": ["items": ["writeOnly": true]]], "-h -s"),
      (["items": [:], "additionalProperties": ["writeOnly": true]], "-s -s"),
      (["properties": ["b": [:]], "items": ["writeOnly": true]], "-s -s"),
    ] as [(JSON, String)]
  )
  func `knows the secrets in lists`(schema: JSON, expected: String) throws {
    let members = try tree(["properties": ["a": schema]]).members
    let found = members.map { $0.isSecret ? "-s" : $0.holdsSecret ? "-h" : "-" }
    #expect(found.joined(separator: " ") == expected)
  }

  @Test func `takes work in proportion to the places that lists have`() throws {
    func spent(_ count: Int) throws -> (work: Int, addresses: Int) {
      let naming: [JSON] = (0..<count).map { ["properties": ["m\($0)": true]] }
      var lists = JSONObject()
      for index in 0..<count { lists["l\(index)"] = ["items": ["properties": ["x": ["type": "string"]]]] }
      let schema = try Schema.compile(["allOf": .array(naming), "properties": .object(lists)])
      let budget = CompileBudget()
      let tree = try #require(schema.objectTree(budget: budget))
      return (budget.spent, tree.members.count)
    }
    let (small, large) = (try spent(50), try spent(500))
    #expect(small.addresses == 200 && large.addresses == 2000)
    #expect(large.work <= 11 * small.work)
  }
}
