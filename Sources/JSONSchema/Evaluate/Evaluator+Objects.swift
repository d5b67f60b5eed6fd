internal import JSON

extension Evaluator {
  /// Whether an instruction about objects holds.
  mutating func holds(
    _ instruction: Instruction,
    members: JSONObject,
    _ value: borrowing BorrowedValue,
    _ track: Int
  ) -> Bool {
    switch instruction.operation {
    case .maxProperties: return members.count <= Int(instruction.a)
    case .minProperties: return members.count >= Int(instruction.a)
    case .required:
      charge(Int(instruction.b))
      for name in program.list(instruction.a, instruction.b)
      where members.position(of: program.names[Int(name)]) == nil { return false }
      return true
    case .propertyNames:
      for member in members {
        guard isValid(instruction.a, .string(member.name)) else { return false }
      }
      return true
    case .dependentRequired:
      charge(Int(instruction.b))
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
      charge(Int(instruction.b))
      for position in stride(from: Int(instruction.a), to: Int(instruction.a + instruction.b), by: 2)
      where members.position(of: program.names[Int(program.lists[position])]) != nil {
        guard isValid(program.lists[position + 1], value, track) else { return false }
      }
      return true
    default:
      return members.withBorrowedMembers { members, count in
        for offset in 0..<count where track == Self.untracked || !marks[track + offset] {
          guard isValid(instruction.a, members[offset].value, Self.untracked) else { return false }
          mark(offset, track)
        }
        return true
      }
    }
  }

  /// `properties`, `patternProperties`, `additionalProperties` and `required` in one walk over the members, and one
  /// walk over the members that hold values of their own.
  @inline(__always)
  mutating func holds(plan index: Int, _ members: JSONObject, _ track: Int) -> Bool {
    members.withBorrowedMembers { members, count in
      holds(tables.plans + index, members, count, track)
    }
  }

  @inline(__always)
  private mutating func holds(
    _ plan: UnsafePointer<PlanRecord>,
    _ members: UnsafePointer<BorrowedMember>,
    _ count: Int,
    _ track: Int
  ) -> Bool {
    var requiredLeft = Int(plan.pointee.requiredCount)
    if count < requiredLeft { return false }
    let names = plan.pointee.names
    var hint = 0
    var firstContainer = count
    // How much further back a name is in the plan than in the object, at that member.
    var shift = 0
    for offset in 0..<count {
      let position = tables.position(in: names, of: members[offset].name, hint: hint)
      var schema: Int32 = -1
      if position >= 0 {
        hint = position + 1
        let entry = tables.names + (Int(names.start) + position)
        if entry.pointee.isRequired { requiredLeft -= 1 }
        schema = entry.pointee.schema
      }
      // Values inside members are evaluated when all cheap keywords hold.
      if members[offset].value.content.isContainer {
        if firstContainer == count { (firstContainer, shift) = (offset, max(0, position) - offset) }
        continue
      }
      if schema >= 0 {
        guard isLeafValid(schema, members[offset].value, Self.untracked) else { return false }
        mark(offset, track)
      }
      if plan.pointee.patternCount > 0 || schema < 0 {
        guard holds(patternsOf: plan, members + offset, schema < 0, offset, track) else { return false }
      }
    }
    guard requiredLeft == 0 else { return false }
    return firstContainer == count || holdsInside(plan, members, firstContainer..<count, shift, track)
  }

  /// The same for the members that hold values of their own, in the second walk. A function of its own, so that the
  /// first stays small enough to be inlined.
  ///
  /// - Parameter shift: how much further back the first name is in the plan than in the object.
  @inline(never)
  private mutating func holdsInside(
    _ plan: UnsafePointer<PlanRecord>,
    _ members: UnsafePointer<BorrowedMember>,
    _ offsets: Range<Int>,
    _ shift: Int,
    _ track: Int
  ) -> Bool {
    let names = plan.pointee.names
    var shift = shift
    for offset in offsets where members[offset].value.content.isContainer {
      let position = tables.position(in: names, of: members[offset].name, hint: max(0, offset + shift))
      var schema: Int32 = -1
      if position >= 0 {
        shift = position - offset
        schema = (tables.names + (Int(names.start) + position)).pointee.schema
      }
      if schema >= 0 {
        guard isValid(schema, members[offset].value, Self.untracked) else { return false }
        mark(offset, track)
      }
      if plan.pointee.patternCount > 0 || schema < 0 {
        guard holds(patternsOf: plan, members + offset, schema < 0, offset, track) else { return false }
      }
    }
    return true
  }

  /// `patternProperties` and `additionalProperties` for one member.
  private mutating func holds(
    patternsOf plan: UnsafePointer<PlanRecord>,
    _ member: UnsafePointer<BorrowedMember>,
    _ isUnnamed: Bool,
    _ offset: Int,
    _ track: Int
  ) -> Bool {
    charge(Int(plan.pointee.patternCount))
    var isAdditional = isUnnamed
    for number in 0..<Int(plan.pointee.patternCount) {
      let pair = Int(plan.pointee.patterns) + number * 2
      guard matches(tables.lists[pair], member.pointee.name) else { continue }
      isAdditional = false
      guard isValid(tables.lists[pair + 1], member.pointee.value, Self.untracked) else { return false }
      mark(offset, track)
    }
    guard isAdditional, plan.pointee.additional >= 0 else { return true }
    guard isValid(plan.pointee.additional, member.pointee.value, Self.untracked) else { return false }
    mark(offset, track)
    return true
  }
}
