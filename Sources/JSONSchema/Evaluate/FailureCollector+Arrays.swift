internal import JSON

extension FailureCollector {
  /// Evaluates a keyword that applies schemas to elements; nil if it is none.
  mutating func checkElements(
    _ instruction: Instruction,
    of schema: Int32,
    _ elements: [JSON],
    _ track: Int
  ) -> Bool? {
    let keyword = instruction.keyword
    switch instruction.operation {
    case .prefixItems:
      var holds = true
      let count = min(elements.count, Int(instruction.b))
      for offset in 0..<count {
        let ok = check(
          program.lists[Int(instruction.a) + offset],
          elements[offset],
          via: [keyword.rawValue, String(offset)],
          at: .position(offset),
          falseKeyword: (keyword, .item(offset))
        )
        if !ok { holds = false }
        evaluator.mark(offset, track)
      }
      if holds && count > 0 {
        annotate(schema, keyword.rawValue, count == elements.count ? true : .integer(Int64(count - 1)))
      }
      return holds
    case .items:
      return checkEach(instruction, of: schema, elements, from: Int(instruction.b), track)
    case .contains:
      return checkContains(instruction, of: schema, elements, track)
    case .unevaluatedItems:
      return checkEach(instruction, of: schema, elements, from: 0, track, skipsMarked: true)
    case .uniqueItems:
      let pair = evaluator.duplicates(in: elements)
      if recordGivenUp(schema, keyword) { return false }
      guard let pair else { return true }
      fail(schema, keyword, .duplicates(first: pair.0, second: pair.1), of: .array(elements))
      return false
    default:
      return nil
    }
  }

  /// Evaluates a keyword that applies one schema to each element from an offset on.
  ///
  /// - Parameter skipsMarked: whether it leaves out the elements that other keywords have evaluated.
  private mutating func checkEach(
    _ instruction: Instruction,
    of schema: Int32,
    _ elements: [JSON],
    from start: Int,
    _ track: Int,
    skipsMarked: Bool = false
  ) -> Bool {
    let keyword = instruction.keyword
    var holds = true
    var isAny = false
    for offset in elements.indices.dropFirst(start) {
      if skipsMarked, track != Evaluator.untracked, evaluator.marks[track + offset] { continue }
      if isFull { return false }
      isAny = true
      let ok = check(
        instruction.a,
        elements[offset],
        via: [keyword.rawValue],
        at: .position(offset),
        falseKeyword: (keyword, .item(offset))
      )
      if !ok { holds = false }
      evaluator.mark(offset, track)
    }
    if holds && isAny { annotate(schema, keyword.rawValue, true) }
    return holds
  }

  /// How many elements are looked at for the one that nearly matches `contains`, unless all reasons are reported.
  private static let attemptsMax = 1_000

  private mutating func checkContains(
    _ instruction: Instruction,
    of schema: Int32,
    _ elements: [JSON],
    _ track: Int
  ) -> Bool {
    let marks = program.containsMarks(instruction)
    var matching: [Int] = []
    // The elements that do not match: as many as are looked at for the closest.
    var others: [Int] = []
    for offset in elements.indices {
      guard evaluator.isValid(instruction.a, elements[offset]) else {
        if tellsAll || others.count < Self.attemptsMax { others.append(offset) }
        continue
      }
      matching.append(offset)
      if marks { evaluator.mark(offset, track) }
      if collectsAnnotations {
        _ = check(instruction.a, elements[offset], via: ["contains"], at: .position(offset))
      }
    }
    if recordGivenUp(schema, .contains) { return false }
    let atLeast = Int(instruction.b)
    if matching.count < atLeast {
      let attempt = attempt(others) { collector, offset in
        _ = collector.check(instruction.a, elements[offset], via: ["contains"], at: .position(offset))
      }
      let hasMinimum = program.sources[Int(schema)].value["minContains"] != nil
      fail(
        schema,
        hasMinimum ? .minContains : .contains,
        .count(limit: atLeast, actual: matching.count),
        of: .array(elements),
        causes: tellsAll ? attempt.all : attempt.closest
      )
      return false
    }
    if instruction.c >= 0 && matching.count > Int(instruction.c) {
      fail(
        schema,
        .maxContains,
        .count(limit: Int(instruction.c), actual: matching.count),
        of: .array(elements)
      )
      return false
    }
    let isEvery = matching.count == elements.count
    annotate(schema, "contains", isEvery ? true : .array(matching.map { .integer(Int64($0)) }))
    return true
  }
}
