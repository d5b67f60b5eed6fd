internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON

/// The values of fields as formulas read them, and whether a field is empty.
extension Engine {
  @inline(__always)
  func computeValue(_ field: Int, _ instance: Instance) -> FactSet {
    let tables = instance.tables
    let entry = tables.pointee.fields.at(field)
    let state = instance.fields.at(field)
    let before = state.pointee.flags
    let value = instance.storage(ofValue: field)
    // A field with fields below it has a value while a field below it has one.
    let hasNoValue =
      value.borrowed.pointee.isNil()
      && (!entry.hasFieldsBelow || instance.sums[Int(entry.pointee.sums)].empty == entry.pointee.childCount)
    let isEmpty = !before.contains(.isVisible) || hasNoValue
    // It is computed only when its own value, a value below it, or its visibility has changed.
    var changed: FactSet = entry.pointee.isContentRead ? .content : .none

    var hasWrongType = false
    if !isEmpty, entry.pointee.property >= 0, _slowPath(!isValidBySchema(field, entry, instance)) {
      let errorsDiffer: Bool
      (errorsDiffer, hasWrongType) = judgeBySchema(field, instance)
      if errorsDiffer { changed |= .schemaErrors }
    } else if _slowPath(!state.pointee.schemaErrors.isEmpty) {
      state.pointee.schemaErrors = .none
      changed |= .schemaErrors
    }
    let readsAsAbsent = isEmpty || hasWrongType
    if readsAsAbsent != before.contains(.readsAsAbsent) {
      state.pointee.flags.formSymmetricDifference(.readsAsAbsent)
      changed |= .isEmpty
    }
    if isEmpty != before.contains(.isEmpty) {
      set(.isEmpty, of: field, to: isEmpty, in: instance)
      if entry.pointee.parent >= 0 { countEmpty(isEmpty, in: Int(entry.pointee.parent), instance) }
    }
    if entry.pointee.valueSlot >= 0, storeValue(of: field, entry, isAbsent: readsAsAbsent, instance) {
      changed |= .value
    }
    if _slowPath(entry.pointee.tellsText) { updateInputText(field, in: instance) }
    return changed
  }

  /// Stores a field's value for formulas. Returns whether it differs from before.
  @inline(__always)
  private func storeValue(
    of field: Int,
    _ entry: Reference<FormTables.FieldEntry>,
    isAbsent: Bool,
    _ instance: Instance
  ) -> Bool {
    let slot = entry.pointee.valueSlot
    if isAbsent { return store(.null, in: slot, of: instance) }
    if _slowPath(entry.hasFieldsBelow) { return storeWhole(of: field, in: slot, instance) }
    let value = instance.storage(ofValue: field)
    // A text is computed when it has changed or appears, so it is not compared.
    let isText: Void? = value.borrowed.pointee.withText { instance.slots.at(Int(slot)).pointee = .string(copy $0) }
    return isText != nil || storeOther(value, entry, instance)
  }

  /// Stores the value of a field with fields below it.
  @inline(never)
  private func storeWhole(of field: Int, in slot: Int32, _ instance: Instance) -> Bool {
    let whole = instance.value(of: field, .shown).map { Value($0) } ?? .null
    return store(whole, in: slot, of: instance)
  }

  /// Stores a value that is not a text.
  @inline(never)
  private func storeOther(
    _ value: Reference<JSON?>,
    _ entry: Reference<FormTables.FieldEntry>,
    _ instance: Instance
  ) -> Bool {
    store(value.pointee.map { entry.pointee.type.value(of: $0) } ?? .null, in: entry.pointee.valueSlot, of: instance)
  }

  private func countEmpty(_ isEmpty: Bool, in parent: Int, _ instance: Instance) {
    instance.sums[Int(instance.tables.pointee.fields[parent].sums)].empty &+= isEmpty ? 1 : -1
  }
}

extension FieldType {
  /// Whether formulas can read such a value of a field. A value of a wrong type reads as absent.
  func mayRead(_ value: JSON) -> Bool {
    switch (self, value) {
    case (.dynamic, _), (.string, .string), (.bool, .bool), (.list, .array), (.integer, .integer): true
    case (.integer, .real(let number)): Int64(exactly: number) != nil
    case (.number, .integer), (.number, .real), (.number, .decimal): true
    case (.string, _), (.bool, _), (.list, _), (.integer, _), (.number, _): false
    }
  }

  /// The value for formulas that a JSON value gives. It fits the schema's type.
  @inline(__always)
  func value(of json: JSON) -> Value {
    switch (self, json) {
    case (_, .string(let text)): .string(text)
    case (.number, .integer(let number)): .double(Double(number))
    case (.integer, .real(let number)): Int64(exactly: number).map { .int($0) } ?? .double(number)
    default: Value(json)
    }
  }
}
