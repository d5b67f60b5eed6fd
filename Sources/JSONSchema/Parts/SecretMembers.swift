internal import Budgets
internal import Formats
internal import JSON
internal import Texts

/// Finds the members of an object, or the element of a list, that are secrets: any schema that can apply to such a
/// member, or below it, is `writeOnly`.
///
/// Whether a branch holds is not known before there is a value, and a failed condition must not disclose a value. So
/// each subschema counts: of `then` as of `else`, of each branch of `anyOf`, below `not`, behind references, on either
/// side of a circle.
struct SecretMembers {
  private let program: Program
  private let budget: CompileBudget
  private let graph: SchemaGraph
  /// By node: whether it, or any schema that it leads to, is `writeOnly`.
  private let isSecret: [Bool]

  init(program: Program, budget: CompileBudget) {
    self.program = program
    self.budget = budget
    graph = SchemaGraph(program: program)
    isSecret = Self.secrets(of: graph)
  }

  /// Walks from the `writeOnly` schemas against the edges.
  private static func secrets(of graph: SchemaGraph) -> [Bool] {
    let program = graph.program
    var isSecret = [Bool](repeating: false, count: graph.nodeCount)
    var found = program.sources.indices.filter { program.sources[$0].value["writeOnly"]?.boolValue == true }
    guard !found.isEmpty else { return isSecret }
    for schema in found { isSecret[schema] = true }
    var sources = [[Int32]](repeating: [], count: graph.nodeCount)
    for node in 0..<graph.nodeCount {
      graph.forEachTarget(of: node, along: .all) { sources[$0].append(Int32(node)) }
    }
    var next = 0
    while next < found.count {
      for source in sources[found[next]] where !isSecret[Int(source)] {
        isSecret[Int(source)] = true
        found.append(Int(source))
      }
      next += 1
    }
    return isSecret
  }

  /// The secrets of an object or a list.
  struct Found {
    /// The members that are secrets, or below which something is, by their position.
    var holding: Set<Int> = []
    /// The members among them that are secrets as a whole, because of a schema of the object or a rule for members.
    var whole: Set<Int> = []
    /// Whether anything else in the value may be a secret, or hold one: a member of another name, an element if the
    /// value is taken for an object, a member if it is taken for a list.
    var holdsOthers = false
  }

  /// Which of a value's members are secrets.
  ///
  /// - Parameters:
  ///   - names: the members' names; ``ObjectTree/elementName`` for the element of a list.
  ///   - container: whether the value is taken for an object or for a list.
  ///   - schemas: the schemas that apply to the value, or may apply to it.
  func members(among names: [String], of container: Container, with schemas: [Int]) -> Found {
    var found = Found()
    guard schemas.contains(where: { isSecret[$0] }), budget.spend(1 + graph.nodeCount / 64) else { return found }
    let positions = Dictionary(
      names.enumerated().map { (UTF8Key(text: $0.element), $0.offset) },
      uniquingKeysWith: { first, _ in first }
    )
    for node in graph.reachable(from: schemas, along: .inPlace) where node < program.schemas.count {
      // A keyword of the object as a whole applies to all its members.
      if isWriteOnly(node) {
        return Found(holding: Set(names.indices), whole: Set(names.indices), holdsOthers: true)
      }
      let instructions = program.written[program.sources[node].written.range]
      let secretElements = instructions.filter { $0.appliesTo == .arrays && appliesSecret($0) }
      if container == .list {
        if !secretElements.isEmpty { found.holding.formUnion(names.indices) }
        // `contains`, `prefixItems` and `unevaluatedItems` may be for any element, as far as is known without a value.
        if !secretElements.allSatisfy(\.isForAllElements) { found.whole.formUnion(names.indices) }
        if instructions.contains(where: { $0.appliesTo == .objects && appliesSecret($0) }) { found.holdsOthers = true }
        continue
      }
      if !secretElements.isEmpty { found.holdsOthers = true }
      let plan =
        instructions.first { !$0.runsAlone }.map { program.plans[Int($0.a)] } ?? MemberPlan(names: NameTable([]))
      for entry in plan.names.entries where entry.schema >= 0 && isSecret[Int(entry.schema)] {
        if let position = positions[UTF8Key(text: entry.name)] { found.holding.insert(position) }
      }
      let secretPatterns = plan.patterns.filter { isSecret[Int($0.schema)] }
      let others =
        plan.additional >= 0 ? plan.additional : instructions.first { $0.operation == .unevaluatedProperties }?.a
      let areOthersSecret = others.map { isSecret[Int($0)] } ?? false
      guard areOthersSecret || !secretPatterns.isEmpty else { continue }
      found.holdsOthers = true
      guard budget.spend(names.count * (1 + plan.patterns.count)) else { return found }
      for (position, name) in names.enumerated() {
        // A pattern that is too costly to know may match.
        if secretPatterns.contains(where: { program.patterns[Int($0.pattern)].matches(name) != .noMatch }) {
          found.whole.insert(position)
        } else if areOthersSecret, !plan.names.hasSchema(for: name),
          !plan.patterns.contains(where: { program.patterns[Int($0.pattern)].matches(name) == .match })
        {
          found.whole.insert(position)
        }
      }
    }
    found.holding.formUnion(found.whole)
    return found
  }

  /// Whether it applies a schema to members or elements that makes them secrets, or a value below them.
  private func appliesSecret(_ instruction: Instruction) -> Bool {
    program.innerSchemas(instruction).contains { isSecret[Int($0)] }
  }

  /// Whether a value to which those schemas apply, or may apply, is a secret as a whole.
  func isWhole(_ schemas: [Int]) -> Bool {
    guard schemas.contains(where: { isSecret[$0] }), budget.spend(1 + graph.nodeCount / 64) else { return false }
    return graph.reachable(from: schemas, along: .inPlace).contains { $0 < program.schemas.count && isWriteOnly($0) }
  }

  private func isWriteOnly(_ schema: Int) -> Bool {
    program.sources[schema].value["writeOnly"]?.boolValue == true
  }
}
