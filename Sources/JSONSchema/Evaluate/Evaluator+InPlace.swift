internal import JSON

extension Evaluator {
  /// `allOf`, `anyOf`, `oneOf`, `not`, `if`.
  mutating func holds(inPlace instruction: Instruction, _ value: borrowing BorrowedValue, _ track: Int) -> Bool {
    let start = Int(instruction.a)
    switch instruction.operation {
    case .allOf:
      charge(Int(instruction.b))
      for position in start..<start + Int(instruction.b) {
        guard isValid(tables.lists[position], value, track) else { return false }
      }
      return true
    case .anyOf:
      charge(Int(instruction.b))
      var isAny = false
      for position in start..<start + Int(instruction.b) {
        guard branch(tables.lists[position], value, track) else { continue }
        isAny = true
        // Every branch that holds marks the parts that it has evaluated.
        if track == Self.untracked { return true }
      }
      return isAny
    case .oneOf:
      charge(Int(instruction.b))
      var count = 0
      for position in start..<start + Int(instruction.b) where branch(tables.lists[position], value, track) {
        count += 1
        if count > 1 { return false }
      }
      return count == 1
    case .not:
      return !isValid(instruction.a, value, Self.untracked)
    default:
      let isTrue = branch(instruction.a, value, track)
      let next = isTrue ? instruction.b : instruction.c
      return next < 0 || isValid(next, value, track)
    }
  }

  /// A schema that may fail without harm: its marks count only if it holds.
  mutating func branch(_ schema: Int32, _ value: borrowing BorrowedValue, _ track: Int) -> Bool {
    guard track != Self.untracked, let region = openRegion(for: value.content) else {
      return isValid(schema, value, Self.untracked)
    }
    let holds = isValid(schema, value, region.start)
    closeRegion(region, mergingInto: holds ? track : Self.untracked)
    return holds
  }
}
