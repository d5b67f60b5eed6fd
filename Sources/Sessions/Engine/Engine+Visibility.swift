internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON

/// The formulas of a field decide whether it is shown, whether it takes input, and whether it needs a value.
extension Engine {
  func computeVisible(_ field: Int, _ instance: Instance) {
    let definition = instance.form.fields[field]
    if let visible = definition.visible, instance.template != 0, definition.list != nil {
      storeMembers(readBy: visible, in: instance)
    }
    let isVisible =
      isShown(around: LiveField(field, in: instance)) && isInShownStep(field, instance)
      && definition.visible.map { isTrue($0, in: instance) } ?? true
    guard set(.isVisible, of: field, to: isVisible, in: instance) else { return }
    forgetAllValues()
    if definition.clearsWhenHidden { noteVisibility(isVisible, of: LiveField(field, in: instance)) }
    if let row = instance.row, field == row.element {
      row.list.isIndexStale = true
      row.list.gatheredColumns = []
      changed(.rows, ofField: row.list.field, in: row.list.owner)
    }
  }

  /// Stores the members of a row that decide whether the row is shown. In a row that is hidden, other formulas read
  /// them as absent.
  private func storeMembers(readBy formula: Formula, in row: Instance) {
    for field in formula.readFields where row.form.fields[field].template == row.template {
      let slot = row.form.slots.offset(row.form.slots.stored[field])
      guard slot >= 0 else { continue }
      let type = row.tables.pointee.fields[field].type
      let value = row.fields[field].value.flatMap { type.mayRead($0) ? type.value(of: $0) : nil }
      _ = store(value ?? .null, in: slot, of: row)
    }
  }

  /// Whether everything around a field is shown.
  func isShown(around live: LiveField) -> Bool {
    live.around.map { $0.state.pointee.flags.contains(.isVisible) } ?? true
  }

  func computeEnabled(_ field: Int, _ instance: Instance) {
    let around = LiveField(field, in: instance).around
    let isOpen = around.map { $0.state.pointee.flags.contains(.isEnabled) } ?? true
    let definition = instance.form.fields[field]
    var isEnabled = isOpen && !definition.isReadOnly
    var reason = isOpen ? nil : around.flatMap { $0.instance.reason(of: $0.field) }
    if isEnabled, let formula = definition.enabled { (isEnabled, reason) = isTrueOrReason(formula, in: instance) }
    let isOther = set(reason: reason, of: field, in: instance)
    // The fields inside have the same reason.
    if !set(.isEnabled, of: field, to: isEnabled, in: instance), isOther {
      changed(.isEnabled, ofField: field, in: instance)
    }
  }

  func computeRequired(_ field: Int, _ instance: Instance) {
    let definition = instance.form.fields[field]
    let state = instance.fields.at(field)
    let isRequiredByFormula = definition.required.map { isTrue($0, in: instance) } ?? false
    let before = state.pointee.flags
    if isRequiredByFormula {
      state.pointee.flags.insert(.isRequiredByFormula)
    } else {
      state.pointee.flags.remove(.isRequiredByFormula)
    }
    let isOther = state.pointee.flags != before
    let isRequired = definition.isRequiredBySchema || isRequiredByFormula
    // Errors depend on what requires the value, too.
    if !set(.isRequired, of: field, to: isRequired, in: instance), isOther {
      changed(.isRequired, ofField: field, in: instance)
    }
  }
}
