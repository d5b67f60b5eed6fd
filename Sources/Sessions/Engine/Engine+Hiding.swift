internal import DocumentProperties
internal import Forms
internal import JSON

/// Fields with `whenHidden: clear` lose their values when they become hidden.
///
/// ``computeVisible(_:_:)`` notes such a field. When nothing is stale any more, and no field is left to be reset, the
/// noted fields that are still hidden are cleared, and what depends on them is computed. A value that is hidden from
/// the beginning stays: in a session that is opened or goes back to its beginning, and in a new row.
extension Engine {
  /// A field that is cleared when it is hidden is shown or hidden from now on.
  func noteVisibility(_ isVisible: Bool, of live: LiveField) {
    if isOpening || live.instance.row?.isNew ?? false { return }
    renewTurnResets()
    let wasShown = turnResets.wasShown[ValueID(live)] ?? !isVisible
    turnResets.wasShown[ValueID(live)] = wasShown
    guard wasShown, !isVisible else { return }
    turnResets.hidden.append(live)
    hasLeftovers = true
  }

  /// The session goes back to its beginning. The fields that are hidden in the beginning keep their values.
  func keepHiddenFields() {
    renewTurnResets()
    turnResets.keepsHidden = true
  }

  /// Clears the fields that the turn has hidden, as far as they still are hidden.
  func clearHiddenFields() {
    let hidden = turnResets.hidden.filter { !$0.state.pointee.flags.contains(.isVisible) }
    turnResets.hidden = []
    if turnResets.keepsHidden { return }
    func isThere(_ live: LiveField) -> Bool { !(live.instance.row?.isGone ?? false) }
    for live in hidden where isThere(live) { clear(live) }
    // From the inside outwards: a field is touched and edited as long as a field below it is.
    for live in hidden.reversed() where isThere(live) { forgetAttention(of: live) }
  }

  /// A cleared field is neither touched nor edited, unless a field below it keeps its state.
  private func forgetAttention(of live: LiveField) {
    var below: FieldFlags = []
    live.instance.forEachField(from: live.field) { inner in
      if inner.field != live.field || inner.instance !== live.instance { below.formUnion(inner.state.pointee.flags) }
    }
    let kept = live.state.pointee.flags.intersection(below).intersection([.isTouched, .isEdited])
    if kept.isEmpty { forgetAttention(live.field, in: live.instance) }
  }

  /// Clears one field. The fields below it follow their own policies, but the rows of a list go with the list. A row of
  /// members stays a row.
  private func clear(_ live: LiveField) {
    let (field, instance) = (live.field, live.instance)
    flush(field: field, of: instance)
    instance.session.extras?.timers.set(.field(row: instance.rowID, field: field), to: nil)
    instance.instanceExtras?.delays[field] = nil
    abandonFocus(live)
    if live.state.pointee.flags.contains(.beganFollowing) {
      follow(field, in: instance)
    } else if instance.row?.element != field || instance.form.fields[field].unit == nil, setDefault(of: live) {
      live.state.pointee.flags.insert(.hasMoved)
      tell(ValueID(field, in: instance))
    }
    if instance.hasValue(field) { replaceEmpties(above: field, in: instance) }
    forgetServerErrors(about: field, in: instance)
    if instance.instanceExtras?.inputTexts[field] != nil { forgetTyped(field, in: instance) }
  }

  /// Gives a field the value that the schema gives it: its default, or none.
  ///
  /// - Returns: whether the field had another value.
  private func setDefault(of live: LiveField) -> Bool {
    let (field, instance) = (live.field, live.instance)
    let definition = instance.form.fields[field]
    let mayHaveValue = instance.isInsideOfObjects(field) && !instance.isInsideRemoved(field)
    if instance.isList(field) {
      let before = instance.value(of: field)
      let list = instance.list(of: field)
      // No row stays the same row.
      applyWholeList(nil, of: list, origin: .program, isComposing: false)
      if mayHaveValue { applyWholeList(definition.initial, of: list, origin: .program, isComposing: false) }
      return !before.isIdentical(to: instance.value(of: field))
    }
    guard definition.unit == nil else {
      if live.state.pointee.flags.contains(.isRemoved) { willChange(field, in: instance) }
      let wasRemoved = live.state.pointee.flags.remove(.isRemoved) != nil
      if wasRemoved { changed(.ownValue, ofField: field, in: instance) }
      return setValue(mayHaveValue ? definition.ownInitial : nil, of: field, in: instance)
    }
    let value = mayHaveValue ? instance.normalized(definition.initial, for: field, budget: &budget) : nil
    return setValue(value, of: field, in: instance)
  }
}
