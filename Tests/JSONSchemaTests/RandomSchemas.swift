import JSON
import Randomness

/// Random schemas over few names and values, so that keywords meet each other and instances are valid often enough.
struct RandomSchemas {
  var random: SeededGenerator
  static let names = ["a", "b", "c", "d"]

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func pick<T>(_ choices: [T]) -> T { choices.randomElement(using: &random)! }
  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func value(depth: Int = 2) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(chance(50))
    case 2: return .integer(Int64.random(in: 0...4, using: &random))
    case 3: return .real(pick([0.5, 1, 2.5, 4]))
    case 4, 5: return .string(pick(["", "a", "bb", "ccc", "á"]))
    case 6:
      return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth: depth - 1) })
    default: return .object(object(depth: depth - 1))
    }
  }

  mutating func object(depth: Int = 2) -> JSONObject {
    var members = JSONObject()
    for name in Self.names where chance(60) { members[name] = value(depth: depth) }
    return members
  }

  /// A document with definitions that may refer to later ones anywhere, and to any one below `properties`.
  mutating func document() -> JSON {
    var definitions = JSONObject()
    for index in 0..<3 { definitions["d\(index)"] = schema(depth: 2, definition: index) }
    guard case .object(var root) = schema(depth: 3, definition: -1, isObject: true) else { return true }
    root["$defs"] = .object(definitions)
    return .object(root)
  }

  /// A document that most often describes its member `list` as a list: its keywords are about arrays, or apply schemas
  /// about arrays.
  mutating func listDocument() -> JSON {
    var definitions = JSONObject()
    for index in 0..<3 { definitions["d\(index)"] = listSchema(depth: 1, definition: index) }
    let list = listSchema(depth: 3, definition: -1)
    return ["properties": ["list": list], "$defs": .object(definitions)]
  }

  private mutating func listSchema(depth: Int, definition: Int) -> JSON {
    if chance(4) { return .bool(chance(70)) }
    func listSchemas(_ generator: inout RandomSchemas) -> JSON {
      let count = generator.pick([1, 1, 2, 3])
      return .array((0..<count).map { _ in generator.listSchema(depth: depth - 1, definition: definition) })
    }
    var members = JSONObject()
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      switch Int.random(in: 0..<(depth > 0 ? 19 : 8), using: &random) {
      case 0: members["type"] = .string(pick(["array", "array", "array", "object"]))
      case 1: members[pick(["minItems", "maxItems"])] = .integer(Int64.random(in: 1...3, using: &random))
      case 2: members["uniqueItems"] = true
      case 3: members["enum"] = .array((0..<3).map { _ in .array([value(depth: 1)]) } + [[]])
      case 4, 5, 6: members["items"] = schema(depth: depth, definition: -1)
      case 7 where definition < 2:
        members["$ref"] = .string("#/$defs/d\(Int.random(in: (definition + 1)...2, using: &random))")
      case 8: members["prefixItems"] = schemas(depth: depth - 1, definition: -1)
      case 9: members["contains"] = schema(depth: depth - 1, definition: -1)
      case 10: members["unevaluatedItems"] = schema(depth: depth - 1, definition: -1)
      case 11:
        members["if"] = listSchema(depth: depth - 1, definition: definition)
        if chance(80) { members["then"] = listSchema(depth: depth - 1, definition: definition) }
        if chance(60) { members["else"] = listSchema(depth: depth - 1, definition: definition) }
      case 12, 13, 14: members["allOf"] = listSchemas(&self)
      case 15: members[pick(["anyOf", "oneOf"])] = listSchemas(&self)
      case 16: members["not"] = listSchema(depth: depth - 1, definition: definition)
      default: members["items"] = schema(depth: depth - 1, definition: -1)
      }
    }
    return .object(members)
  }

  private mutating func schema(depth: Int, definition: Int, isObject: Bool = false) -> JSON {
    if !isObject && chance(depth <= 0 ? 30 : 8) { return .bool(chance(70)) }
    var members = JSONObject()
    for _ in 0..<Int.random(in: 1...(isObject ? 5 : 3), using: &random) {
      add(&members, depth: depth, definition: definition, isObject: isObject)
    }
    return .object(members)
  }

  private mutating func add(_ members: inout JSONObject, depth: Int, definition: Int, isObject: Bool) {
    func names(_ random: inout SeededGenerator) -> JSON {
      .array(Self.names.filter { _ in Bool.random(using: &random) }.map { .string($0) })
    }
    let applicators = isObject ? 14 : 17
    switch Int.random(in: 0..<(depth > 0 ? 10 + applicators : 10), using: &random) {
    case 0: members["type"] = isObject ? "object" : .string(pick(["object", "string", "integer", "number", "array"]))
    case 1: members["minLength"] = .integer(Int64.random(in: 0...2, using: &random))
    case 2: members["maximum"] = .integer(Int64.random(in: 0...4, using: &random))
    case 3: members["multipleOf"] = pick([0.5, 2])
    case 4: members["required"] = names(&random)
    case 5: members["dependentRequired"] = [pick(Self.names): names(&random)]
    case 6: members[pick(["minProperties", "maxProperties"])] = .integer(Int64.random(in: 1...3, using: &random))
    case 7: members["enum"] = .array((0..<4).map { _ in isObject ? .object(object()) : value(depth: 1) })
    case 8 where definition < 2:
      members["$ref"] = .string("#/$defs/d\(Int.random(in: (definition + 1)...2, using: &random))")
    case 9: members["pattern"] = .string(pick(["a", "^b+$", "c{2}"]))
    case 10, 11, 12:
      var properties = JSONObject()
      // A step into the instance is taken, so any definition may be meant, its own too.
      for name in Self.names where chance(50) { properties[name] = schema(depth: depth - 1, definition: -1) }
      members["properties"] = .object(properties)
    case 13: members["additionalProperties"] = schema(depth: depth - 1, definition: -1)
    case 14: members["patternProperties"] = [pick(["a", "^[bc]$", "."]): schema(depth: depth - 1, definition: -1)]
    case 15: members["propertyNames"] = ["pattern": .string(pick(["[abc]", "^[^d]", "."]))]
    case 16: members["unevaluatedProperties"] = schema(depth: depth - 1, definition: -1)
    case 17: members["dependentSchemas"] = [pick(Self.names): schema(depth: depth - 1, definition: definition)]
    case 18:
      members["if"] = schema(depth: depth - 1, definition: definition)
      if chance(80) { members["then"] = schema(depth: depth - 1, definition: definition) }
      if chance(60) { members["else"] = schema(depth: depth - 1, definition: definition) }
    case 19, 20: members["allOf"] = schemas(depth: depth - 1, definition: definition)
    case 21: members["anyOf"] = schemas(depth: depth - 1, definition: definition)
    case 22: members["oneOf"] = schemas(depth: depth - 1, definition: definition)
    case 23: members["not"] = schema(depth: depth - 1, definition: definition)
    case 24: members["items"] = schema(depth: depth - 1, definition: -1)
    case 25: members["contains"] = schema(depth: depth - 1, definition: -1)
    case 26: members["unevaluatedItems"] = schema(depth: depth - 1, definition: -1)
    default: break
    }
  }

  private mutating func schemas(depth: Int, definition: Int) -> JSON {
    .array((0..<Int.random(in: 1...3, using: &random)).map { _ in schema(depth: depth, definition: definition) })
  }
}
