/// Finds the fields whose values decide what a form says of a value, directly or through other formulas.
package struct DecidingFields {
  private let form: Form
  private let numbers: [Graph.Node: Int]

  package init(of form: Form) {
    self.form = form
    numbers = Dictionary(uniqueKeysWithValues: form.graph.nodes.enumerated().map { ($0.element, $0.offset) })
  }

  /// The fields that decide whether that rule holds.
  package func fields(ofRule rule: Int) -> Set<Int> { fields(readBy: [.rule(rule)]) { _, _ in true } }

  /// The fields that decide which errors the schema finds in a field, and whether the field must have a value and is
  /// shown. The field itself is not among them, unless it decides about the others.
  package func fields(ofSchemaAt field: Int) -> Set<Int> {
    let nodes: [Graph.Node] = [.field(field), .visible(field), .required(field), .options(field), .offered(field)]
    let rules = Set(form.fields[field].rules.map(Graph.Owner.rule))
    return fields(readBy: nodes) { owner, fact in
      if rules.contains(owner) { return false }
      // The field also reads the errors of the fields inside it.
      guard case .field(let other) = owner, other != field else { return true }
      return [.isVisible, .isRequired, .isBlank].contains(fact)
    }
  }

  /// The facts that a field's value decides alone.
  private static let values: [FactSet] = [.ownValue, .given, .content, .isEmpty, .value, .rows]

  /// - Parameter isWanted: whether a fact that those nodes read is followed.
  private func fields(readBy nodes: [Graph.Node], _ isWanted: (Graph.Owner, FactSet) -> Bool) -> Set<Int> {
    let graph = form.graph
    var found: Set<Int> = []
    var seen: Set<Int> = []
    var waiting = nodes.compactMap { numbers[$0] }.flatMap { graph.reads[$0].map { Int($0) } }
      .filter { fact in
        let (owner, kind) = graph.facts.fact(fact)
        return isWanted(owner, kind)
      }
    while let fact = waiting.popLast() {
      guard seen.insert(fact).inserted else { continue }
      let (owner, kind) = graph.facts.fact(fact)
      switch owner {
      case .field(let field) where Self.values.contains(kind): found.insert(field)
      // A value that has an error is there, and so are the values around it.
      case .field where kind == .isJudged: continue
      case .row(let template): if let list = form.templates[template].list { found.insert(list) }
      default: break
      }
      for writer in graph.writers[fact] { waiting += graph.reads[Int(writer)].map { Int($0) } }
    }
    return found
  }
}
