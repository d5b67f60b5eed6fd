internal import DocumentProperties

/// The inputs behind the inquiries of checks and lookups.
extension Form {
  /// The fields whose values a check sends or reads, directly or through formulas, lookups and other values. What else
  /// decides whether it asks (for example, the errors of its field) does not count.
  ///
  /// - Returns: by field, a template: the check reads the field in each instance that has the check's own instance of
  ///   that template around it.
  package func inputs(ofCheck number: Int) -> [Int: Int] {
    let check = checks[number]
    let whole = [check.field] + (check.request.sendsAllValues ? fields.indices.filter { fields[$0].around == nil } : [])
    return inputs(
      behind: whole.map { graph.facts.number(.field($0), .content) }
        + facts(of: (check.when.map { [$0] } ?? []) + check.request.formulas),
      in: fields[check.field].template
    )
  }

  /// The fields whose values a lookup sends or reads, as ``inputs(ofCheck:)`` says.
  package func inputs(ofLookup lookup: Int) -> [Int: Int] {
    inputs(behind: facts(of: lookups[lookup].formulas), in: lookups[lookup].template)
  }

  /// The facts that formulas read.
  private func facts(of formulas: [Formula]) -> [Int] {
    formulas.flatMap(\.reads).compactMap { graph.factsOfSlots[$0] }
  }

  /// Follows facts back to the values from which the graph computes them.
  private func inputs(behind facts: [Int], in template: Int) -> [Int: Int] {
    // A way back that leaves a row and enters rows again reads all of them. So the templates of all nodes on a way
    // have one around them that decides which instances it reads.
    var inputs: [Int: Int] = [:]
    var scopes: [Int32: Int] = [:]
    var waiting = facts.map { (fact: $0, scope: template) }
    while let (fact, scope) = waiting.popLast() {
      if case (.field(let field), .ownValue) = graph.facts.fact(fact) {
        let scope = templates.deepest(around: scope, fields[field].template)
        inputs[field] = min(inputs[field] ?? scope, scope)
      }
      for writer in graph.writers[fact] {
        let scope = templates.deepest(around: scope, graph.templates[Int(writer)])
        if let known = scopes[writer], known <= scope { continue }
        scopes[writer] = scope
        waiting += graph.reads[Int(writer)].map { (Int($0), scope) }
      }
    }
    return inputs
  }
}
