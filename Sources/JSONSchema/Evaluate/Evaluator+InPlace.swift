internal import JSON

extension Evaluator {
  /// `allOf`, `anyOf`, `oneOf`, `not`, `if`.
  mutating func holds(inPlace instruction: Instruction, _ value: JSON, _ track: Int) -> Bool {
    let start = Int(instruction.a)
    switch instruction.operation {
    case .allOf:
      for position in start..<start + Int(instruction.b) {
        guard isValid(program.lists[position], value, track: track) else { return false }
      }
      return true
    case .anyOf:
      var isAny = false
      for position in start..<start + Int(instruction.b) {
        guard branch(program.lists[position], value, track) else { continue }
        isAny = true
        // Every branch that holds says what it has evaluated.
        if track == Self.untracked { return true }
      }
      return isAny
    case .oneOf:
      var count = 0
      for position in start..<start + Int(instruction.b) where branch(program.lists[position], value, track) {
        count += 1
        if count > 1 { return false }
      }
      return count == 1
    case .not:
      return !isValid(instruction.a, value)
    default:
      let isTrue = branch(instruction.a, value, track)
      let next = isTrue ? instruction.b : instruction.c
      return next < 0 || isValid(next, value, track: track)
    }
  }

  /// A schema that may fail without harm: its marks count only if it holds.
  mutating func branch(_ schema: Int32, _ value: JSON, _ track: Int) -> Bool {
    guard track != Self.untracked, let region = openRegion(for: value) else { return isValid(schema, value) }
    let holds = isValid(schema, value, track: region.start)
    closeRegion(region, mergingInto: holds ? track : Self.untracked)
    return holds
  }
}
