/// What a form computes, and what depends on what. It is a graph of templates: a node or fact of a row's template stands for that of each
/// row, and an edge between two templates for one between each row and what it is in.
///
/// A *fact* can change; a *node* computes. A node reads facts and writes facts; the others come from outside: from inputs, and from what
/// actions come to. A node that has computed says which of its facts have changed, and the nodes that read those are computed next.
/// Nothing else says what depends on what.
///
/// Always true:
/// - ``reads`` and ``readers`` are the same edges from both ends.
/// - Nodes are in topological order: whatever a node reads is written by nodes before it. So one pass in ascending order leaves nothing stale.
/// - The facts about one owner have numbers in a row, and there are the same about every field: see ``FactNumbers``.
package final class Graph: Sendable {
  /// One thing that is computed.
  package enum Node: Sendable, Hashable {
    /// A field's own formulas.
    case visible(Int)
    /// Whether a step is shown.
    case stepVisible(Int)
    /// Whether a field can be changed.
    case enabled(Int)
    /// Whether a field must have a value.
    case required(Int)
    /// A field's value, where a formula gives it.
    case computed(Int)
    /// What formulas see of a field's value, and what its property schema says about it.
    case value(Int)
    /// Whether a field with fields below it is there for the schema to judge: it has a value, or must have one.
    case judged(Int)
    /// One of the schema's object-level keywords.
    case part(Int)
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
    /// Which rows of a list have a value that a row before them has: that of a field whose values must differ.
    case unique(Int)
    /// What a field's value can be chosen from, by a formula.
    case options(Int)
    /// Whether a field's value is among these.
    case offered(Int)
  }

  /// What there are facts about.
  package enum Owner: Sendable, Hashable {
    /// One of the form's fields, rules and so on, by its address.
    case field(Int)
    case rule(Int)
    case check(Int)
    case step(Int)
    case lookup(Int)
    case action(Int)
    case output(Int)
    case column(Int)
    /// A row of that template.
    case row(Int)
    /// The form as a whole.
    case form
  }

  /// In topological order; a node's number is its position here.
  package let nodes: [Node]
  /// The numbers of facts.
  package let facts: FactNumbers
  /// By node: the facts that it reads, each once, in the order of the definition.
  package let reads: AdjacencyList
  /// By fact: the nodes that read it, in ascending order.
  package let readers: AdjacencyList
  /// By fact: the nodes that write it, in ascending order; none for what comes from outside. Only what object-level keywords say about a
  /// field has several.
  package let writers: AdjacencyList
  /// By slot: the fact that formulas read there; nil for what only outcomes see.
  package let factsOfSlots: [Int?]
  private let nodesOfFormulas: [ObjectIdentifier: Int32]

  /// The graph of nodes in topological order.
  ///
  /// - Parameters:
  ///   - writes: by node, the facts that it writes.
  ///   - formulas: the formulas that a node evaluates; of a node in the order given.
  init(
    nodes: [Node],
    facts: FactNumbers,
    reads: AdjacencyList,
    writes: AdjacencyList,
    factsOfSlots: [Int?],
    formulas: (Node) -> [Formula]
  ) {
    var nodesOfFormulas: [ObjectIdentifier: Int32] = [:]
    for (number, node) in nodes.enumerated() {
      for formula in formulas(node) { nodesOfFormulas[ObjectIdentifier(formula)] = Int32(number) }
    }
    self.nodesOfFormulas = nodesOfFormulas
    self.nodes = nodes
    self.facts = facts
    self.reads = reads
    self.factsOfSlots = factsOfSlots
    readers = reads.transposed(nodeCount: facts.count)
    writers = writes.transposed(nodeCount: facts.count)
  }

  /// The number of the node that evaluates a formula; nil for what is evaluated when an action runs or an answer comes.
  package func node(of formula: Formula) -> Int32? { nodesOfFormulas[ObjectIdentifier(formula)] }
}
