internal import CEL
internal import Forms
internal import JSON

/// The slots that formulas read, and the evaluation of formulas over them.
extension Engine {
  /// Stores a value that formulas read. Returns whether it differs from the one before.
  @inline(__always)
  func store(_ value: consuming Value, in slot: Int32, of instance: Instance) -> Bool {
    let storage = instance.slots.at(Int(slot))
    if storage.borrowed.pointee.content == value { return false }
    storage.pointee = value
    return true
  }

  /// Stores a Boolean that has changed, if formulas read it.
  @inline(__always)
  func store(_ flag: Bool, in slot: Int32, of instance: Instance) {
    // Such a slot only holds Booleans, so nothing has to be released.
    if slot >= 0 { instance.slots.at(Int(slot)).initialize(to: .bool(flag)) }
  }

  /// The values that formulas of a form's top level read, by slot.
  @inline(__always)
  func slotValues(of instance: Instance) -> SlotValues {
    instance.slots.read(count: Int(instance.tables.pointee.slotCount))
  }

  @inline(__always)
  func evaluate(_ formula: Formula, in instance: Instance) -> Value {
    counters.evaluated()
    if _slowPath(instance.template != 0) { return evaluate(formula, inRow: instance) }
    return formula.evaluate(slotValues(of: instance), budget: &budget)
  }

  /// The result of a formula of a row. It may read values of the row, and of all rows and the form around it.
  @inline(never)
  func evaluate(_ formula: Formula, inRow instance: Instance) -> Value {
    withSlotValues(readBy: formula, in: instance) { formula.evaluate($0, budget: &budget) }
  }

  /// Evaluates a formula of the form's tables. The instance keeps the form, and so the formula, alive.
  @inline(__always)
  func evaluate(_ formula: FormulaReference, in instance: Instance) -> Value {
    formula.with { evaluate($0, in: instance) }
  }

  /// Calls with the values that a formula reads, by slot.
  ///
  /// - Parameters:
  ///   - response: the content of ``SlotTable/response``.
  ///   - previous: the content of ``SlotTable/previous``.
  func withSlotValues<Result>(
    readBy formula: Formula,
    in instance: Instance,
    response: Value = .null,
    previous: Value = .null,
    _ body: (SlotValues) -> Result
  ) -> Result {
    let tables = instance.tables
    let slotCount = Int(tables.pointee.slotCount)
    if gathered.count < slotCount { gathered = [Value](repeating: .null, count: slotCount) }
    for slot in formula.reads {
      let owner = instance.instance(of: Int(tables.pointee.slotTemplates[slot]))
      gathered[slot] = owner.slots[Int(tables.pointee.slotOffsets[slot])]
    }
    gathered[SlotTable.response] = response
    gathered[SlotTable.previous] = previous
    defer {
      for slot in formula.reads { gathered[slot] = .null }
      gathered[SlotTable.response] = .null
      gathered[SlotTable.previous] = .null
    }
    return SlotValues.with(gathered, body)
  }

  /// The storage of a formula's result, if it is a text that is in memory already. The storage is valid until a
  /// value that the formula reads changes.
  @inline(__always)
  func storage(of formula: Formula, in instance: Instance) -> Reference<Value>? {
    // The values that a row's formula reads are gathered, and are together only while it is evaluated.
    if _slowPath(instance.template != 0) { return nil }
    return formula.storage(slotValues(of: instance), budget: &budget)
  }

  @inline(__always)
  func condition(_ formula: Formula, in instance: Instance) -> Condition {
    counters.evaluated()
    if _slowPath(instance.template != 0) { return condition(formula, inRow: instance) }
    return formula.condition(slotValues(of: instance), budget: &budget)
  }

  @inline(never)
  func condition(_ formula: Formula, inRow instance: Instance) -> Condition {
    withSlotValues(readBy: formula, in: instance) { formula.condition($0, budget: &budget) }
  }

  /// Whether a condition holds. An absent condition does not hold. A condition with a run-time error does not hold
  /// either, and is reported.
  @inline(__always)
  func isTrue(_ formula: Formula, in instance: Instance) -> Bool {
    switch condition(formula, in: instance) {
    case .yes: return true
    case .no, .absent: return false
    case .noTruth(let value):
      report(formula, value, in: instance)
      return false
    }
  }
}
