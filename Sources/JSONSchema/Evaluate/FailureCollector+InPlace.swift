internal import JSON

extension FailureCollector {
  /// `allOf`, `if` with `then` and `else`: their inner failures are reported unchanged. If a value is meant for one
  /// branch of `anyOf` or `oneOf`, the failures in that branch are reported too. Otherwise the keyword is reported
  /// once, at its location, as `not` is. The order of the branches is defined only here: by ``Alternatives``, then by
  /// ``ClosestAttempt``.
  mutating func checkInPlace(_ instruction: Instruction, of schema: Int32, _ value: JSON, _ track: Int) -> Bool {
    switch instruction.operation {
    case .allOf:
      var holds = true
      for (position, branch) in program.list(instruction.a, instruction.b).enumerated() {
        if !check(branch, value, via: ["allOf", String(position)], track: track) { holds = false }
      }
      return holds
    case .conditional:
      let isTrue = holds(branch: instruction.a, value, via: ["if"], track)
      if recordGivenUp(schema, .if) { return false }
      let next = isTrue ? instruction.b : instruction.c
      let keyword: Keyword = isTrue ? .then : .else
      return next < 0
        || check(next, value, via: [keyword.rawValue], track: track, falseKeyword: (keyword, .none))
    case .not:
      // A schema inside `not` never reports anything about an instance that passes.
      guard evaluator.isValid(instruction.a, value) else { return !recordGivenUp(schema, .not) }
      if recordGivenUp(schema, .not) { return false }
      fail(schema, .not, .none, of: value)
      return false
    default:
      return checkAlternatives(instruction, of: schema, value, track)
    }
  }

  private mutating func checkAlternatives(
    _ instruction: Instruction,
    of schema: Int32,
    _ value: JSON,
    _ track: Int
  ) -> Bool {
    let keyword = instruction.keyword
    let branches = program.list(instruction.a, instruction.b)
    var matching: [Int] = []
    for (position, branch) in branches.enumerated()
    where holds(branch: branch, value, via: [keyword.rawValue, String(position)], track) {
      matching.append(position)
    }
    if recordGivenUp(schema, keyword) { return false }
    let needsOne = instruction.operation == .oneOf
    if needsOne ? matching.count == 1 : !matching.isEmpty { return true }
    guard matching.isEmpty else {
      fail(schema, keyword, .matches(matching))
      return false
    }
    let all = Array(branches)
    let candidates = Alternatives(all, program).candidates(for: value)
    func check(_ collector: inout FailureCollector, _ position: Int) -> Bool {
      collector.check(all[position], value, via: [keyword.rawValue, String(position)], track: track)
    }
    if candidates.isMeant, !tellsAll {
      let count = failures.count
      if !check(&self, candidates.positions[0]), failures.count > count { return false }
    }
    let others = tellsAll ? all.indices.filter { !candidates.positions.contains($0) } : []
    let closest = attempt(candidates.positions) { _ = check(&$0, $1) }
    let rest = attempt(others) { _ = check(&$0, $1) }
    if evaluator.givenUp != nil { return !recordGivenUp(schema, keyword) }
    if tellsAll {
      fail(schema, keyword, .none, causes: closest.all + rest.all)
    } else if closest.standsOut {
      record(closest.failures)
    } else {
      fail(schema, keyword, .none, causes: closest.failures)
    }
    return false
  }

  /// Whether a schema holds that may fail without harm; its marks and annotations count only if it does.
  private mutating func holds(branch: Int32, _ value: JSON, via tokens: [String], _ track: Int) -> Bool {
    guard value.withBorrowed({ evaluator.branch(branch, $0, track) }) else { return false }
    if collectsAnnotations, evaluator.givenUp == nil { _ = check(branch, value, via: tokens) }
    return true
  }
}
