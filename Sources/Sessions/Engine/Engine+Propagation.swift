internal import Forms
internal import JSON

/// Recomputation: each stale node is computed once, in topological order. A node of a row is computed once for each row
/// in which it is stale; a recurrence is computed row by row (``computeRecurrence(_:_:_:)``).
///
/// The nodes that read a fact that differs from before become stale. The kinds that most inputs need return their
/// changed facts, which are marked at one place. The other kinds mark their facts themselves
/// (``computeOther(_:_:_:)``).
extension Engine {
  /// Computes everything that is stale.
  func propagate(_ session: Session) {
    if _slowPath(session.tables.pointee.hasRows) {
      propagateAcrossRows(session)
    } else if _slowPath(session.flags.contains(.hasFaults)) {
      propagateForgetting(session)
    } else {
      let tables = session.tables
      let nodes = tables.pointee.nodes
      // No formula goes wrong so far, so there are no old faults to forget.
      while let node = staleNodes.popLowest() {
        let (changed, first) = compute(nodes[node], session, session)
        // Marked by one call, so that the code exists once.
        markWithoutRows(changed, from: first, tables)
      }
    }
    if hasLeftovers { clearLeftovers(session) }
  }

  /// Ends a pass.
  @inline(never)
  private func clearLeftovers(_ session: Session) {
    hasLeftovers = false
    forgetAllValues()
    if turnResets.areUnderWay || turnResets.noted.isEmpty && turnResets.hidden.isEmpty { return }
    resetNotedFields(of: session)
  }

  /// The pass for a session in which a formula goes wrong already.
  @inline(never)
  private func propagateForgetting(_ session: Session) {
    while let node = staleNodes.popLowest() {
      forgetFaults(of: node, in: session)
      computeOnce(session.tables.pointee.nodes[node], session, session)
    }
  }

  /// The pass for a form with rows: a node of a row is computed in each row in which it is stale.
  @inline(never)
  private func propagateAcrossRows(_ session: Session) {
    if !rowWork.staleLists.isEmpty { updateStaleLists() }
    while let node = staleNodes.popLowest() {
      let kind = session.tables.pointee.nodes[node]
      if session.tables.pointee.nodeTemplates[node] == 0 {
        if session.flags.contains(.hasFaults) { forgetFaults(of: node, in: session) }
        computeOnce(kind, session, session)
        continue
      }
      if let nodes = session.form.graph.recurrences[node] {
        computeRecurrence(node, nodes, session)
        continue
      }
      let rows = takeStaleRows(node)
      for row in rows where !row.isGone { computeAgain(node, row, session) }
      switch kind {
      case .visible, .blank: break
      default: continue
      }
      for row in rows where !row.isGone && row.list.isIndexStale { updateIndex(of: row.list) }
    }
  }

  /// Computes values that depend on the same value in the row above, such as a running balance: one row after the
  /// other, from the top. Otherwise each row would be computed as often as there are rows above it.
  ///
  /// - Parameter nodes: the nodes from the value in the row above to the value in the row, in ascending order.
  private func computeRecurrence(_ node: Int, _ nodes: [Int], _ session: Session) {
    // From the bottom, so that the next row is the last one here.
    var waiting = takeStaleRows(node).sorted { $0.position > $1.position }
    while let row = waiting.popLast() {
      if row.isGone { continue }
      computeAgain(node, row, session)
      for inner in nodes where row.unmarkStale(Int(row.tables.pointee.nodeOffsets[inner])) {
        computeAgain(inner, row, session)
      }
      for below in takeStaleRows(node).reversed() where below !== waiting.last { waiting.append(below) }
    }
  }

  /// Computes a node of a row whose faults of before are out of date.
  private func computeAgain(_ node: Int, _ row: Row, _ session: Session) {
    if session.flags.contains(.hasFaults) { forgetFaults(of: node, in: row) }
    computeOnce(session.tables.pointee.nodes[node], row, session)
  }

  /// ``compute(_:_:_:)`` as a separate call.
  @inline(never)
  private func computeOnce(_ node: Graph.Node, _ instance: Instance, _ session: Session) {
    let (changed, first) = compute(node, instance, session)
    mark(changed, from: first, instance)
  }

  /// Computes a node.
  ///
  /// - Returns: the facts that have changed, and the number of the first fact of their owner.
  @inline(__always)
  func compute(
    _ node: Graph.Node,
    _ instance: Instance,
    _ session: Session
  ) -> (changed: FactSet, first: Int) {
    let tables = session.tables
    return switch node {
    case .value(let field): (computeValue(field, instance), tables.pointee.facts.first(ofField: field))
    case .rule(let rule): (computeRule(rule, instance), tables.pointee.facts.first(ofRule: rule))
    case .field(let field): (computeField(field, instance), tables.pointee.facts.first(ofField: field))
    case .form: (computeForm(session), tables.pointee.facts.firstOfForm)
    case .action(let action): (computeAction(action, session), 0)
    case .output(let output): (computeOutput(output, instance), tables.pointee.facts.first(ofOutput: output))
    default: (computeOther(node, instance, session), 0)
    }
  }

  /// Computes the nodes that few inputs need. They are separate, so that their code does not slow down the common
  /// nodes.
  ///
  /// - Returns: no facts, because they are marked already.
  @inline(never)
  private func computeOther(_ node: Graph.Node, _ instance: Instance, _ session: Session) -> FactSet {
    switch node {
    case .value, .rule, .field, .form, .action, .output: preconditionFailure("\(node) is computed with the others")
    case .visible(let field): computeVisible(field, instance)
    case .blank(let element): computeBlank(element, instance)
    case .stepVisible(let step): computeStepVisible(step, session)
    case .enabled(let field): computeEnabled(field, instance)
    case .required(let field): computeRequired(field, instance)
    case .computed(let field): changed(computeFormulaValue(field, instance), ofField: field, in: instance)
    case .judged(let field): changed(computeJudged(field, instance), ofField: field, in: instance)
    case .objectKeyword(let keyword): computeObjectKeyword(keyword, instance)
    case .check(let check): changed(computeCheck(check, instance), ofCheck: check, in: instance)
    case .formErrors: formChanged(computeFormErrors(session), in: session)
    case .step(let step): computeStep(step, session)
    case .lookup(let lookup): changed(computeLookup(lookup, instance), ofLookup: lookup, in: instance)
    case .column(let column): changed(computeColumn(column, instance), ofColumn: column, in: instance)
    case .above(let above): changed(computeAbove(above, instance), ofAbove: above, in: instance)
    case .unique(let field): computeUnique(field, instance)
    case .options(let field): changed(computeOptions(field, instance), ofField: field, in: instance)
    case .offered(let field): changed(computeOffered(field, instance), ofField: field, in: instance)
    case .trigger(let field): computeTrigger(field, instance)
    }
    return .none
  }

  /// Drops the faults that a node has reported, before it is computed again.
  @inline(never)
  private func forgetFaults(of node: Int, in instance: Instance) {
    instance.session.extras?.faults.forget(Int32(truncatingIfNeeded: node), in: instance.rowID)
  }

  /// Forgets the values that keywords of the schema have needed in this turn.
  @inline(never)
  func forgetAllValues() {
    allValues = nil
    allPresence = nil
  }
}
