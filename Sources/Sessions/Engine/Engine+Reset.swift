internal import DocumentProperties
internal import Forms
internal import JSON

/// The reset to the initial values.
extension Engine {
  /// Puts the session back to its beginning. Effects are cancelled. Results, errors and flags of editing go. The
  /// revision goes on.
  func reset(_ session: Session, keepValues: Bool) {
    flushAll(session)
    session.flags.insert(.isResetting)
    if session.tables.pointee.tracksUserChanges { keepHiddenFields() }
    session.madeMarks?.isWhole = true
    cancelEverything(in: session)
    forgetFormServerErrors(in: session) { _ in true }
    if keepValues {
      if let extras = session.extras, extras.otherMembers.now != nil || extras.otherMembers.initial != nil {
        session.valueBytes +=
          extras.otherMembers.now.map { JSON.object($0) }.bytes
          - extras.otherMembers.initial.map { JSON.object($0) }.bytes
        extras.otherMembers.initial = extras.otherMembers.now
        updateFormDirty(session)
      }
    } else {
      let (now, initial) = session.extras?.otherMembers ?? (nil, nil)
      JSONObject.forEachDifference(now, initial) { tell(.member($0)) }
      setOtherMembers(session.extras?.otherMembers.initial, in: session)
    }
    if keepValues { keepRows(of: session) }
    endAllFocus(in: session)
    reset(session, keepValues: keepValues, isTold: false)
    if keepValues { initialValuesChanged(in: session) }
    for action in session.form.actions.indices { resetAction(action, of: session) }
    if !keepValues, !session.form.steps.isEmpty { choose(0, in: session) }
  }

  /// Puts an object back: it is removed if it was null in the beginning. If values are kept, this is the beginning.
  private func resetRemoved(_ field: Int, keepValues: Bool, in instance: Instance) {
    let flags = instance.fields[field].flags
    if keepValues {
      instance.fields[field].flags.remove(.beganRemoved)
      if flags.contains(.isRemoved) { instance.fields[field].flags.insert(.beganRemoved) }
    } else if flags.contains(.isRemoved) != flags.contains(.beganRemoved) {
      willChange(field, in: instance)
      instance.fields[field].flags.formSymmetricDifference(.isRemoved)
      changed(.ownValue, ofField: field, in: instance)
    }
  }

  /// Puts the fields of an instance, and its rows, back to their beginning.
  ///
  /// - Parameters:
  ///   - fields: some fields of the instance; nil for all of them.
  ///   - isTold: whether the client gets a list around it as a whole.
  func reset(_ instance: Instance, fields: Range<Int>? = nil, keepValues: Bool, isTold: Bool) {
    let fields = fields ?? instance.ownFields
    for field in (instance.instanceExtras?.serverErrors ?? [:]).keys where fields.contains(field) {
      setServerErrors(of: field, in: instance) { $0 = [] }
    }
    if let instanceExtras = instance.instanceExtras, !instanceExtras.delays.isEmpty {
      instanceExtras.delays = instanceExtras.delays.filter { !fields.contains($0.key) }
    }
    let moved = keepValues ? [] : resetRows(of: instance, lists: fields)
    // The fields before this index are inside an object that the client gets as a whole.
    var toldEnd = isTold ? Int.max : 0
    if keepValues, instance.template != 0 { instance.forgetInitialValues() }
    for field in fields {
      let state = instance.fields.at(field)
      if keepValues {
        if instance.form.fields[field].mayFollow {
          keepFollowing(field, in: instance)
        } else if instance.template == 0 {
          instance.setInitialValue(state.pointee.value, of: field)
        }
        updateDirty(field, of: instance)
        // A disabled choice is not an error in the beginning.
        if instance.form.fields[field].judgesChoices { changed(.isDirty, ofField: field, in: instance) }
      } else if state.pointee.flags.contains(.beganFollowing) {
        follow(field, in: instance)
      } else if setValue(instance.initialValue(of: field), of: field, in: instance) || moved.contains(field) {
        state.pointee.flags.insert(.hasMoved)
        if field >= toldEnd { tell(ValueID(field, in: instance)) }
        if instance.form.fields[field].unit != nil { toldEnd = max(toldEnd, instance.form.fields[field].end) }
      }
      if !keepValues, instance.instanceExtras?.inputTexts[field] != nil { forgetTyped(field, in: instance) }
      resetRemoved(field, keepValues: keepValues, in: instance)
      forgetAttention(field, in: instance)
      guard instance.isList(field) else { continue }
      for row in instance.list(of: field).rows {
        reset(row, keepValues: keepValues, isTold: field < toldEnd || moved.contains(field))
      }
    }
    if !keepValues, instance.template != 0 { for field in fields { instance.forgetInitialValue(of: field) } }
  }

  /// A field is as if nobody had been in it.
  func forgetAttention(_ field: Int, in instance: Instance) {
    set(.isEdited, of: field, to: false, in: instance)
    set(.isFocused, of: field, to: false, in: instance)
    if set(.isTouched, of: field, to: false, in: instance), let step = instance.form.fields[field].step {
      countTouched(false, inStep: step, instance.session)
    }
    instance.fields[field].flags.subtract([.isComposing, .revealsNow, .isRevealed, .hasBeenRecomputed])
    markForSnapshot(field, in: instance)
    changed(.attention, ofField: field, in: instance)
  }

  /// Puts one field back to its beginning, with all fields inside it. Their checks forget their answers. A field that
  /// cannot have a value, because a value around it is not an object, stays as it is.
  func reset(_ live: LiveField) {
    let (field, instance) = (live.field, live.instance)
    guard instance.isReachable(field) else { return }
    flush(field: field, of: instance)
    instance.forEachField(from: field) { inner in
      instance.session.extras?.timers.set(.field(row: inner.instance.rowID, field: inner.field), to: nil)
      for check in inner.instance.form.fields[inner.field].checks where inner.instance.instanceExtras != nil {
        stopCheck(check, of: inner.instance)
        changed(.progress, ofCheck: check, in: inner.instance)
      }
    }
    abandonFocus(live)
    reset(instance, fields: field..<Int(instance.tables.pointee.fields[field].end), keepValues: false, isTold: false)
    if instance.hasValue(field) { replaceEmpties(above: field, in: instance) }
    forgetServerErrors(about: field, in: instance)
  }
}
