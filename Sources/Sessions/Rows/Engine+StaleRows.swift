internal import Forms
internal import JSON

/// Which nodes are stale in which rows.
extension Engine {
  /// Facts have changed in a form with rows: the nodes that read them may be in another instance, or in many.
  @inline(never)
  func markAcrossRows(_ facts: FactSet, from first: Int, _ instance: Instance) {
    let tables = instance.tables
    var rest = facts.rawValue
    while rest != 0 {
      let number = first &+ rest.trailingZeroBitCount
      rest &= rest &- 1
      var position = Int(tables.pointee.readerStarts[number])
      let end = Int(tables.pointee.readerStarts[number + 1])
      while position < end {
        let node = Int(tables.pointee.readers[position])
        let template = Int(tables.pointee.nodeTemplates[node])
        if case .above = tables.pointee.nodes[node], tables.pointee.facts.isAboutField(number) {
          instance.row?.list.forEachRow(below: instance.row) { markStale(node, $0) }
        } else if tables.pointee.templates[template].depth <= tables.pointee.templates[instance.template].depth {
          markStale(node, instance.instance(of: template))
        } else {
          instance.forEachRow(of: template) { markStale(node, $0) }
        }
        position += 1
      }
    }
  }

  private func markStale(_ node: Int, _ instance: Instance) {
    guard let row = instance.row else { return staleNodes.insert(Int32(node)) }
    guard !row.isGone, row.markStale(Int(row.tables.pointee.nodeOffsets[node])) else { return }
    rowWork.staleRows[node].append(row)
    staleNodes.insert(Int32(node))
  }

  func markAllStale(_ row: Row) {
    let template = row.tables.pointee.templates[row.template]
    for offset in template.firstNode..<template.firstNode + template.nodeCount {
      markStale(Int(row.tables.pointee.templateNodes[Int(offset)]), row)
    }
  }

  /// Marks all nodes of a session and of its rows.
  func markAllStale(_ session: Session) {
    session.forEachInstance { instance in
      if let row = instance.row { return markAllStale(row) }
      let template = session.tables.pointee.templates[0]
      for offset in template.firstNode..<template.firstNode + template.nodeCount {
        staleNodes.insert(session.tables.pointee.templateNodes[Int(offset)])
      }
    }
  }

  /// Takes out the rows whose node is stale.
  func takeStaleRows(_ node: Int) -> [Row] {
    let rows = rowWork.staleRows[node]
    rowWork.staleRows[node] = []
    // A row of a recurrence may have been computed already.
    return rows.filter { $0.unmarkStale(Int($0.tables.pointee.nodeOffsets[node])) }
  }
}
