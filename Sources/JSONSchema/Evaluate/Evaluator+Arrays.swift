internal import JSON

extension Evaluator {
  /// Whether an instruction about arrays holds.
  mutating func holds(_ instruction: Instruction, elements: [JSON], _ track: Int) -> Bool {
    switch instruction.operation {
    case .maxItems: return elements.count <= Int(instruction.a)
    case .minItems: return elements.count >= Int(instruction.a)
    case .uniqueItems: return duplicates(in: elements) == nil
    case .prefixItems:
      return elements.withBorrowedElements { elements, count in
        for offset in 0..<min(count, Int(instruction.b)) {
          guard isValid(tables.lists[Int(instruction.a) + offset], elements[offset], Self.untracked) else {
            return false
          }
          mark(offset, track)
        }
        return true
      }
    case .items:
      return elements.withBorrowedElements { elements, count in
        var offset = Int(instruction.b)
        while offset < count {
          guard isValid(instruction.a, elements[offset], Self.untracked) else { return false }
          mark(offset, track)
          offset += 1
        }
        return true
      }
    case .contains:
      return elements.withBorrowedElements { elements, count in
        contains(instruction, elements, count, track)
      }
    default:
      return elements.withBorrowedElements { elements, count in
        for offset in 0..<count where track == Self.untracked || !marks[track + offset] {
          guard isValid(instruction.a, elements[offset], Self.untracked) else { return false }
          mark(offset, track)
        }
        return true
      }
    }
  }

  /// What an element costs that is looked up among the elements before it.
  private static let unitsOfLookup = 8

  /// The positions of the first two equal elements; nil if all differ, or if it would cost too much to look.
  mutating func duplicates(in elements: [JSON]) -> (Int, Int)? {
    charge(elements.count * Self.unitsOfLookup)
    return givenUp == nil ? Duplicates.first(in: elements) : nil
  }

  private mutating func contains(
    _ instruction: Instruction,
    _ elements: UnsafePointer<BorrowedValue>,
    _ count: Int,
    _ track: Int
  ) -> Bool {
    let marksMatches = track != Self.untracked && program.containsMarks(instruction)
    var matching = 0
    for offset in 0..<count where isValid(instruction.a, elements[offset], Self.untracked) {
      matching += 1
      if marksMatches { mark(offset, track) }
      if instruction.c < 0 && matching >= Int(instruction.b) && !marksMatches { return true }
      if instruction.c >= 0 && matching > Int(instruction.c) { return false }
    }
    return matching >= Int(instruction.b)
  }
}

extension Program {
  /// Before 2020-12, `contains` did not mark its matches as evaluated.
  func containsMarks(_ instruction: Instruction) -> Bool {
    sources[Int(instruction.a)].dialect.draft == .draft2020
  }
}
