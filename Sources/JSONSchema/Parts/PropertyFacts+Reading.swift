internal import Budgets
internal import Formats
internal import JSON
internal import Texts

extension PropertyFacts {
  /// The facts that several schemas give together.
  ///
  /// - Parameters:
  ///   - schemas: their numbers.
  ///   - program: the program of the schemas.
  ///   - visits: how many schemas may be read; schemas beyond this number are not read. Schemas that refer to
  ///     themselves several times have facts without end.
  ///   - nestingMax: the depth of items and members for which facts are read.
  ///   - budget: the budget for the reading.
  init(of schemas: [Int32], in program: Program, visits: Int, nestingMax: Int, budget: CompileBudget) {
    var visitsLeft = visits
    self.init(of: schemas, in: program, nestingLeft: nestingMax, visitsLeft: &visitsLeft, budget: budget)
  }

  fileprivate init(
    of schemas: [Int32],
    in program: Program,
    nestingLeft: Int,
    visitsLeft: inout Int,
    budget: CompileBudget
  ) {
    var reader = PropertyFactsReader(program: program, nestingLeft: nestingLeft, visitsLeft: visitsLeft, budget: budget)
    for schema in schemas { reader.read(schema, depth: 0) }
    visitsLeft = reader.visitsLeft
    self = reader.finished
  }
}

/// Reads facts off compiled schemas.
private struct PropertyFactsReader {
  let program: Program
  /// How many more levels of items and members are read for facts.
  let nestingLeft: Int
  /// How much deeper in alternatives of alternatives types are looked for.
  private var alternativesLeft = 5
  private var facts = PropertyFacts()
  private var mask = TypeMask.all
  private(set) var visitsLeft: Int
  private let budget: CompileBudget
  private var memberNames: Set<UTF8Key> = []

  private static let depthMax = 50

  init(program: Program, nestingLeft: Int, visitsLeft: Int, budget: CompileBudget) {
    self.program = program
    self.nestingLeft = nestingLeft
    self.visitsLeft = visitsLeft
    self.budget = budget
  }

  var finished: PropertyFacts {
    var facts = facts
    var mask = mask
    if mask == .all, let choices = facts.choices, !choices.isEmpty {
      mask = choices.reduce(into: TypeMask([])) { $0.formUnion(Self.mask(of: $1.value)) }
    }
    facts.types = mask.names
    return facts
  }

  private static func mask(of value: JSON) -> TypeMask {
    switch value {
    case .integer: .integer
    case .real, .decimal: .number
    default: TypeMask(name: value.typeName) ?? .all
    }
  }

  mutating func read(_ schema: Int32, depth: Int) {
    visitsLeft -= 1
    guard depth < Self.depthMax, visitsLeft > 0, budget.spend() else { return }
    let source = program.sources[Int(schema)]
    if program.schemas[Int(schema)].typeMask.isEmpty { mask = [] }
    readTexts(source.value)
    for member in source.extensions where facts.extensions[member.name] == nil && budget.spend() {
      facts.extensions[member.name] = member.value
    }
    for position in source.written.range { read(program.written[position], depth: depth) }
  }

  private mutating func readTexts(_ value: JSON) {
    facts.title = facts.title ?? value["title"]?.stringValue
    facts.description = facts.description ?? value["description"]?.stringValue
    facts.default = facts.default ?? value["default"]
    facts.format = facts.format ?? value["format"]?.stringValue
    if value["writeOnly"]?.boolValue == true { facts.writeOnly = true }
    if value["readOnly"]?.boolValue == true { facts.readOnly = true }
  }

  private mutating func read(_ instruction: Instruction, depth: Int) {
    let operand = Int(instruction.a)
    switch instruction.operation {
    case .type:
      narrow(to: TypeMask(rawValue: UInt8(truncatingIfNeeded: instruction.a)))
    case .const:
      if facts.choices == nil { facts.choices = [PropertyFacts.Choice(value: program.constants[operand])] }
    case .enumeration:
      if facts.choices == nil, budget.spend(program.enumerations[operand].values.count) {
        facts.choices = program.enumerations[operand].values.map { PropertyFacts.Choice(value: $0) }
      }
    case .maxLength: facts.maxLength = min(facts.maxLength ?? .max, operand)
    case .minLength: facts.minLength = max(facts.minLength ?? 0, operand)
    case .maxItems: facts.maxItems = min(facts.maxItems ?? .max, operand)
    case .minItems: facts.minItems = max(facts.minItems ?? 0, operand)
    case .maximum:
      let limit = program.constants[operand]
      if facts.maximum.map({ NumberOrder.isLess(limit, $0) }) ?? true { facts.maximum = limit }
    case .minimum:
      let limit = program.constants[operand]
      if facts.minimum.map({ NumberOrder.isLess($0, limit) }) ?? true { facts.minimum = limit }
    case .exclusiveMaximum:
      let limit = program.constants[operand]
      if facts.exclusiveMaximum.map({ NumberOrder.isLess(limit, $0) }) ?? true { facts.exclusiveMaximum = limit }
    case .exclusiveMinimum:
      let limit = program.constants[operand]
      if facts.exclusiveMinimum.map({ NumberOrder.isLess($0, limit) }) ?? true { facts.exclusiveMinimum = limit }
    case .multipleOf: facts.multipleOf = facts.multipleOf ?? program.constants[operand]
    case .uniqueItems: facts.uniqueItems = true
    case .pattern: facts.pattern = facts.pattern ?? program.patterns[operand].source
    case .reference: read(instruction.a, depth: depth + 1)
    case .allOf:
      for branch in program.list(instruction.a, instruction.b) { read(branch, depth: depth + 1) }
    case .anyOf, .oneOf: readAlternatives(instruction, depth: depth)
    case .items:
      if nestingLeft > 0, facts.items.isEmpty, instruction.b == 0 {
        facts.items = [inner(of: instruction.a)]
      }
    case .properties:
      guard nestingLeft > 0 else { return }
      for entry in program.plans[operand].names.entries where entry.schema >= 0 && visitsLeft > 0 {
        guard memberNames.insert(UTF8Key(text: entry.name)).inserted else { continue }
        facts.members.append(PropertyFacts.Member(name: entry.name, facts: inner(of: entry.schema)))
      }
    default:
      break
    }
  }

  /// The facts of a schema for an element or a member.
  private mutating func inner(of schema: Int32) -> PropertyFacts {
    PropertyFacts(of: [schema], in: program, nestingLeft: nestingLeft - 1, visitsLeft: &visitsLeft, budget: budget)
  }

  private mutating func readAlternatives(_ instruction: Instruction, depth: Int) {
    guard budget.spend(Int(instruction.b)) else { return }
    let branches = Array(program.list(instruction.a, instruction.b))
    let values = branches.map { program.sources[Int($0)].value }
    if values.allSatisfy({ $0["const"] != nil }) {
      if facts.choices == nil {
        facts.choices = values.map {
          PropertyFacts.Choice(value: $0["const"] ?? .null, title: $0["title"]?.stringValue)
        }
      }
      return
    }
    guard depth < Self.depthMax, branches.count <= 64, alternativesLeft > 0 else { return }
    var inner: [PropertyFactsReader] = []
    for branch in branches {
      // Only its types are asked for.
      var reader = PropertyFactsReader(program: program, nestingLeft: 0, visitsLeft: visitsLeft, budget: budget)
      reader.alternativesLeft = alternativesLeft - 1
      reader.read(branch, depth: depth + 1)
      visitsLeft = reader.visitsLeft
      inner.append(reader)
    }
    narrow(to: inner.reduce(into: TypeMask([])) { $0.formUnion($1.mask) })
    let others = zip(branches, inner).filter { $0.1.mask != .null }
    if others.count == 1 {
      // "This, or null": its facts are ours, except that null stays possible.
      let known = mask
      read(others[0].0, depth: depth + 1)
      mask = known
      if let choices = facts.choices, mask.contains(.null), !choices.contains(where: \.value.isNull) {
        facts.choices = choices + [PropertyFacts.Choice(value: .null)]
      }
    }
  }

  private mutating func narrow(to types: TypeMask) {
    // A number may be an integer.
    let wide = types.contains(.number) ? types.union([.integer, .integralReal]) : types
    mask.formIntersection(wide)
  }
}
