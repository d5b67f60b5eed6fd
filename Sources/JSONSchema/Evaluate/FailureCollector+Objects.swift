internal import Formats
internal import JSON

extension FailureCollector {
  /// Evaluates a keyword that asks for members or applies schemas to them; nil if it is none.
  mutating func checkMembers(
    _ instruction: Instruction,
    of schema: Int32,
    _ members: JSONObject,
    _ value: JSON,
    _ track: Int
  ) -> Bool? {
    switch instruction.operation {
    case .required:
      var holds = true
      for name in program.list(instruction.a, instruction.b) {
        let name = program.names[Int(name)]
        guard members.position(of: name) == nil else { continue }
        fail(schema, .required, .missing(property: name))
        holds = false
      }
      return holds
    case .dependentRequired: return checkDependentRequired(instruction, of: schema, members)
    case .dependentSchemas:
      var holds = true
      for position in stride(from: Int(instruction.a), to: Int(instruction.a + instruction.b), by: 2) {
        let trigger = program.names[Int(program.lists[position])]
        guard members.position(of: trigger) != nil else { continue }
        let ok = check(
          program.lists[position + 1],
          value,
          via: [instruction.keyword.rawValue, trigger],
          track: track,
          falseKeyword: (instruction.keyword, .property(trigger))
        )
        if !ok { holds = false }
      }
      return holds
    case .propertyNames:
      var holds = true
      for member in members {
        if isFull { return false }
        let name = JSON.string(member.name)
        guard !evaluator.isValid(instruction.a, name) else { continue }
        if recordGivenUp(schema, .propertyNames) { return false }
        let causes = causes { _ = $0.check(instruction.a, name, via: ["propertyNames"]) }
        fail(schema, .propertyNames, .property(member.name), causes: causes)
        holds = false
      }
      return holds
    case .properties: return checkProperties(instruction, of: schema, members, track)
    case .patternProperties: return checkPatternProperties(instruction, of: schema, members, track)
    case .additionalProperties:
      return checkRest(instruction, program.plans[Int(instruction.a)].additional, of: schema, members, track) {
        collector,
        offset in
        let plan = collector.program.plans[Int(instruction.a)]
        let name = members[offset].name
        if plan.names.hasSchema(for: name) { return false }
        return !plan.patterns.contains { collector.evaluator.matches($0.pattern, name) }
      }
    case .unevaluatedProperties:
      return checkRest(instruction, instruction.a, of: schema, members, track) { collector, offset in
        track == Evaluator.untracked || !collector.evaluator.marks[track + offset]
      }
    default:
      return nil
    }
  }

  private mutating func checkDependentRequired(
    _ instruction: Instruction,
    of schema: Int32,
    _ members: JSONObject
  ) -> Bool {
    var holds = true
    var position = Int(instruction.a)
    let end = position + Int(instruction.b)
    while position < end {
      let trigger = program.names[Int(program.lists[position])]
      let count = Int(program.lists[position + 1])
      if members.position(of: trigger) != nil {
        for offset in 0..<count {
          let name = program.names[Int(program.lists[position + 2 + offset])]
          guard members.position(of: name) == nil else { continue }
          fail(
            schema,
            instruction.keyword,
            .dependency(property: trigger, missing: name),
            tokens: [instruction.keyword.rawValue, trigger]
          )
          holds = false
        }
      }
      position += 2 + count
    }
    return holds
  }

  /// In the order of the schema, not of the instance: messages are then in the order of the form.
  private mutating func checkProperties(
    _ instruction: Instruction,
    of schema: Int32,
    _ members: JSONObject,
    _ track: Int
  ) -> Bool {
    var holds = true
    var found: [JSON] = []
    for entry in program.plans[Int(instruction.a)].names.entries where entry.schema >= 0 {
      guard let offset = members.position(of: entry.name) else { continue }
      let ok = check(
        entry.schema,
        members[offset].value,
        via: ["properties", entry.name],
        at: .name(entry.name),
        falseKeyword: (.properties, .property(entry.name))
      )
      if !ok { holds = false }
      evaluator.mark(offset, track)
      if collectsAnnotations { found.append(.string(entry.name)) }
    }
    if holds { annotate(schema, "properties", .array(found)) }
    return holds
  }

  private mutating func checkPatternProperties(
    _ instruction: Instruction,
    of schema: Int32,
    _ members: JSONObject,
    _ track: Int
  ) -> Bool {
    var holds = true
    var found: [JSON] = []
    for pattern in program.plans[Int(instruction.a)].patterns {
      let source = program.patterns[Int(pattern.pattern)].source
      for offset in 0..<members.count {
        if isFull { return false }
        let member = members[offset]
        let isMatch = evaluator.matches(pattern.pattern, member.name)
        if recordGivenUp(schema, .patternProperties, tokens: ["patternProperties", source]) { return false }
        guard isMatch else { continue }
        let ok = check(
          pattern.schema,
          member.value,
          via: ["patternProperties", source],
          at: .name(member.name),
          falseKeyword: (.patternProperties, .property(member.name))
        )
        if !ok { holds = false }
        evaluator.mark(offset, track)
        if collectsAnnotations, !found.contains(.string(member.name)) { found.append(.string(member.name)) }
      }
    }
    if holds { annotate(schema, "patternProperties", .array(found)) }
    return holds
  }

  /// Applies a schema to the members that nothing else speaks of.
  private mutating func checkRest(
    _ instruction: Instruction,
    _ rest: Int32,
    of schema: Int32,
    _ members: JSONObject,
    _ track: Int,
    isRest: (inout FailureCollector, Int) -> Bool
  ) -> Bool {
    let keyword = instruction.keyword
    var holds = true
    var found: [JSON] = []
    for offset in 0..<members.count {
      if isFull { return false }
      let belongs = isRest(&self, offset)
      if recordGivenUp(schema, keyword) { return false }
      guard belongs else { continue }
      let member = members[offset]
      let ok = check(
        rest,
        member.value,
        via: [keyword.rawValue],
        at: .name(member.name),
        falseKeyword: (keyword, .property(member.name))
      )
      if !ok { holds = false }
      evaluator.mark(offset, track)
      if collectsAnnotations { found.append(.string(member.name)) }
    }
    if holds { annotate(schema, keyword.rawValue, .array(found)) }
    return holds
  }
}
