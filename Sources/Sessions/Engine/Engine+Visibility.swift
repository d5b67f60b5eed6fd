internal import DocumentProperties
internal import Forms

/// The formulas of a field decide whether it is shown, whether it takes input, and whether it needs a value.
extension Engine {
  func computeVisible(_ field: Int, _ instance: Instance) {
    let isVisible =
      isShown(around: LiveField(field, in: instance)) && isInShownStep(field, instance)
      && instance.form.fields[field].visible.map { isTrue($0, in: instance) } ?? true
    guard set(.isVisible, of: field, to: isVisible, in: instance) else { return }
    forgetAllValues()
    if let row = instance.row, field == row.element {
      row.list.isIndexStale = true
      row.list.gatheredColumns = []
      changed(.rows, ofField: row.list.field, in: row.list.owner)
    }
  }

  /// Whether everything around a field is shown.
  func isShown(around live: LiveField) -> Bool {
    live.around.map { $0.state.pointee.flags.contains(.isVisible) } ?? true
  }

  func computeEnabled(_ field: Int, _ instance: Instance) {
    let isOpen = LiveField(field, in: instance).around.map { $0.state.pointee.flags.contains(.isEnabled) } ?? true
    let definition = instance.form.fields[field]
    let isEnabled =
      isOpen && !definition.isReadOnly && definition.enabled.map { isTrue($0, in: instance) } ?? true
    set(.isEnabled, of: field, to: isEnabled, in: instance)
  }

  func computeRequired(_ field: Int, _ instance: Instance) {
    let definition = instance.form.fields[field]
    let state = instance.fields + field
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
