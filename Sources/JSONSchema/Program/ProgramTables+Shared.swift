extension ProgramTables {
  /// Marks the schemas whose answers are worth keeping (``JudgmentCache``): more than one schema applies them, and
  /// somewhere from there on the ways fork again. Judging all others again costs no more than the schema is long.
  ///
  /// A fork is a schema that may apply several to one value, each of which looks into it: branches of a union, `allOf`,
  /// a reference beside `properties`, patterns that overlap. A branch that only says `"type": "null"` makes none.
  /// Linear in the schemas.
  mutating func markSharedSchemas(root: Int32) {
    // If the target of a reference depends on the way, no answer is kept.
    guard !written.contains(where: { $0.operation == .dynamicReference }) else { return }
    let targets = sources.map { Targets(of: written[$0.written.range], self) }
    var sources = [[Int32]](repeating: [], count: targets.count)
    var sourcesInPlace = sources
    for (schema, targets) in targets.enumerated() {
      for target in targets.inPlace {
        sources[Int(target)].append(Int32(schema))
        sourcesInPlace[Int(target)].append(Int32(schema))
      }
      for target in targets.inner { sources[Int(target)].append(Int32(schema)) }
    }
    let looksInside = Self.closure(of: targets.indices.filter { !targets[$0].inner.isEmpty }, along: sourcesInPlace)
    let forks = targets.indices.filter { schema in
      let ways = targets[schema].inPlace.count { looksInside[Int($0)] }
      return ways + max(targets[schema].waysToMembers, targets[schema].waysToElements) > 1
    }
    let leadsToFork = Self.closure(of: forks, along: sources)
    for schema in targets.indices where leadsToFork[schema] {
      guard sources[schema].count + (schema == Int(root) ? 1 : 0) > 1 else { continue }
      // Evaluation goes straight to the target of a mere reference. No loop of such references leads to a fork.
      var current = schema
      while targets[current].isReference { current = Int(targets[current].inPlace[0]) }
      schemas[current].isShared = true
    }
  }

  /// For each schema: whether one of those schemas can be reached from it, itself included.
  private static func closure(of starts: [Int], along sources: [[Int32]]) -> [Bool] {
    var isReached = [Bool](repeating: false, count: sources.count)
    var waiting = starts
    for start in starts { isReached[start] = true }
    while let next = waiting.popLast() {
      for source in sources[next] where !isReached[Int(source)] {
        isReached[Int(source)] = true
        waiting.append(Int(source))
      }
    }
    return isReached
  }

  /// The schemas that one schema applies.
  private struct Targets {
    var inPlace: [Int32] = []
    /// To members and elements.
    var inner: [Int32] = []
    /// How many of its keywords may apply a schema to one member, or to one element.
    var waysToMembers = 0
    var waysToElements = 0
    var isReference: Bool

    init(of instructions: ArraySlice<Instruction>, _ tables: ProgramTables) {
      isReference = instructions.count == 1 && instructions.first?.operation == .reference
      var namesMembers = false
      for instruction in instructions {
        inPlace += instruction.inPlaceSchemas(lists: tables.lists)
        inner += instruction.innerSchemas(lists: tables.lists, plans: tables.plans)
        switch instruction.operation {
        case .properties, .additionalProperties: namesMembers = true
        case .patternProperties: waysToMembers += tables.plans[Int(instruction.a)].patterns.count
        case .unevaluatedProperties: waysToMembers += 1
        case .prefixItems, .contains, .unevaluatedItems: waysToElements += 1
        // No element is for both.
        case .items: waysToElements += instruction.b > 0 ? 0 : 1
        default: break
        }
      }
      if namesMembers { waysToMembers += 1 }
    }
  }
}
