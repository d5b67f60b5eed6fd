internal import CEL
internal import Forms
internal import JSON

/// Outputs, and the columns that gather an output of all rows.
extension Engine {
  func computeOutput(_ index: Int, _ instance: Instance) -> FactSet {
    let formula = instance.tables.pointee.outputs[index].formula
    // Most outputs are texts of the form, which are read in place.
    if let storage = formula.with({ storage(of: $0, in: instance) }) {
      counters.evaluated()
      return setOutput(storage, index, instance)
    }
    return evaluateOutput(index, instance)
  }

  /// Stores an output whose value has to be made.
  @inline(never)
  private func evaluateOutput(_ index: Int, _ instance: Instance) -> FactSet {
    let value = evaluate(instance.tables.pointee.outputs[index].formula, in: instance)
    return Reference.with(value) { setOutput($0, index, instance) }
  }

  @inline(__always)
  private func setOutput(_ storage: Reference<Value>, _ index: Int, _ instance: Instance) -> FactSet {
    let slot = instance.tables.pointee.outputs[index].slot
    var changed = FactSet.none
    if slot >= 0, store(storage.pointee.isError ? .null : storage.pointee, in: slot, of: instance) {
      changed = .output
      if _slowPath(instance.template != 0) { markRowOutput(index, instance) }
    }
    // Texts need no conversion.
    let isText: Void? = storage.borrowed.pointee.withText { setOutput($0, index, instance) }
    if isText == nil { setOutput(storage.pointee, index, instance) }
    return changed
  }

  @inline(__always)
  private func setOutput(_ text: borrowing String, _ index: Int, _ instance: Instance) {
    let output = instance.outputs.at(index)
    if output.borrowed.pointee.isText(text) { return }
    let countBefore = output.borrowed.pointee.withText { $0.utf8.count }
    let difference = countBefore.map { text.utf8.count &- $0 } ?? textBytes(text) &- output.pointee.bytes
    instance.withSession { $0.computedBytes &+= difference }
    let old = output.exchange(.string(copy text))
    noteOutput(index, old, in: instance)
  }

  /// Stores an output that is not a text.
  @inline(never)
  private func setOutput(_ value: Value, _ index: Int, _ instance: Instance) {
    let json: JSON?
    if value.isError {
      report(instance.form.outputs[index].formula, value, in: instance)
      json = nil
    } else {
      json = value.json?.withoutNullMembers
    }
    switch (json, instance.outputs[index]) {
    case (nil, nil): return
    case (let new?, let old?) where new == old: return
    default: break
    }
    noteOutput(index, instance.outputs[index], in: instance)
    let difference = json.bytes &- instance.outputs[index].bytes
    instance.withSession { $0.computedBytes &+= difference }
    instance.outputs[index] = json
  }

  @inline(never)
  private func textBytes(_ text: borrowing String) -> Int { JSON.string(copy text).approximateBytes }

  /// Notes an output before it changes.
  @inline(__always)
  private func noteOutput(_ index: Int, _ old: consuming JSON?, in instance: Instance) {
    if _slowPath(instance.template != 0) { return noteOutputInRow(index, old, instance) }
    note(Int(instance.tables.pointee.firstOutputCell) &+ index, DocumentValue(old))
  }

  @inline(never)
  private func noteOutputInRow(_ index: Int, _ old: JSON?, _ instance: Instance) {
    guard let row = instance.row else { return }
    note(row.cell(ofOutput: index), of: row, DocumentValue(old))
  }

  @inline(never)
  private func markRowOutput(_ index: Int, _ instance: Instance) {
    if let row = instance.row { rowWork.outputChanged(index, in: row) }
  }

  /// Gathers the values of an output in all rows that count.
  func computeColumn(_ index: Int, _ instance: Instance) -> FactSet {
    let output = instance.form.slots.columns[index].output
    let template = instance.tables.pointee.templates[instance.form.outputs[output].template]
    let list = Int(template.parent) == instance.template ? instance.list(of: Int(template.list)) : nil
    if let list, list.gatheredColumns.contains(index) { return updateColumn(index, of: list, output) }
    list?.gatheredColumns.append(index)
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
    return store(.list(values), in: instance.tables.pointee.columnSlots[index], of: instance) ? .column : .none
  }

  /// Updates a column when only values in some rows of the list have changed.
  private func updateColumn(_ index: Int, of list: RowList, _ output: Int) -> FactSet {
    let slot = Int(list.owner.tables.pointee.outputs[output].slot)
    let column = list.owner.slots.at(Int(list.owner.tables.pointee.columnSlots[index]))
    // The values are taken out, so that they are not copied.
    var values = ListValue()
    if case .list(let all) = column.exchange(.null) { values = all }
    var changed = FactSet.none
    for row in rowWork.changedOutputs[output] where row.list === list && !row.isGone && row.counts {
      if values[row.index] == row.slots[slot] { continue }
      values[row.index] = row.slots[slot]
      changed = .column
    }
    column.initialize(to: .list(values))
    return changed
  }

  /// Copies a value of the row above for the formulas of a row.
  func computeAbove(_ index: Int, _ instance: Instance) -> FactSet {
    guard let row = instance.row else { return .none }
    let (field, slot) = row.form.slots.aboves[index]
    let source = Int(row.tables.pointee.fields[field].valueSlot)
    let value = row.list.row(above: row).map { $0.slots[source] } ?? .null
    return store(value, in: row.form.slots.offset(slot), of: row) ? .above : .none
  }
}
