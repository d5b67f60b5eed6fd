internal import Forms
internal import JSON

/// What depends on what: facts that have changed make the nodes stale that read them.
extension Engine {
  /// Facts about a field have changed: the nodes that read them become stale.
  @inline(__always)
  func changed(_ facts: FactSet, ofField field: Int, in instance: Instance) {
    mark(facts, from: instance.tables.pointee.facts.first(ofField: field), instance)
  }

  @inline(__always)
  func changed(_ facts: FactSet, ofCheck check: Int, in instance: Instance) {
    mark(facts, from: instance.tables.pointee.facts.first(ofCheck: check), instance)
  }

  @inline(__always)
  func changed(_ facts: FactSet, ofStep step: Int, in session: Session) {
    mark(facts, from: session.tables.pointee.facts.first(ofStep: step), session)
  }

  func changed(_ facts: FactSet, ofLookup lookup: Int, in instance: Instance) {
    mark(facts, from: instance.tables.pointee.facts.first(ofLookup: lookup), instance)
  }

  @inline(__always)
  func changed(_ facts: FactSet, ofAction action: Int, in session: Session) {
    mark(facts, from: session.tables.pointee.facts.first(ofAction: action), session)
  }

  func changed(_ facts: FactSet, ofColumn column: Int, in instance: Instance) {
    mark(facts, from: instance.tables.pointee.facts.first(ofColumn: column), instance)
  }

  /// A value in the row above has changed.
  func changed(_ facts: FactSet, ofAbove above: Int, in instance: Instance) {
    mark(facts, from: instance.tables.pointee.facts.first(ofAbove: above), instance)
  }

  /// Facts about the form as a whole have changed.
  @inline(__always)
  func formChanged(_ facts: FactSet, in session: Session) {
    mark(facts, from: session.tables.pointee.facts.firstOfForm, session)
  }

  /// Whether a formula, or the text of a rule, reads the index of a row of a template, or the row above.
  func isIndexRead(_ template: Int, in instance: Instance) -> Bool {
    let fact = instance.tables.pointee.facts.number(.row(template), .index)
    return instance.tables.pointee.readerStarts[fact] < instance.tables.pointee.readerStarts[fact &+ 1]
  }

  /// The index of a row among the rows that count has changed, or the row above it is another one.
  func indexChanged(of row: Row) {
    mark(.index, from: row.tables.pointee.facts.first(ofRowsOf: row.template), row)
  }

  /// Facts with those numbers have changed, beginning at the first fact of their owner: the nodes that read them become
  /// stale.
  @inline(__always)
  func mark(_ facts: FactSet, from first: Int, _ instance: Instance) {
    if _slowPath(instance.tables.pointee.hasRows) { return markAcrossRows(facts, from: first, instance) }
    markWithoutRows(facts, from: first, instance.tables)
  }

  /// Marks the readers of facts in a form that has no rows.
  @inline(__always)
  func markWithoutRows(_ facts: FactSet, from first: Int, _ tables: Reference<FormTables>) {
    var rest = facts.rawValue
    while rest != 0 {
      let fact = first &+ rest.trailingZeroBitCount
      rest &= rest &- 1
      // Most facts have all their readers in one word.
      var word = tables.pointee.readerWords.at(fact)
      while true {
        let nodes = word.pointee.nodes
        if nodes != 0 { staleNodes.insert(nodes, inWord: Int(word.pointee.number)) }
        let next = Int(word.pointee.next)
        if next == 0 { break }
        word = tables.pointee.readerWords.at(next)
      }
    }
  }
}
