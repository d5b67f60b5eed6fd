internal import CEL
internal import Forms
internal import JSON

/// Outputs, and the columns that gather an output of all rows.
extension Engine {
  func computeOutput(_ output: Int, _ instance: Instance) -> FactSet {
    let formula = instance.tables.pointee.outputs[output].formula
    // Most outputs are texts of the form, which are read in place.
    if let storage = formula.with({ storage(of: $0, in: instance) }) {
      counters.evaluated()
      return setOutput(storage, output, instance)
    }
    return evaluateOutput(output, instance)
  }

  /// Stores an output whose value has to be made.
  @inline(never)
  private func evaluateOutput(_ output: Int, _ instance: Instance) -> FactSet {
    let value = evaluate(instance.tables.pointee.outputs[output].formula, in: instance)
    return Reference.with(value) { setOutput($0, output, instance) }
  }

  @inline(__always)
  private func setOutput(_ storage: Reference<Value>, _ output: Int, _ instance: Instance) -> FactSet {
    let slot = instance.tables.pointee.outputs[output].slot
    var changed = FactSet.none
    if slot >= 0, store(storage.pointee.isError ? .null : storage.pointee, in: slot, of: instance) {
      changed = .output
      if _slowPath(instance.template != 0) { markRowOutput(output, instance) }
    }
    // Texts need no conversion.
    let isText: Void? = storage.borrowed.pointee.withText { setOutput($0, output, instance) }
    if isText == nil { setOutput(storage.pointee, output, instance) }
    return changed
  }

  @inline(__always)
  private func setOutput(_ text: borrowing String, _ output: Int, _ instance: Instance) {
    let place = instance.outputs.at(output)
    let change = place.borrowed.pointee.change(to: text)
    if let change, change.isSame { return }
    let growth = change?.growth ?? textBytes(text) &- place.pointee.bytes
    instance.withSession { $0.computedBytes &+= growth }
    let old = place.exchange(.string(copy text))
    noteOutput(output, old, in: instance)
  }

  /// Stores an output that is not a text.
  @inline(never)
  private func setOutput(_ value: Value, _ output: Int, _ instance: Instance) {
    let json: JSON?
    if value.isError {
      report(instance.form.outputs[output].formula, value, in: instance)
      json = nil
    } else {
      json = value.json?.withoutNullMembers
    }
    switch (json, instance.outputs[output]) {
    case (nil, nil): return
    case (let new?, let old?) where new == old: return
    default: break
    }
    noteOutput(output, instance.outputs[output], in: instance)
    let difference = json.bytes &- instance.outputs[output].bytes
    instance.withSession { $0.computedBytes &+= difference }
    instance.outputs[output] = json
  }

  @inline(never)
  private func textBytes(_ text: borrowing String) -> Int { JSON.string(copy text).approximateBytes }

  /// Notes an output before it changes.
  @inline(__always)
  private func noteOutput(_ output: Int, _ old: consuming JSON?, in instance: Instance) {
    if _slowPath(instance.template != 0) { return noteOutputInRow(output, old, instance) }
    note(Int(instance.tables.pointee.firstOutputCell) &+ output, DocumentValue(old))
  }

  @inline(never)
  private func noteOutputInRow(_ output: Int, _ old: JSON?, _ instance: Instance) {
    guard let row = instance.row else { return }
    note(row.cell(ofOutput: output), of: row, DocumentValue(old))
  }

  @inline(never)
  private func markRowOutput(_ output: Int, _ instance: Instance) {
    if let row = instance.row { rowWork.outputChanged(output, in: row) }
  }

  /// Gathers the values of an output in all rows that count.
  func computeColumn(_ column: Int, _ instance: Instance) -> FactSet {
    let output = instance.form.slots.columns[column].output
    let template = instance.tables.pointee.templates[instance.form.outputs[output].template]
    let list = Int(template.parent) == instance.template ? instance.list(of: Int(template.list)) : nil
    if let list, list.gatheredColumns.contains(column) { return updateColumn(column, of: list, output) }
    list?.gatheredColumns.append(column)
    let slot = Int(instance.tables.pointee.outputs[output].slot)
    var values: [Value] = []
    if let list {
      values.reserveCapacity(list.rows.count)
      list.forEachRow { if $0.counts { values.append($0.slots[slot]) } }
    } else {
      instance.forEachRow(of: instance.form.outputs[output].template) { row in
        if row.counts { values.append(row.slots[slot]) }
      }
    }
    return store(.list(values), in: instance.tables.pointee.columnSlots[column], of: instance) ? .column : .none
  }

  /// Updates a column when only values in some rows of the list have changed.
  private func updateColumn(_ column: Int, of list: RowList, _ output: Int) -> FactSet {
    var changed = FactSet.none
    list.owner.updateColumn(column) { values, slot in
      for row in rowWork.changedOutputs[output] where row.list === list && !row.isGone && row.counts {
        let index = row.index
        if values[index] == row.slots[slot] { continue }
        values[index] = row.slots[slot]
        changed = .column
      }
    }
    return changed
  }

  /// Copies a value of the row above for the formulas of a row.
  func computeAbove(_ above: Int, _ instance: Instance) -> FactSet {
    guard let row = instance.row else { return .none }
    let (field, slot) = row.form.slots.aboves[above]
    let source = Int(row.tables.pointee.fields[field].valueSlot)
    let value = row.list.row(above: row).map { $0.slots[source] } ?? .null
    return store(value, in: row.form.slots.offset(slot), of: row) ? .above : .none
  }
}

extension Instance {
  /// Changes the values of a gathered column of a list in this instance.
  ///
  /// - Parameter change: is given the values, and the slot of the column's output in each row.
  func updateColumn(_ column: Int, _ change: (_ values: inout ListValue, _ slot: Int) -> Void) {
    let place = slots.at(Int(tables.pointee.columnSlots[column]))
    // The values are taken out, so that they are not copied.
    var values = ListValue()
    if case .list(let all) = place.exchange(.null) { values = all }
    change(&values, Int(tables.pointee.outputs[form.slots.columns[column].output].slot))
    place.initialize(to: .list(values))
  }
}
