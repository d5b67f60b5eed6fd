internal import JSON
internal import Texts

/// Walks from a root schema through `$ref` and `allOf` and sorts what it finds.
struct ObjectPartsBuilder {
  let program: Program
  private var names: [String] = []
  private var positions: [UTF8Key: Int] = [:]
  private var uses: [[SchemaUse]] = []
  private var required: [ObjectParts.Requirement] = []
  private var parts: [ObjectParts.Part] = []
  private var visitsLeft = Self.visitsMax

  /// `allOf` of references of `allOf`... may name a schema exponentially often. Beyond this many, such a keyword is one part that
  /// reads everything.
  private static let visitsMax = 2000
  /// References that follow each other.
  private static let depthMax = 200

  init(program: Program) {
    self.program = program
  }

  mutating func build() -> ObjectParts {
    visit(program.root, path: [], scope: [], depth: 0)
    // Enough for any field that a person wrote; no more altogether than a moment's work.
    let visits = max(50, min(2000, 400_000 / max(1, names.count)))
    let properties = zip(names, uses).map { name, uses in
      ObjectParts.Property(
        name: name,
        facts: PropertyFacts(of: uses.map(\.schema), in: program, visits: visits),
        pointers: uses.map { program.documentPointer(of: $0.schema) },
        uses: uses
      )
    }
    return ObjectParts(properties: properties, required: required, parts: parts, program: program)
  }

  private mutating func visit(_ schema: Int32, path: [String], scope: [Int32], depth: Int) {
    visitsLeft -= 1
    let record = program.schemas[Int(schema)]
    let scope = scope.last == record.resource ? scope : scope + [record.resource]
    let use = SchemaUse(schema: schema, path: path, scope: scope)
    if record.typeMask.isEmpty {
      // `false`: no object is valid.
      add(Instruction(operation: .type, keyword: .falseSchema), use, reads: .nothing)
      return
    }
    for position in program.sources[Int(schema)].written.range {
      let instruction = program.written[position]
      guard instruction.appliesTo.contains(.objects) else { continue }
      switch instruction.operation {
      case .properties:
        for entry in program.plans[Int(instruction.a)].names.entries where entry.schema >= 0 {
          addProperty(entry.name, SchemaUse(schema: entry.schema, path: path, scope: scope))
        }
      case .required:
        for name in program.list(instruction.a, instruction.b) {
          required.append(ObjectParts.Requirement(name: program.names[Int(name)], use: use))
        }
      case .allOf where depth < Self.depthMax && visitsLeft > 0:
        for (number, branch) in program.list(instruction.a, instruction.b).enumerated() {
          visit(branch, path: path + ["allOf", String(number)], scope: scope, depth: depth + 1)
        }
      case .reference where depth < Self.depthMax && visitsLeft > 0:
        visit(instruction.a, path: path + [instruction.keyword.rawValue], scope: scope, depth: depth + 1)
      default:
        var reader = ReadSetBuilder(program: program)
        add(instruction, use, reads: reader.reads(of: instruction))
      }
    }
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

  private mutating func add(_ instruction: Instruction, _ use: SchemaUse, reads: ReadSet) {
    let tokens = instruction.keyword == .falseSchema ? [] : [instruction.keyword.rawValue]
    parts.append(
      ObjectParts.Part(
        keyword: instruction.keyword,
        keywordLocation: JSONPointer(tokens: use.path + tokens),
        reads: reads,
        instruction: instruction,
        use: use
      )
    )
  }
}

/// Finds out which members of an object an instruction looks at.
struct ReadSetBuilder {
  let program: Program
  private var visited: Set<Int32> = []

  init(program: Program) {
    self.program = program
  }

  mutating func reads(of instruction: Instruction) -> ReadSet {
    switch instruction.operation {
    case .type:
      return .nothing
    case .required:
      return .names(program.list(instruction.a, instruction.b).map { program.names[Int($0)] }).union(.nothing)
    case .properties:
      return .names(propertyNames(instruction))
    case .additionalProperties:
      return .all(except: propertyNames(instruction))
    case .dependentRequired:
      var names: [String] = []
      var position = Int(instruction.a)
      let end = position + Int(instruction.b)
      while position < end {
        let count = Int(program.lists[position + 1])
        names.append(program.names[Int(program.lists[position])])
        for offset in 0..<count { names.append(program.names[Int(program.lists[position + 2 + offset])]) }
        position += 2 + count
      }
      return ReadSet.nothing.union(.names(names))
    case .dependentSchemas:
      var set = ReadSet.nothing
      for position in stride(from: Int(instruction.a), to: Int(instruction.a + instruction.b), by: 2) {
        set = set.union(.names([program.names[Int(program.lists[position])]]))
        set = set.union(reads(ofSchema: program.lists[position + 1]))
      }
      return set
    case .allOf, .anyOf, .oneOf, .not, .conditional, .reference:
      return instruction.inPlaceSchemas(lists: program.lists).reduce(ReadSet.nothing) {
        $0.union(reads(ofSchema: $1))
      }
    default:
      return instruction.appliesTo.contains(.objects) ? .everything : .nothing
    }
  }

  private mutating func reads(ofSchema schema: Int32) -> ReadSet {
    // A schema that was met already has given its share.
    guard visited.insert(schema).inserted else { return .nothing }
    // Following references of references by recursion is bounded: beyond it, everything is read.
    guard visited.count < 200 else { return .everything }
    return program.sources[Int(schema)].written.range.reduce(ReadSet.nothing) {
      $0.union(reads(of: program.written[$1]))
    }
  }

  private func propertyNames(_ instruction: Instruction) -> [String] {
    program.plans[Int(instruction.a)].names.entries.filter { $0.schema >= 0 }.map(\.name)
      .sorted { $0.precedesInUTF8($1) }
  }
}
