internal import JSON

extension Evaluator {
  /// Whether an instruction about arrays holds; nil if it is not one.
  mutating func holds(_ instruction: Instruction, elements: [JSON], _ track: Int) -> Bool? {
    switch instruction.operation {
    case .maxItems: return elements.count <= Int(instruction.a)
    case .minItems: return elements.count >= Int(instruction.a)
    case .uniqueItems: return Duplicates.first(in: elements) == nil
    case .prefixItems:
      for offset in 0..<min(elements.count, Int(instruction.b)) {
        guard isValid(program.lists[Int(instruction.a) + offset], elements[offset]) else { return false }
        mark(offset, track)
      }
      return true
    case .items:
      var offset = Int(instruction.b)
      while offset < elements.count {
        guard isValid(instruction.a, elements[offset]) else { return false }
        mark(offset, track)
        offset += 1
      }
      return true
    case .contains:
      let marksMatches = track != Self.untracked && program.containsMarks(instruction)
      var count = 0
      for offset in elements.indices where isValid(instruction.a, elements[offset]) {
        count += 1
        if marksMatches { mark(offset, track) }
        if instruction.c < 0 && count >= Int(instruction.b) && !marksMatches { return true }
        if instruction.c >= 0 && count > Int(instruction.c) { return false }
      }
      return count >= Int(instruction.b)
    case .unevaluatedItems:
      for offset in elements.indices where track == Self.untracked || !marks[track + offset] {
        guard isValid(instruction.a, elements[offset]) else { return false }
        mark(offset, track)
      }
      return true
    default:
      return nil
    }
  }
}

extension Program {
  /// Before 2020-12 `contains` did not count as evaluating what it found.
  func containsMarks(_ instruction: Instruction) -> Bool {
    sources[Int(instruction.a)].dialect.draft == .draft2020
  }
}
