internal import Budgets

/// The computations of a form, and their dependencies. It is a graph of templates: a node or fact of a row's template
/// represents that node or fact of each row. An edge between two templates represents an edge between each row and its
/// container.
///
/// A *fact* can change; a *node* computes. A node reads facts and writes facts. Facts that no node writes come from
/// outside: from inputs, and from the results of actions. A node that has computed reports which of its facts have
/// changed, and the nodes that read those facts are computed next. Dependencies are recorded nowhere else.
///
/// Always true:
/// - ``reads`` and ``readers`` are the same edges from both ends.
/// - Nodes are in topological order: each fact that a node reads is written by nodes before it. So one pass in
///   ascending order leaves nothing stale. The exception is a value in the row above, which may be written by a node
///   behind its reader: then the pass goes back to the reader in the next row, and ends at the last row.
/// - The facts about one owner have consecutive numbers, and every field has the same set of facts: see
///   ``FactNumbers``.
package final class Graph: Sendable {
  /// A computation.
  package enum Node: Sendable, Hashable {
    /// Whether a field is shown.
    case visible(Int)
    /// Whether a row is blank, in a list that ignores blank rows.
    case blank(Int)
    /// Whether a step is shown.
    case stepVisible(Int)
    /// Whether a field can be changed.
    case enabled(Int)
    /// Whether a field must have a value.
    case required(Int)
    /// A field's value, if a formula gives it.
    case computed(Int)
    /// The value of a field as formulas see it, and its property schema's errors.
    case value(Int)
    /// Whether a field with fields below it is there for the schema to judge: it has a value, or must have one.
    case judged(Int)
    /// One of the schema's object-level keywords.
    case objectKeyword(Int)
    /// A synchronous condition.
    case rule(Int)
    /// An asynchronous condition.
    case check(Int)
    /// A field's errors, validity and shown message.
    case field(Int)
    /// The errors that belong to no field.
    case formErrors
    /// Validity and pending of the form as a whole.
    case form
    /// Validity and pending of a step as a whole.
    case step(Int)
    /// An asynchronous value.
    case lookup(Int)
    /// Whether an action is enabled.
    case action(Int)
    /// A named formula.
    case output(Int)
    /// The values of an output in all rows of a list.
    case column(Int)
    /// The value of a field in the row above, as formulas of a row read it.
    case above(Int)
    /// The rows of a list that repeat the value of an earlier row, for a field whose values must differ.
    case unique(Int)
    /// The options of a field's value, as a formula computes them.
    case options(Int)
    /// Whether a field's value is among these.
    case offered(Int)
    /// The results whose changes reset a field.
    case trigger(Int)
  }

  /// The subject of facts.
  package enum Owner: Sendable, Hashable {
    /// One of the form's fields, rules and so on, by its number.
    case field(Int)
    case rule(Int)
    case check(Int)
    case step(Int)
    case lookup(Int)
    case action(Int)
    case output(Int)
    case column(Int)
    case above(Int)
    /// A row of that template.
    case row(Int)
    /// The form as a whole.
    case form
  }

  /// In topological order; a node's number is its position here.
  package let nodes: [Node]
  /// By node: the template whose instances compute it.
  package let templates: [Int]
  /// The numbers of facts.
  package let facts: FactNumbers
  /// By node: the facts that it reads, each once, in the order of the definition.
  package let reads: AdjacencyList
  /// By fact: the nodes that read it, in ascending order.
  package let readers: AdjacencyList
  /// By fact: the nodes that write it, in ascending order; none for a fact that comes from outside. Only the errors of
  /// object-level keywords for a field have several writers.
  package let writers: AdjacencyList
  /// By slot: the fact that formulas read there; nil for a slot that only outcomes see.
  package let factsOfSlots: [Int?]
  /// By the node of a value in the row above on which the same value of the row depends: the nodes between them, in
  /// ascending order. See ``Node/above(_:)``.
  package let recurrences: [Int: [Int]]
  private let nodesOfFormulas: [ObjectIdentifier: Int32]

  /// The graph of nodes in topological order.
  ///
  /// - Parameters:
  ///   - templates: by node, the template whose instances compute it.
  ///   - writes: by node, the facts that it writes.
  ///   - formulas: the formulas that a node evaluates; each node keeps its formulas in the given order.
  ///   - budget: the budget that pays for finding the recurrences.
  init(
    nodes: [Node],
    templates: [Int],
    facts: FactNumbers,
    reads: AdjacencyList,
    writes: AdjacencyList,
    factsOfSlots: [Int?],
    formulas: (Node) -> [Formula],
    budget: CompileBudget
  ) {
    var nodesOfFormulas: [ObjectIdentifier: Int32] = [:]
    for (number, node) in nodes.enumerated() {
      for formula in formulas(node) { nodesOfFormulas[ObjectIdentifier(formula)] = Int32(number) }
    }
    self.nodesOfFormulas = nodesOfFormulas
    self.nodes = nodes
    self.templates = templates
    self.facts = facts
    self.reads = reads
    self.factsOfSlots = factsOfSlots
    readers = reads.transposed(nodeCount: facts.count)
    let writers = writes.transposed(nodeCount: facts.count)
    self.writers = writers
    recurrences = Self.recurrences(nodes, facts, reads, writers, budget)
  }

  private static func recurrences(
    _ nodes: [Node],
    _ facts: FactNumbers,
    _ reads: AdjacencyList,
    _ writers: AdjacencyList,
    _ budget: CompileBudget
  ) -> [Int: [Int]] {
    // The nodes of the same row that a node reads.
    func sources(of node: Int) -> [Int] {
      let isAbove = if case .above = nodes[node] { true } else { false }
      return reads[node].filter { !isAbove || !facts.isAboutField(Int($0)) }.flatMap { writers[Int($0)].map(Int.init) }
    }
    var recurrences: [Int: [Int]] = [:]
    for (first, node) in nodes.enumerated() {
      guard case .above = node, let value = reads[first].first(where: { facts.isAboutField(Int($0)) }),
        let last = writers[Int(value)].last.map(Int.init), last > first
      else { continue }
      // A refused spending ends the compilation.
      guard budget.spend((first...last).reduce(0) { $0 + 1 + reads[$1].count }) else { return [:] }
      // The nodes that depend on the value above, and among them those on which the value in the row depends.
      var behind: Set<Int> = [first]
      for next in first + 1..<last + 1 where sources(of: next).contains(where: behind.contains) { behind.insert(next) }
      guard behind.contains(last) else { continue }
      var between: Set<Int> = [last]
      for next in (first + 1..<last + 1).reversed() where between.contains(next) {
        between.formUnion(sources(of: next).filter(behind.contains))
      }
      recurrences[first] = between.subtracting([first]).sorted()
    }
    return recurrences
  }

  /// The number of the node that evaluates a formula; nil for a formula that is evaluated when an action runs or an
  /// answer comes.
  package func node(of formula: Formula) -> Int32? { nodesOfFormulas[ObjectIdentifier(formula)] }
}
