package import Budgets
package import JSON

/// A `default` that a schema gives only under conditions: in `then`, `else`, a branch of `anyOf` or `oneOf`, or
/// `dependentSchemas`.
package struct BranchDefault: Sendable {
  /// The names that lead from the root to the value; ``ObjectTree/elementName`` is each element of a list.
  package let path: [String]
  /// The default.
  package let value: JSON
  /// The conditions, of which all must hold; at least one.
  package let conditions: [BranchCondition]
  /// The location of the default in the document.
  package let pointer: JSONPointer
  /// Whether the schema that gives the default admits it.
  package let isAdmitted: Bool
}

/// The keywords of a schema about a value's member that stand under conditions.
package struct BranchFindings: Sendable {
  /// Every `default`, in the order written.
  package internal(set) var defaults: [BranchDefault] = []
  /// The locations of every `readOnly: true` whose conditions are more than a choice between branches.
  package internal(set) var readOnly: [JSONPointer] = []
}

/// Decides whether a branch of the schema holds for an object.
package struct BranchCondition: Sendable {
  fileprivate enum Test {
    /// The schema holds.
    case isValid(Int32)
    /// The schema does not hold.
    case isInvalid(Int32)
    /// The object means this branch of several. If there are names, the members of these names alone decide.
    case isMeant(Int, of: [Int32], by: [String])
    /// A member is there.
    case has(String)
  }

  /// The names that lead from the root to the object.
  package let path: [String]
  /// The members of the object that the condition looks at.
  package let reads: ReadSet
  fileprivate let test: Test
  fileprivate let program: Program

  /// Identifies the `anyOf` or `oneOf` of which one branch must be meant; nil for other conditions.
  package var union: Int? { if case .isMeant(_, let branches, _) = test { branches.first.map(Int.init) } else { nil } }

  /// Whether the value of that member, or of the value itself, says which branch is meant. A value of that schema says
  /// so if the schema is a constant.
  fileprivate func isDecided(by member: [String], of schema: JSON) -> Bool {
    guard case .isMeant(_, _, let names) = test, let name = member.last else { return false }
    if member == path { return schema.isConstant }
    return member.dropLast().elementsEqual(path) && (schema.isConstant || names.contains(name))
  }

  /// Whether the branch holds for the object. It does not if the budget is spent before that is known.
  ///
  /// The branch of an `anyOf` or `oneOf` holds if the object means it and no other one: by the constants of the
  /// branches, as for the failures of a union; or because it is the only branch that is valid.
  package func holds(for object: JSON, budget: inout WorkBudget) -> Bool {
    withUnsafeMutablePointer(to: &budget) { budget in
      switch test {
      case .isValid(let schema): isValid(schema, object, budget) ?? false
      case .isInvalid(let schema): !(isValid(schema, object, budget) ?? true)
      case .has(let name): object.objectValue?[name] != nil
      case .isMeant(let position, let branches, _):
        means(position, of: branches, object, budget)
      }
    }
  }

  private func means(_ position: Int, of branches: [Int32], _ object: JSON, _ budget: UnsafeMutablePointer<WorkBudget>)
    -> Bool
  {
    // Looking for constants costs about as much as an evaluation without failures.
    guard budget.pointee.spend(branches.count) else { return false }
    let candidates = Alternatives(branches, program).candidates(for: object)
    if candidates.isMeant { return candidates.positions == [position] }
    return branches.indices.allSatisfy { (isValid(branches[$0], object, budget) ?? false) == ($0 == position) }
  }

  /// Whether a schema holds; nil if that cannot be found out.
  private func isValid(_ schema: Int32, _ object: JSON, _ budget: UnsafeMutablePointer<WorkBudget>) -> Bool? {
    var evaluator = Evaluator(program, budget)
    let isValid = evaluator.isValid(schema, object)
    return evaluator.givenUp == nil ? isValid : nil
  }
}

extension Schema {
  /// Every `default` and `readOnly` that the schema gives only under conditions.
  ///
  /// A definition that contains itself is gone through once on each way.
  ///
  /// - Parameter budget: the budget for the work.
  package func branchFindings(budget: CompileBudget) -> BranchFindings {
    var finder = BranchFinder(program: program, budget: budget)
    return finder.find()
  }
}

/// Walks from the root inwards, and collects the conditions on the way.
private struct BranchFinder {
  let program: Program
  let budget: CompileBudget
  /// By schema: whether a `default`, or a `readOnly`, can be reached from it.
  private let leadsToFinding: [Bool]
  private var found = BranchFindings()
  private var path: [String] = []
  private var conditions: [BranchCondition] = []
  /// The schemas on the way.
  private var way: Set<Int32> = []
  private var visitsLeft = Self.visitsMax

  /// Schemas that refer to one another several times have ways without end: beyond this many schemas nothing is found.
  private static let visitsMax = 20_000
  /// The work for judging one default.
  private static let workMax = 1_000
  /// How deep objects and lists are gone into, as in an ``ObjectTree``.
  private static let depthMax = 32

  init(program: Program, budget: CompileBudget) {
    self.program = program
    self.budget = budget
    leadsToFinding = Self.schemasWithFindings(program, budget)
  }

  mutating func find() -> BranchFindings {
    // Most schemas have no branches, or nothing to find.
    let hasBranches = program.written.contains { instruction in
      switch instruction.operation {
      case .conditional, .anyOf, .oneOf, .dependentSchemas: true
      default: false
      }
    }
    if hasBranches { visit(program.root) }
    return found
  }

  /// Each schema from which a schema with a `default`, or with `readOnly: true`, can be reached.
  private static func schemasWithFindings(_ program: Program, _ budget: CompileBudget) -> [Bool] {
    var leads = program.sources.map { $0.value["default"] != nil || $0.value["readOnly"] == true }
    guard leads.contains(true), budget.spend(program.written.count) else { return leads.map { _ in false } }
    var sources = [[Int32]](repeating: [], count: leads.count)
    for schema in leads.indices {
      for position in program.sources[schema].written.range {
        let instruction = program.written[position]
        for target in instruction.inPlaceSchemas(lists: program.lists) + program.innerSchemas(instruction)
        where target >= 0 {
          sources[Int(target)].append(Int32(schema))
        }
      }
    }
    var waiting = leads.indices.filter { leads[$0] }
    while let schema = waiting.popLast() {
      for source in sources[schema] where !leads[Int(source)] {
        leads[Int(source)] = true
        waiting.append(Int(source))
      }
    }
    return leads
  }

  private mutating func visit(_ schema: Int32) {
    guard schema >= 0, leadsToFinding[Int(schema)], visitsLeft > 0, path.count <= Self.depthMax, budget.spend(),
      way.insert(schema).inserted
    else { return }
    visitsLeft -= 1
    defer { way.remove(schema) }
    let source = program.sources[Int(schema)]
    // The value that selects a branch is not given by it.
    if let value = source.value["default"], !conditions.isEmpty, !path.isEmpty,
      !conditions.contains(where: { $0.isDecided(by: path, of: source.value) })
    {
      let pointer = program.documentPointer(of: schema).appending("default")
      found.defaults.append(
        BranchDefault(
          path: path,
          value: value,
          conditions: conditions,
          pointer: pointer,
          isAdmitted: admits(schema, value)
        )
      )
    }
    if source.value["readOnly"] == true, conditions.contains(where: { $0.union == nil }) {
      found.readOnly.append(program.documentPointer(of: schema).appending("readOnly"))
    }
    for position in source.written.range { visit(program.written[position]) }
  }

  /// Whether a schema admits a value; true if that costs too much to find out.
  private func admits(_ schema: Int32, _ value: JSON) -> Bool {
    var work = WorkBudget(units: Self.workMax)
    return withUnsafeMutablePointer(to: &work) { work in
      var evaluator = Evaluator(program, work)
      return evaluator.isValid(schema, value) || evaluator.givenUp != nil
    }
  }

  private mutating func visit(_ instruction: Instruction) {
    switch instruction.operation {
    case .allOf:
      for branch in program.list(instruction.a, instruction.b) { visit(branch) }
    case .reference: visit(instruction.a)
    case .conditional:
      visit(instruction.b, if: .isValid(instruction.a), reading: [instruction.a])
      visit(instruction.c, if: .isInvalid(instruction.a), reading: [instruction.a])
    case .anyOf, .oneOf:
      let branches = Array(program.list(instruction.a, instruction.b))
      // Other members decide nothing then, and may depend on the default.
      let discriminators = Alternatives(branches, program).discriminators()
      for (position, branch) in branches.enumerated() where leadsToFinding[Int(branch)] {
        let test = BranchCondition.Test.isMeant(position, of: branches, by: discriminators)
        if discriminators.isEmpty {
          visit(branch, if: test, reading: branches)
        } else {
          visit(branch, if: test, reading: .names(discriminators))
        }
      }
    case .dependentSchemas:
      for position in stride(from: Int(instruction.a), to: Int(instruction.a + instruction.b), by: 2) {
        let name = program.names[Int(program.lists[position])]
        visit(program.lists[position + 1], if: .has(name), reading: .names([name]))
      }
    default:
      for (name, schema) in program.namedSchemas(instruction) ?? [] {
        path.append(name)
        visit(schema)
        path.removeLast()
      }
    }
  }

  private mutating func visit(_ branch: Int32, if test: BranchCondition.Test, reading schemas: [Int32]) {
    guard branch >= 0, leadsToFinding[Int(branch)] else { return }
    var reader = ReadSetBuilder(program: program, budget: budget)
    for schema in schemas {
      for position in program.sources[Int(schema)].written.range { reader.read(program.written[position]) }
    }
    visit(branch, if: test, reading: reader.readSet)
  }

  private mutating func visit(_ branch: Int32, if test: BranchCondition.Test, reading reads: ReadSet) {
    conditions.append(BranchCondition(path: path, reads: reads, test: test, program: program))
    visit(branch)
    conditions.removeLast()
  }
}

extension JSON {
  /// Whether a schema admits one value only.
  fileprivate var isConstant: Bool { self["const"] != nil || self["enum"]?.arrayValue?.count == 1 }
}
