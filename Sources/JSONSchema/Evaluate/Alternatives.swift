internal import JSON

/// The branches of `anyOf` or `oneOf`. If a value meets no branch, this names the branches that it may be meant for, as
/// far as that is seen without evaluation. These are the branches that admit its type, and from them the branches whose
/// constants its members and elements have.
struct Alternatives {
  private let branches: [Int32]
  private let program: Program

  /// How many references, branches and `allOf` are followed inside a branch.
  private static let visitsMax = 50

  init(_ branches: [Int32], _ program: Program) {
    self.branches = branches
    self.program = program
  }

  /// The branches that a value may be meant for.
  struct Candidates {
    /// Their positions, in the order written; never empty.
    var positions: [Int]
    /// Whether one branch stands out: no other admits the type, or has as many of the constants.
    var isMeant: Bool
  }

  /// The branches that a value may be meant for.
  func candidates(for value: JSON) -> Candidates {
    var positions = Array(branches.indices)
    var visitsLeft = Self.visitsMax * max(1, branches.count)
    let admitting = positions.filter { admits(branches[$0], value, &visitsLeft) }
    if !admitting.isEmpty { positions = admitting }
    guard positions.count > 1 else { return Candidates(positions: positions, isMeant: branches.count > 1) }
    let marks = positions.map { constantMarks(of: branches[$0], value) }
    // A value there that no branch admits is a typing error: it speaks against none of them.
    let known = Set(marks.flatMap { $0.filter(\.fits).map(\.token) })
    let fits = marks.map { marks in
      marks.reduce(into: Fit()) { $0.add($1, isKnown: known.contains($1.token)) }
    }
    guard let best = fits.max() else { return Candidates(positions: positions, isMeant: false) }
    positions = zip(positions, fits).filter { $0.1 == best }.map(\.0)
    return Candidates(positions: positions, isMeant: positions.count == 1 && best.hasFitting)
  }

  // MARK: Constants

  /// The members that say by themselves which branch is meant, sorted. Each branch holds such a member to values that
  /// no other branch admits there.
  func discriminators() -> [String] {
    var values: [String: [[JSON]]] = [:]
    for branch in branches {
      for instruction in instructions(of: branch) where instruction.operation == .properties {
        for entry in program.plans[Int(instruction.a)].names.entries where entry.schema >= 0 {
          if let constants = constants(of: entry.schema) { values[entry.name, default: []].append(constants) }
        }
      }
    }
    return values.filter { _, lists in
      lists.count == branches.count && Set(lists.joined()).count == lists.reduce(0) { $0 + $1.count }
    }.keys.sorted()
  }

  /// A member or an element that a branch holds to constants.
  private struct ConstantMark {
    var token: PathToken
    /// One value says more than a list of them: mostly it identifies the branch.
    var isSingle: Bool
    var fits: Bool
  }

  private enum PathToken: Hashable {
    case name(String)
    case position(Int)
  }

  /// How well a value's members and elements fit the constants of a branch; the larger the better.
  private struct Fit: Comparable {
    private var others = 0
    private var same = 0
    private var unlisted = 0
    private var listed = 0

    var hasFitting: Bool { same > 0 || listed > 0 }
    private var order: (Int, Int, Int, Int) { (-others, same, -unlisted, listed) }

    /// - Parameter isKnown: whether the value there fits some branch.
    mutating func add(_ mark: ConstantMark, isKnown: Bool) {
      switch (mark.isSingle, mark.fits) {
      case (true, true): same += 1
      case (true, false): others += isKnown ? 1 : 0
      case (false, true): listed += 1
      case (false, false): unlisted += isKnown ? 1 : 0
      }
    }

    static func < (left: Fit, right: Fit) -> Bool {
      left.order < right.order
    }
  }

  private func constantMarks(of branch: Int32, _ value: JSON) -> [ConstantMark] {
    var marks: [ConstantMark] = []
    func add(_ token: PathToken, _ schema: Int32, _ value: JSON) {
      guard let constants = constants(of: schema) else { return }
      marks.append(ConstantMark(token: token, isSingle: constants.count == 1, fits: constants.contains(value)))
    }
    for instruction in instructions(of: branch) {
      switch (instruction.operation, value) {
      case (.properties, .object(let members)):
        for entry in program.plans[Int(instruction.a)].names.entries where entry.schema >= 0 {
          if let value = members[entry.name] { add(.name(entry.name), entry.schema, value) }
        }
      case (.prefixItems, .array(let elements)):
        for (position, schema) in program.list(instruction.a, instruction.b).enumerated().prefix(elements.count) {
          add(.position(position), schema, elements[position])
        }
      default:
        break
      }
    }
    return marks
  }

  private func constants(of schema: Int32) -> [JSON]? {
    for instruction in instructions(of: schema) {
      if let constants = constants(of: instruction) { return constants }
    }
    return nil
  }

  private func constants(of instruction: Instruction) -> [JSON]? {
    switch instruction.operation {
    case .const: [program.constants[Int(instruction.a)]]
    case .enumeration: program.enumerations[Int(instruction.a)].values
    default: nil
    }
  }

  // MARK: Types

  private func admits(_ schema: Int32, _ value: JSON, _ visitsLeft: inout Int) -> Bool {
    guard visitsLeft > 0, !program.schemas[Int(schema)].typeMask.isEmpty else { return visitsLeft <= 0 }
    visitsLeft -= 1
    for instruction in instructions(of: schema) {
      switch instruction.operation {
      case .type:
        // A fraction is a number still, if a whole one is asked for.
        let mask = TypeMask(rawValue: UInt8(truncatingIfNeeded: instruction.a))
        guard mask.admits(value) || value.isNumber && !mask.isDisjoint(with: [.integer, .number]) else { return false }
      case .const, .enumeration:
        guard (constants(of: instruction) ?? []).contains(where: { $0.isAlike(value) }) else { return false }
      case .anyOf, .oneOf:
        let branches = program.list(instruction.a, instruction.b)
        guard branches.contains(where: { admits($0, value, &visitsLeft) }) else { return false }
      default:
        break
      }
    }
    return true
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

extension JSON {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .real, .decimal: true
    default: false
    }
  }

  /// Whether both are of one type, integers and other numbers being one.
  fileprivate func isAlike(_ other: JSON) -> Bool { isNumber ? other.isNumber : typeName == other.typeName }
}
