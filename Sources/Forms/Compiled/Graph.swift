/// The dependencies of a form's cells. Nodes are in topological order: each reads only nodes before it, so one pass in ascending
/// order leaves nothing stale.
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
    /// Whether an action is enabled.
    case action(Int)
    /// A named formula.
    case output(Int)
  }

  /// How many fields, object-level keywords, rules, checks and steps a form has.
  package struct Counts {
    /// The fields.
    package let fields: Int
    /// The object-level keywords.
    package let parts: Int
    /// The rules.
    package let rules: Int
    /// The checks.
    package let checks: Int
    /// The steps.
    package let steps: Int
  }

  /// In topological order; a node's number is its position here.
  package let nodes: [Node]
  /// The nodes of each field, rule and check.
  package let valueNodes: [Int32]
  /// By field: whether it is there to be judged; -1 where it has no fields below it.
  package let judgedNodes: [Int32]
  /// By field: whether it is shown; -1 where it always is.
  package let visibleNodes: [Int32]
  /// By field: whether it can be changed; -1 where it always can.
  package let enabledNodes: [Int32]
  /// By object-level keyword.
  package let partNodes: [Int32]
  /// By field: the node with its errors.
  package let fieldNodes: [Int32]
  /// By rule.
  package let ruleNodes: [Int32]
  /// By check.
  package let checkNodes: [Int32]
  /// By step: the node of its status.
  package let stepNodes: [Int32]
  /// The node of the errors that belong to no field.
  package let formErrorsNode: Int32
  /// The node of the form as a whole.
  package let formNode: Int32
  /// The actions whose `enabled` is `form.isValid`.
  package let defaultActionNodes: [Int32]
  /// By slot: the nodes whose formulas read it.
  let slotReaders: AdjacencyList
  /// By field: the nodes of the schema's parts that read it.
  let partReaders: AdjacencyList

  init(
    nodes: [Node],
    slotReaders: AdjacencyList,
    partReaders: AdjacencyList,
    counts: Counts,
    defaultActions: [Int32]
  ) {
    self.nodes = nodes
    self.slotReaders = slotReaders
    self.partReaders = partReaders
    defaultActionNodes = defaultActions
    var values = [Int32](repeating: -1, count: counts.fields)
    var fields = values
    var judged = values
    var visible = values
    var enabled = values
    var parts = [Int32](repeating: -1, count: counts.parts)
    var rules = [Int32](repeating: -1, count: counts.rules)
    var checks = [Int32](repeating: -1, count: counts.checks)
    var steps = [Int32](repeating: -1, count: counts.steps)
    var formErrors: Int32 = -1
    var form: Int32 = -1
    for (position, node) in nodes.enumerated() {
      switch node {
      case .value(let index): values[index] = Int32(position)
      case .judged(let index): judged[index] = Int32(position)
      case .visible(let index): visible[index] = Int32(position)
      case .enabled(let index): enabled[index] = Int32(position)
      case .part(let index): parts[index] = Int32(position)
      case .field(let index): fields[index] = Int32(position)
      case .rule(let index): rules[index] = Int32(position)
      case .check(let index): checks[index] = Int32(position)
      case .step(let index): steps[index] = Int32(position)
      case .formErrors: formErrors = Int32(position)
      case .form: form = Int32(position)
      default: break
      }
    }
    valueNodes = values
    fieldNodes = fields
    judgedNodes = judged
    visibleNodes = visible
    enabledNodes = enabled
    partNodes = parts
    ruleNodes = rules
    checkNodes = checks
    stepNodes = steps
    formErrorsNode = formErrors
    formNode = form
  }
}
