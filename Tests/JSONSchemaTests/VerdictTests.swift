import JSON
import JSONSchema
import Testing

/// Giving up does not give a verdict, and seldom happens.
@Suite struct VerdictTests {
  /// Binary trees, whose nodes two branches look into.
  private static let trees: JSON = [
    "$ref": "#/$defs/n",
    "$defs": [
      "n": [
        "oneOf": [
          ["type": "null"],
          [
            "type": "object", "properties": ["l": ["$ref": "#/$defs/n"], "r": ["$ref": "#/$defs/n"]], "required": ["l"],
          ],
          [
            "type": "object", "properties": ["l": ["$ref": "#/$defs/n"], "x": ["type": "string"]], "required": ["x"],
          ],
        ]
      ]
    ],
  ]

  private static func tree(_ depth: Int, leaf: JSON = .null, last: JSON? = nil) -> JSON {
    guard depth > 0 else { return last ?? leaf }
    return ["l": tree(depth - 1, leaf: leaf), "r": tree(depth - 1, leaf: leaf, last: last)]
  }

  @Test func `a binary tree that two branches look into gets its verdict`() throws {
    let schema = try Schema.compile(Self.trees)
    #expect(schema.validate(Self.tree(14)))
    let evaluation = schema.evaluate(Self.tree(14, last: "x"))
    #expect(evaluation.verdict == .invalid)
    #expect(evaluation.failures.first?.kind == .invalid)
  }

  @Test func `branches that all look into the same members cost no more than one of them does`() throws {
    // No keyword refuses early: each branch goes to the bottom of the chain.
    let branches = (0..<6).map {
      ["properties": ["next": ["$ref": "#"], "end": ["const": .integer(Int64($0))]]] as JSON
    }
    let options = CompileOptions(limits: SchemaLimits(evaluationStepsMax: 100_000))
    let schema = try Schema.compile(["anyOf": .array(branches)], options: options)
    var chain: JSON = ["end": 6]
    for _ in 0..<100 { chain = ["next": chain] }
    #expect(schema.evaluate(chain).verdict == .invalid)
    var valid: JSON = ["end": 5]
    for _ in 0..<100 { valid = ["next": valid] }
    #expect(schema.evaluate(valid).verdict == .valid)
  }

  @Test func `what is kept of equal values in different places is true of both`() throws {
    let schema = try Schema.compile(Self.trees)
    let shared = Self.tree(9)
    #expect(schema.validate(["l": shared, "r": ["l": shared, "r": shared]]))
    let broken = Self.tree(9, last: 1)
    #expect(!schema.validate(["l": shared, "r": ["l": shared, "r": broken]]))
    #expect(!schema.validate(["l": broken, "r": shared]))
  }

  @Test(arguments: (0..<20).map { UInt64($0) })
  func `keeping answers changes none`(seed: UInt64) throws {
    var generator = RandomSchemas(seed: seed &+ 900)
    guard case .object(var branch) = generator.document() else { return }
    var definitions = branch["$defs"]?.objectValue ?? [:]
    branch["$defs"] = nil
    definitions["n"] = [
      "anyOf": [
        .object(branch), ["properties": ["a": ["$ref": "#/$defs/n"], "b": ["$ref": "#/$defs/n"]], "required": ["a"]],
        ["properties": ["a": ["$ref": "#/$defs/n"], "b": ["type": "integer"]], "items": ["$ref": "#/$defs/n"]],
      ]
    ]
    let schema = try Schema.compile(["items": ["$ref": "#/$defs/n"], "$defs": .object(definitions)])
    var values = (0..<6).map { _ in generator.value() }
    for _ in 0..<8 {
      values = zip(values, values.dropFirst() + [.null]).map { ["a": $0, "b": $1] } + [generator.value()]
    }
    // One value alone asks for few answers, and no answer is kept yet.
    let valid = values.filter { schema.validate([$0]) }
    let invalid = values.filter { !schema.validate([$0]) }
    let many = Array(repeating: valid, count: 100).flatMap { $0 }
    #expect(schema.validate(.array(many)))
    for value in invalid { #expect(!schema.validate(.array(many + [value]))) }
  }

  @Test func `a required member is asked for before those that are there are looked into`() throws {
    let options = CompileOptions(limits: SchemaLimits(evaluationStepsMax: 1_000))
    let schema = try Schema.compile(
      ["properties": ["a": ["items": ["type": "integer", "allOf": [true, true]]]], "required": ["b"]],
      options: options
    )
    let long = JSON.array((0..<10_000).map { .integer($0) })
    #expect(schema.evaluate(["a": long]).verdict == .invalid)
    #expect(schema.evaluate(["a": long, "b": 1]).verdict == .undecided(.steps(1_000)))
  }

  @Test func `a bound that is reached is no verdict and the output has null`() throws {
    let options = CompileOptions(limits: SchemaLimits(evaluationDepthMax: 5))
    let schema = try Schema.compile(["items": ["$ref": "#"]], options: options)
    let evaluation = schema.evaluate([[[[[[[]]]]]]])
    #expect(evaluation.verdict == .undecided(.depth(5)))
    #expect(!evaluation.isValid)
    for format in OutputFormat.allCases {
      let output = evaluation.output(format)
      #expect(output["valid"] == .null)
      #expect(output["error"]?.stringValue?.contains("5") == true)
    }
  }

  @Test func `what was found before a bound was reached is a verdict`() throws {
    let options = CompileOptions(limits: SchemaLimits(evaluationDepthMax: 5))
    let schema = try Schema.compile(
      [
        "prefixItems": [["type": "string"], ["$ref": "#/$defs/list"]],
        "$defs": ["list": ["items": ["$ref": "#/$defs/list"]]],
      ],
      options: options
    )
    let evaluation = schema.evaluate([1, [[[[[[[]]]]]]]])
    #expect(evaluation.verdict == .invalid)
    #expect(evaluation.failures.map(\.kind) == [.invalid, .tooDeep])
  }

  @Test func `a pattern that runs away says which`() throws {
    let schema = try Schema.compile(["pattern": "^(a+)+\\1$"])
    let evaluation = schema.evaluate(.string(String(repeating: "a", count: 5000) + "!"))
    #expect(evaluation.verdict == .undecided(.pattern("^(a+)+\\1$")))
  }
}
