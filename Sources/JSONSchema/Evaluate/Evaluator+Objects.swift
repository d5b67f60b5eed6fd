internal import JSON

extension Evaluator {
  /// Whether an instruction about objects holds; nil if it is not one.
  mutating func holds(_ instruction: Instruction, members: JSONObject, _ value: JSON, _ track: Int) -> Bool? {
    switch instruction.operation {
    case .members: return holds(plan: Int(instruction.a), members, track)
    case .maxProperties: return members.count <= Int(instruction.a)
    case .minProperties: return members.count >= Int(instruction.a)
    case .required:
      for name in program.list(instruction.a, instruction.b)
      where members.position(of: program.names[Int(name)]) == nil { return false }
      return true
    case .propertyNames:
      for member in members {
        guard isValid(instruction.a, .string(member.name)) else { return false }
      }
      return true
    case .dependentRequired:
      var position = Int(instruction.a)
      let end = position + Int(instruction.b)
      while position < end {
        let count = Int(program.lists[position + 1])
        if members.position(of: program.names[Int(program.lists[position])]) != nil {
          for offset in 0..<count
          where members.position(of: program.names[Int(program.lists[position + 2 + offset])]) == nil { return false }
        }
        position += 2 + count
      }
      return true
    case .dependentSchemas:
      for position in stride(from: Int(instruction.a), to: Int(instruction.a + instruction.b), by: 2)
      where members.position(of: program.names[Int(program.lists[position])]) != nil {
        guard isValid(program.lists[position + 1], value, track: track) else { return false }
      }
      return true
    case .unevaluatedProperties:
      for offset in 0..<members.count where track == Self.untracked || !marks[track + offset] {
        guard isValid(instruction.a, members[offset].value) else { return false }
        mark(offset, track)
      }
      return true
    default:
      return nil
    }
  }

  /// `properties`, `patternProperties`, `additionalProperties` and `required` in one walk over the members.
  private mutating func holds(plan index: Int, _ members: JSONObject, _ track: Int) -> Bool {
    let plan = program.plans[index]
    var requiredLeft = plan.names.requiredCount
    if members.count < requiredLeft { return false }
    var hint = 0
    for offset in 0..<members.count {
      let member = members[offset]
      let position = plan.names.position(of: member.name, hint: hint)
      var isAdditional = true
      if position >= 0 {
        hint = position + 1
        let entry = plan.names.entries[position]
        if entry.isRequired { requiredLeft -= 1 }
        if entry.schema >= 0 {
          isAdditional = false
          guard isValid(entry.schema, member.value) else { return false }
          mark(offset, track)
        }
      }
      for pattern in plan.patterns where matches(pattern.pattern, member.name) {
        isAdditional = false
        guard isValid(pattern.schema, member.value) else { return false }
        mark(offset, track)
      }
      if isAdditional && plan.additional >= 0 {
        guard isValid(plan.additional, member.value) else { return false }
        mark(offset, track)
      }
    }
    return requiredLeft == 0
  }
}
