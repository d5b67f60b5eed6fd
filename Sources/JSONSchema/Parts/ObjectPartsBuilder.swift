internal import Budgets
internal import JSON
internal import Texts

/// Walks from the schemas of an object, or of an array, through `$ref` and `allOf`, and sorts their keywords.
struct ObjectPartsBuilder {
  let program: Program
  let container: Container
  let budget: CompileBudget
  let factsNestingMax: Int
  let secrets: SecretMembers
  private var names: [String] = []
  private var positions: [UTF8Key: Int] = [:]
  private var uses: [[SchemaUse]] = []
  private var required: [ObjectParts.Requirement] = []
  private var keywords: [ObjectParts.ObjectKeyword] = []
  private var visitsLeft = Self.visitsMax

  /// `allOf` of references of `allOf`... may name a schema exponentially often. Beyond this many, such a keyword is one
  /// part that reads everything.
  private static let visitsMax = 2000
  /// References that follow each other.
  private static let depthMax = 200

  init(
    program: Program,
    of container: Container,
    secrets: SecretMembers,
    budget: CompileBudget,
    factsNestingMax: Int
  ) {
    self.program = program
    self.container = container
    self.secrets = secrets
    self.budget = budget
    self.factsNestingMax = factsNestingMax
  }

  /// The parts of the root; nil when the budget is spent.
  mutating func build() -> ObjectParts? {
    build(from: [SchemaUse(schema: program.root, path: [], scope: [])])
  }

  /// The parts of a value to which all of those schemas apply; nil when the budget is spent.
  mutating func build(from roots: [SchemaUse]) -> ObjectParts? {
    for use in roots { visit(use.schema, path: use.path, scope: use.scope, depth: 0) }
    guard budget.mayGoOn else { return nil }
    // Enough for any field that a person wrote; no more altogether than a moment's work.
    let visits = max(50, min(2000, 400_000 / max(1, names.count)))
    let secretMembers = secrets.members(among: names, of: container, with: roots.map { Int($0.schema) }).holding
    let properties = zip(names.indices, uses).map { position, uses in
      ObjectParts.Property(
        name: names[position],
        container: container,
        facts: PropertyFacts(
          of: uses.map(\.schema),
          in: program,
          visits: visits,
          nestingMax: factsNestingMax,
          budget: budget
        ),
        holdsSecret: secretMembers.contains(position),
        pointers: uses.map { program.documentPointer(of: $0.schema) },
        uses: uses
      )
    }
    guard budget.mayGoOn else { return nil }
    return ObjectParts(properties: properties, required: required, keywords: keywords, program: program)
  }

  private mutating func visit(_ schema: Int32, path: [String], scope: [Int32], depth: Int) {
    visitsLeft -= 1
    let record = program.schemas[Int(schema)]
    let scope = scope.last == record.resource ? scope : scope + [record.resource]
    let use = SchemaUse(schema: schema, path: path, scope: scope)
    if record.typeMask.isEmpty {
      // `false`: no value is valid.
      add(Instruction(operation: .type, keyword: .falseSchema), use)
      return
    }
    for position in program.sources[Int(schema)].written.range {
      let instruction = program.written[position]
      guard instruction.appliesTo.contains(container.instances), budget.spend() else { continue }
      if let named = program.namedSchemas(instruction) {
        for entry in named where budget.spend() {
          addProperty(entry.name, SchemaUse(schema: entry.schema, path: path, scope: scope))
        }
        continue
      }
      switch instruction.operation {
      case .required:
        let pointer = program.documentPointer(of: schema).appending(instruction.keyword.rawValue)
        for name in program.list(instruction.a, instruction.b) where budget.spend() {
          required.append(ObjectParts.Requirement(name: program.names[Int(name)], pointer: pointer, use: use))
        }
      case .allOf where depth < Self.depthMax && visitsLeft > 0:
        for (number, branch) in program.list(instruction.a, instruction.b).enumerated() {
          visit(branch, path: path + ["allOf", String(number)], scope: scope, depth: depth + 1)
        }
      case .reference where depth < Self.depthMax && visitsLeft > 0:
        visit(instruction.a, path: path + [instruction.keyword.rawValue], scope: scope, depth: depth + 1)
      default:
        add(instruction, use)
      }
    }
  }

  /// Elements have no names, so a keyword's elements cannot be told apart.
  private func reads(of instruction: Instruction) -> ReadSet {
    guard container == .object else { return .everything }
    var reader = ReadSetBuilder(program: program, budget: budget)
    reader.read(instruction)
    return reader.readSet
  }

  private mutating func addProperty(_ name: String, _ use: SchemaUse) {
    let key = UTF8Key(text: name)
    if let position = positions[key] {
      uses[position].append(use)
    } else {
      positions[key] = names.count
      names.append(name)
      uses.append([use])
    }
  }

  private mutating func add(_ instruction: Instruction, _ use: SchemaUse) {
    let tokens = instruction.keyword == .falseSchema ? [] : [instruction.keyword.rawValue]
    keywords.append(
      ObjectParts.ObjectKeyword(
        keyword: instruction.keyword,
        keywordLocation: JSONPointer(tokens: use.path + tokens),
        reads: reads(of: instruction),
        instruction: instruction,
        use: use
      )
    )
  }
}

/// The kinds of values that are taken apart: an object into its members, a list into its element, which represents all
/// elements.
enum Container {
  case object, list

  /// The instances that the keywords must apply to which say something about it.
  var instances: InstanceTypes { self == .object ? .objects : .arrays }
}

extension Program {
  /// The schemas of an instruction for each member by its name, or for all elements by the name
  /// ``ObjectTree/elementName``; nil if it uses another rule for members or elements, or has none.
  func namedSchemas(_ instruction: Instruction) -> [(name: String, schema: Int32)]? {
    if instruction.operation == .properties {
      return plans[Int(instruction.a)].names.entries.compactMap { $0.schema >= 0 ? ($0.name, $0.schema) : nil }
    }
    return instruction.isForAllElements ? [(ObjectTree.elementName, instruction.a)] : nil
  }
}

extension Instruction {
  /// Whether it is an `items` that has no elements before its own. `additionalItems` of the older drafts follows an
  /// array, which may be empty.
  var isForAllElements: Bool { operation == .items && keyword == .items && b == 0 }
}

/// Finds out which members of an object an instruction looks at.
struct ReadSetBuilder {
  let program: Program
  let budget: CompileBudget
  private var visited: Set<Int32> = []
  private var names: Set<UTF8Key> = []
  /// If every member is read: the exceptions, unless ``names`` has them.
  private var exceptions: Set<UTF8Key>?

  init(program: Program, budget: CompileBudget) {
    self.program = program
    self.budget = budget
  }

  /// The members that the instructions given to ``read(_:)`` look at.
  var readSet: ReadSet {
    func sorted(_ names: Set<UTF8Key>) -> [String] { names.map(\.text).sorted { $0.precedesInUTF8($1) } }
    return exceptions.map { .all(except: sorted($0.subtracting(names))) } ?? .names(sorted(names))
  }

  mutating func read(_ instruction: Instruction) {
    switch instruction.operation {
    case .type: break
    case .required: read(names: program.list(instruction.a, instruction.b).map { program.names[Int($0)] })
    case .properties: read(names: propertyNames(instruction))
    case .additionalProperties: readAll(except: propertyNames(instruction))
    case .dependentRequired:
      var position = Int(instruction.a)
      let end = position + Int(instruction.b)
      while position < end {
        let count = Int(program.lists[position + 1])
        read(names: [program.names[Int(program.lists[position])]])
        read(names: (0..<count).map { program.names[Int(program.lists[position + 2 + $0])] })
        position += 2 + count
      }
    case .dependentSchemas:
      for position in stride(from: Int(instruction.a), to: Int(instruction.a + instruction.b), by: 2) {
        read(names: [program.names[Int(program.lists[position])]])
        read(schema: program.lists[position + 1])
      }
    case .allOf, .anyOf, .oneOf, .not, .conditional, .reference:
      for schema in instruction.inPlaceSchemas(lists: program.lists) { read(schema: schema) }
    default:
      if instruction.appliesTo.contains(.objects) { readAll(except: []) }
    }
  }

  private mutating func read(schema: Int32) {
    // A schema that was met already has given its share.
    guard visited.insert(schema).inserted else { return }
    // Following references of references by recursion is bounded: beyond it, everything is read.
    guard visited.count < 200 else { return readAll(except: []) }
    for position in program.sources[Int(schema)].written.range { read(program.written[position]) }
  }

  private mutating func read(names read: [String]) {
    guard budget.spend(read.count) else { return }
    for name in read { names.insert(UTF8Key(text: name)) }
  }

  private mutating func readAll(except spared: [String]) {
    guard budget.spend(spared.count) else { return }
    let spared = Set(spared.map { UTF8Key(text: $0) })
    exceptions = exceptions.map { $0.intersection(spared) } ?? spared
  }

  private func propertyNames(_ instruction: Instruction) -> [String] {
    program.plans[Int(instruction.a)].names.entries.filter { $0.schema >= 0 }.map(\.name)
  }
}
