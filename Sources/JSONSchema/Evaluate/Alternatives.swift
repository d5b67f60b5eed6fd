internal import JSON

/// The branches of `anyOf` or `oneOf`, and which of them a value is meant for that meets none.
struct Alternatives {
  private let branches: [Int32]
  private let program: Program

  /// So many references and `allOf` are followed inside of a branch.
  private static let visitsMax = 50

  init(_ branches: [Int32], _ program: Program) {
    self.branches = branches
    self.program = program
  }

  /// The branch whose constants the value's members have, where there is one; else the only one that admits the value's type.
  func position(meantFor value: JSON) -> Int? {
    if case .object(let members) = value {
      let fitting = branches.indices.filter { hasFittingConstants(branches[$0], members) }
      if fitting.count == 1 { return fitting[0] }
    }
    let admitting = branches.indices.filter { admitsType(branches[$0], of: value) }
    return admitting.count == 1 && branches.count > 1 ? admitting[0] : nil
  }

  /// Whether some member of the value is one that the branch holds to constants, and all of those have one of theirs.
  private func hasFittingConstants(_ branch: Int32, _ members: JSONObject) -> Bool {
    var hasOne = false
    for instruction in instructions(of: branch) where instruction.operation == .properties {
      for entry in program.plans[Int(instruction.a)].names.entries where entry.schema >= 0 {
        guard let constants = constants(of: entry.schema), let value = members[entry.name] else { continue }
        guard constants.contains(value) else { return false }
        hasOne = true
      }
    }
    return hasOne
  }

  private func constants(of schema: Int32) -> [JSON]? {
    for instruction in instructions(of: schema) {
      switch instruction.operation {
      case .const: return [program.constants[Int(instruction.a)]]
      case .enumeration: return program.enumerations[Int(instruction.a)].values
      default: continue
      }
    }
    return nil
  }

  private func admitsType(_ branch: Int32, of value: JSON) -> Bool {
    let type: TypeMask =
      switch value {
      case .integer: [.integer, .number]
      case .decimal: [.integer, .integralReal, .number]
      default: TypeMask(name: value.typeName) ?? .all
      }
    return instructions(of: branch).allSatisfy { instruction in
      guard instruction.operation == .type else { return true }
      return !TypeMask(rawValue: UInt8(truncatingIfNeeded: instruction.a)).isDisjoint(with: type)
    }
  }

  /// The instructions of a schema, with those behind its references and in its `allOf`.
  private func instructions(of schema: Int32) -> [Instruction] {
    var found: [Instruction] = []
    var waiting = [schema]
    var visited: Set<Int32> = []
    while let next = waiting.popLast(), visited.count < Self.visitsMax {
      guard visited.insert(next).inserted else { continue }
      for instruction in program.written[program.sources[Int(next)].written.range] {
        switch instruction.operation {
        case .reference, .allOf: waiting += instruction.inPlaceSchemas(lists: program.lists)
        default: found.append(instruction)
        }
      }
    }
    return found
  }
}
