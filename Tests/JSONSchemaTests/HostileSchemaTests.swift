import Budgets
import JSON
import JSONSchema
import Testing

/// A stranger may have written schema and instance: everything ends, within bounds, as a value.
@Suite struct HostileSchemaTests {
  private func problems(_ schema: JSON, _ options: CompileOptions = .init()) -> [SchemaCompileError.Problem.Kind] {
    do {
      _ = try Schema.compile(schema, options: options)
      return []
    } catch {
      return error.problems.map(\.kind)
    }
  }

  private func nested(_ depth: Int, _ keyword: String, innermost: JSON = true) -> JSON {
    var schema = innermost
    for _ in 0..<depth {
      schema = keyword == "allOf" ? ["allOf": [schema]] : [keyword: schema]
    }
    return schema
  }

  @Test(arguments: ["not", "items", "allOf", "additionalProperties"])
  func `a schema that is nested too deep is refused`(keyword: String) {
    #expect(problems(nested(1500, keyword)).contains(.tooLarge))
  }

  @Test(arguments: ["not", "items", "allOf", "additionalProperties"])
  func `a schema as deep as allowed compiles and evaluates`(keyword: String) throws {
    let schema = try Schema.compile(nested(500, keyword))
    #expect(schema.validate([1]) == schema.failures(of: [1]).isEmpty)
  }

  @Test func `a loop of references is refused and both ends are named`() throws {
    let schema: JSON = [
      "$ref": "#/$defs/a", "$defs": ["a": ["allOf": [["$ref": "#/$defs/b"]]], "b": ["not": ["$ref": "#/$defs/a"]]],
    ]
    do {
      _ = try Schema.compile(schema)
      Issue.record("it compiled")
    } catch {
      #expect(error.problems.map(\.kind) == [.referenceLoop])
      #expect(error.problems[0].text.contains("#/$defs/a"))
      #expect(error.problems[0].text.contains("#/$defs/b/not"))
    }
  }

  @Test(
    arguments: [
      ["$ref": "#"], ["allOf": [["$ref": "#"]]], ["if": ["$ref": "#"]], ["dependentSchemas": ["a": ["$ref": "#"]]],
      ["$dynamicAnchor": "x", "$dynamicRef": "#x"],
    ] as [JSON]
  )
  func `a schema that refers to itself in place is refused`(schema: JSON) {
    #expect(problems(schema) == [.referenceLoop])
  }

  @Test(arguments: [EvaluationDetails.allAlternatives, []])
  func `the reasons of all alternatives of a recursive union are bounded, too`(_ details: EvaluationDetails) throws {
    let inner: JSON = ["anyOf": [["$ref": "#"], ["$ref": "#"]]]
    let schema = try Schema.compile([
      "anyOf": [["type": "integer"], ["type": "array", "items": ["$ref": "#"]], ["type": "array", "items": inner]]
    ])
    var value: JSON = "x"
    for _ in 0..<3 { value = [value] }
    #expect(schema.evaluate(value, telling: details).failures.allSatisfy { $0.kind == .invalid })
    for _ in 0..<11 { value = [value] }
    let evaluation = schema.evaluate(value, telling: details)
    #expect(!evaluation.isValid && evaluation.failures.count == 1)
    #expect(evaluation.failures.map(\.kind) == [details.isEmpty ? .invalid : .tooCostly])
  }

  @Test func `a reference to itself below the instance is fine`() throws {
    let schema = try Schema.compile(["properties": ["next": ["$ref": "#"]], "required": ["id"]])
    #expect(schema.validate(["id": 1, "next": ["id": 2]]))
    #expect(!schema.validate(["id": 1, "next": [:]]))
  }

  @Test func `an instance deeper than the bound fails as too deep and nothing overflows`() throws {
    let schema = try Schema.compile(["items": ["$ref": "#/$defs/list"], "$defs": ["list": ["items": ["$ref": "#"]]]])
    var instance: JSON = []
    for _ in 0..<2000 { instance = [instance] }
    #expect(!schema.validate(instance))
    #expect(schema.failures(of: instance).map(\.kind) == [.tooDeep])
    var shallow: JSON = []
    for _ in 0..<200 { shallow = [shallow] }
    #expect(schema.validate(shallow))
  }

  @Test func `references that double at each step are given up as too costly`() throws {
    var definitions: JSONObject = ["d40": ["minLength": 1]]
    for index in 0..<40 {
      let next: JSON = ["$ref": .string("#/$defs/d\(index + 1)")]
      definitions["d\(index)"] = ["allOf": [next, next]]
    }
    let options = CompileOptions(limits: SchemaLimits(evaluationStepsMax: 100_000))
    let schema = try Schema.compile(["$ref": "#/$defs/d0", "$defs": .object(definitions)], options: options)
    #expect(!schema.validate("x"))
    #expect(schema.failures(of: "x").map(\.kind) == [.tooCostly])
    // Taking it apart ends as well.
    #expect(schema.objectParts().keywords.count < 10_000)
  }

  @Test func `a runaway pattern is a failure of its own kind even under not`() throws {
    let text = JSON.string(String(repeating: "a", count: 5000) + "!")
    let plain = try Schema.compile(["pattern": "^(a+)+\\1$"])
    #expect(plain.failures(of: text).map(\.kind) == [.tooCostly])
    #expect(plain.failures(of: text).map(\.keyword) == [.pattern])
    let negated = try Schema.compile(["not": ["pattern": "^(a+)+\\1$"]])
    #expect(negated.failures(of: text).map(\.kind) == [.tooCostly])
    #expect(!negated.validate(text))
  }

  @Test func `a huge enum is looked up by hash`() throws {
    let values = JSON.array((0..<100_000).map { .string("value \($0)") })
    let schema = try Schema.compile(["enum": values])
    for index in 0..<10_000 { #expect(schema.validate(.string("value \(index * 9)"))) }
    #expect(!schema.validate("value"))
  }

  @Test func `a schema with very many properties is looked up by hash`() throws {
    let properties = JSONObject((0..<20_000).map { ("property\($0)", ["type": "integer"] as JSON) })
    let schema = try Schema.compile(["properties": .object(properties), "additionalProperties": false])
    let instance = JSONObject((0..<20_000).reversed().map { ("property\($0)", 1 as JSON) })
    #expect(schema.validate(.object(instance)))
    #expect(!schema.validate(["property20000": 1]))
  }

  @Test func `a schema that refers to itself a hundred times is taken apart in bounds`() throws {
    let properties = JSONObject((0..<100).map { ("p\($0)", ["$ref": "#"] as JSON) })
    let schema = try Schema.compile(["properties": .object(properties), "type": "object"])
    let parts = schema.objectParts()
    #expect(parts.properties.count == 100)
    #expect(parts.properties.allSatisfy { $0.facts.types == ["object"] })
  }

  @Test func `a keyword that reads very many names is taken apart in bounds`() throws {
    let names = JSON.array((0..<20_000).map { .string("n\($0)") })
    let schema = try Schema.compile(["dependentRequired": ["a": names], "anyOf": [["required": names], true]])
    let parts = schema.objectParts()
    #expect(parts.keywords.count == 2)
    #expect(parts.keywords[0].reads.contains("n19999"))
  }

  @Test func `many schemas deep inside do not each remember the way`() throws {
    var schema: JSON = .object(
      ["properties": .object(JSONObject((0..<20_000).map { ("p\($0)", ["minimum": 1] as JSON) }))])
    for index in 0..<200 { schema = ["properties": [String(repeating: "x", count: 100) + "\(index)": schema]] }
    let compiled = try Schema.compile(schema)
    #expect(compiled.validate([:]))
  }

  @Test func `many dynamic references to many anchors share one table`() throws {
    let references = JSON.array((0..<5000).map { _ in ["$dynamicRef": "#a"] })
    let resources = JSONObject(
      (0..<5000).map { ("d\($0)", ["$id": .string("r\($0)"), "$dynamicAnchor": "a"] as JSON) }
    )
    let schema = try Schema.compile([
      "$id": "https://example.com/root", "$dynamicAnchor": "a", "prefixItems": references, "$defs": .object(resources),
    ])
    #expect(schema.validate([1, [2]]))
  }

  @Test func `lists multiplied by lists are given up as too costly`() throws {
    let triggers = JSONObject((0..<5000).map { ("t\($0)", [] as JSON) })
    let options = CompileOptions(limits: SchemaLimits(evaluationStepsMax: 100_000))
    let schema = try Schema.compile(["items": ["dependentRequired": .object(triggers)]], options: options)
    #expect(schema.failures(of: .array(Array(repeating: [:], count: 1000))).map(\.kind) == [.tooCostly])
  }

  @Test func `an identifier that is too long is refused`() {
    let text = JSON.string("https://example.com/" + String(repeating: "a", count: 5000))
    #expect(problems(["$id": text]) == [.tooLarge])
  }

  @Test func `a pattern that is too long is refused and one as long as allowed is not`() {
    #expect(problems(["pattern": .string(String(repeating: "a", count: 65_536))]) == [])
    #expect(problems(["pattern": .string(String(repeating: "a", count: 65_537))]) == [.badPattern])
  }

  @Test func `more schemas than allowed are refused`() {
    let properties = JSONObject((0..<500).map { ("p\($0)", true as JSON) })
    let options = CompileOptions(limits: SchemaLimits(schemasMax: 100))
    #expect(problems(["properties": .object(properties)], options) == [.tooLarge])
  }

  @Test func `failures are capped with their causes`() throws {
    let schema = try Schema.compile(["items": ["anyOf": [["type": "string"], ["type": "null"]]]])
    let instance = JSON.array((0..<1000).map { .integer($0) })
    func count(_ failures: [Failure]) -> Int { failures.reduce(0) { $0 + 1 + count($1.causes) } }
    for limit in [1, 2, 10, 100] {
      let failures = schema.failures(of: instance, limit: limit)
      #expect(!failures.isEmpty)
      #expect(count(failures) <= limit)
    }
  }

  @Test(
    arguments: [
      ["additionalProperties": false], ["additionalProperties": ["type": "string"]], ["propertyNames": ["const": ""]],
      ["patternProperties": ["^m": false]], ["unevaluatedProperties": false], ["items": false],
      ["unevaluatedItems": ["type": "string"]], ["contains": ["const": "a"], "minContains": 2],
    ] as [JSON]
  )
  func `failures beyond the limit cost nothing`(schema: JSON) throws {
    let parts = try Schema.compile(["properties": ["a": schema]]).objectParts()
    func units(_ count: Int) -> Int {
      let members = JSONObject((0..<count).map { ("m\($0)", .integer(Int64($0))) })
      let elements = JSON.array((0..<count).map { .integer(Int64($0)) })
      let isOfLists = ["items", "unevaluatedItems", "contains"].contains { schema[$0] != nil }
      var failures: [Failure] = []
      var budget = WorkBudget(units: 1_000_000)
      parts.failures(
        of: isOfLists ? elements : .object(members),
        property: 0,
        into: &failures,
        limit: 20,
        budget: &budget
      )
      #expect(!failures.isEmpty)
      return 1_000_000 - budget.unitsLeft
    }
    // `contains` looks at every element once, and then for the reasons of some. The parts of an object or a list are
    // marked for `unevaluated…`.
    let perElement = schema["contains"] != nil ? 3 : schema.description.contains("unevaluated") ? 2 : 0
    #expect(units(20_000) - units(2_000) <= 18_000 * perElement)
  }

  @Test func `to look for equal elements has its price`() throws {
    let schema = try Schema.compile(["properties": ["a": ["uniqueItems": true]]])
    let parts = schema.objectParts()
    let elements = JSON.array((0..<1_000).map { .integer($0) })
    var budget = WorkBudget(units: 4_000)
    var failures: [Failure] = []
    parts.failures(of: elements, property: 0, into: &failures, budget: &budget)
    #expect(failures.map(\.kind) == [.tooCostly])
  }

  @Test(arguments: (0..<20).map { UInt64($0) })
  func `any JSON as a schema compiles or is refused`(seed: UInt64) {
    var generator = RandomSchemas(seed: seed)
    let keywords =
      Keyword.allCases.map(\.rawValue) + ["$id", "$schema", "$anchor", "$dynamicAnchor", "$defs", "$vocabulary"]
    for _ in 0..<200 {
      var members = JSONObject()
      for _ in 0..<4 { members[generator.pick(keywords)] = generator.value() }
      let document: JSON = .object(members)
      guard let schema = try? Schema.compile(document) else { continue }
      let instance = generator.value()
      #expect(schema.validate(instance) == schema.failures(of: instance).isEmpty, "\(document)")
    }
  }
}
