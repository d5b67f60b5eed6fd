internal import DocumentProperties
internal import Forms
internal import JSON

/// Which fields users are in. A session that several clients share has a user for each client (``Presences``). A field
/// is focused while any user is in it, and each user leaves it separately.
extension Engine {
  // MARK: Coming

  /// A second client joins a session that one client has had alone. From now on the caller names the client that sends
  /// an input (``sender``). Focused fields and delayed values belong to the first client.
  package func share(_ session: Session, by first: Sender) {
    session.forEachField { live in
      if live.state.pointee.flags.contains(.isFocused) {
        changePresences(of: session) { $0.came(first, to: live) }
      }
      live.instance.instanceExtras?.delays[live.field]?.changeHeld { $0.sent(by: first) }
    }
  }

  /// The user has changed a field: it is focused and edited, and so are the fields around it.
  func focusAndMarkEdited(_ field: Int, in instance: Instance) {
    beginFocus(field, of: instance)
    markEdited(field, in: instance)
  }

  func markEdited(_ field: Int, in instance: Instance) {
    var next: LiveField? = LiveField(field, in: instance)
    while let live = next, set(.isEdited, of: live.field, to: true, in: live.instance) { next = live.around }
  }

  /// The user is in a field, and so also in the fields around it.
  func beginFocus(_ field: Int, of instance: Instance) {
    notePresence(of: LiveField(field, in: instance))
    var next: LiveField? = LiveField(field, in: instance)
    while let live = next, setFocused(true, live) {
      next = live.around
      if let next { next.sums.pointee.focused &+= 1 }
    }
  }

  /// Notes which client is in a field, if the caller names the sender.
  func notePresence(of live: LiveField) {
    guard let sender, sender != .nobody else { return }
    changePresences(of: live.instance.session) { $0.came(sender, to: live) }
  }

  /// The presences count as memory of the session.
  private func changePresences(of session: Session, _ change: (inout Presences) -> Void) {
    let extras = session.madeExtras
    let before = extras.presences.bytes
    change(&extras.presences)
    session.computedBytes += extras.presences.bytes - before
  }

  /// From now on no client is in any field.
  private func forgetPresences(of session: Session) {
    if session.extras?.presences.isEmpty == false { changePresences(of: session) { $0 = Presences() } }
  }

  // MARK: Leaving

  /// The user has left a field and all fields below it. They are touched, unless another user is still in them.
  ///
  /// - Returns: whether the field has no user any more.
  @discardableResult
  func endFocus(_ field: Int, of instance: Instance) -> Bool {
    if instance.tables.pointee.fields.at(field).hasFieldsBelow {
      var focused: [LiveField] = []
      instance.forEachField(from: field) { live in
        guard live.field != field || live.instance !== instance else { return }
        if live.state.pointee.flags.contains(.isFocused) {
          focused.append(live)
        } else if live.state.pointee.flags.remove(.isComposing) != nil {
          // A field of a row that was composed as a whole. No user has entered the field.
          markForSnapshot(live.field, in: live.instance)
          changed(.attention, ofField: live.field, in: live.instance)
        }
      }
      for live in focused.reversed() { leave(live) }
    }
    return leave(LiveField(field, in: instance))
  }

  /// The sender of the input detaches. Its delayed values take effect, and it leaves its fields.
  ///
  /// - Parameter isLast: whether no client has the session any more. If so, all fields are left.
  func leaveAll(_ session: Session, isLast: Bool) {
    var held: [LiveField] = []
    if session.extras?.timers.hasFields ?? false {
      session.forEachField { live in
        guard let changes = live.instance.instanceExtras?.delays[live.field]?.held else { return }
        if isLast || changes.all.contains(where: { $0.sender == sender }) { held.append(live) }
      }
    }
    flush(held)
    var inside: [LiveField] = []
    session.forEachField { live in
      guard live.state.pointee.flags.contains(.isFocused) else { return }
      if isLast || session.extras?.presences.isFocused(live, by: sender) ?? false { inside.append(live) }
    }
    if isLast { forgetPresences(of: session) }
    fieldsLeft(inside.reversed().filter { leave($0) })
  }

  /// The user has left a field: it is touched, unless another user is in it.
  ///
  /// - Returns: whether the field has no user any more.
  @discardableResult
  private func leave(_ live: LiveField) -> Bool {
    let (field, instance) = (live.field, live.instance)
    if let sender, let extras = instance.session.extras, !extras.presences.isEmpty {
      changePresences(of: instance.session) { $0.left(sender, live) }
      if extras.presences.isFocused(live) { return false }
    }
    instance.fields[field].flags.remove(.isComposing)
    markForSnapshot(field, in: instance)
    changed(.attention, ofField: field, in: instance)
    if setFocused(false, live), let around = live.around { endFocus(below: around) }
    touch(field, of: instance)
    return true
  }

  /// A field right below another is not focused any more. The other is not focused either, if it has no user and no
  /// focused field below it.
  private func endFocus(below live: LiveField) {
    live.sums.pointee.focused &-= 1
    guard live.sums.pointee.focused == 0, !(live.instance.session.extras?.presences.isFocused(live) ?? false),
      setFocused(false, live), let around = live.around
    else { return }
    endFocus(below: around)
  }

  /// A row with a user in it goes: the user is no longer in it.
  func endFocus(in row: Row) {
    if let extras = row.session.extras, !extras.presences.isEmpty {
      changePresences(of: row.session) { presences in
        presences.allLeft(LiveField(row.element, in: row))
        row.forEachField { if $0.state.pointee.flags.contains(.isFocused) { presences.allLeft($0) } }
      }
    }
    endFocus(below: LiveField(row.list.field, in: row.list.owner))
  }

  /// No client is in a field any more, or in a field inside it. Nothing is touched by that.
  func abandonFocus(_ live: LiveField) {
    let wasFocused = live.state.pointee.flags.contains(.isFocused)
    if let extras = live.instance.session.extras, !extras.presences.isEmpty {
      changePresences(of: live.instance.session) { presences in
        live.instance.forEachField(from: live.field) { presences.allLeft($0) }
      }
    }
    live.instance.forEachField(from: live.field) { inner in
      set(.isFocused, of: inner.field, to: false, in: inner.instance)
      if inner.instance.tables.pointee.fields.at(inner.field).hasFieldsBelow { inner.sums.pointee.focused = 0 }
    }
    if wasFocused, let around = live.around { endFocus(below: around) }
  }

  /// No field is focused any more. This is called before rows go, because each row would end the focus around it.
  func endAllFocus(in session: Session) {
    forgetPresences(of: session)
    session.forEachInstance { instance in
      for field in instance.ownFields { set(.isFocused, of: field, to: false, in: instance) }
      for index in 0..<Int(instance.tables.pointee.templates[instance.template].sumsCount) {
        instance.sums[index].focused = 0
      }
    }
  }

  // MARK: Flags

  /// The user enters a field or leaves it. Returns whether that is new.
  private func setFocused(_ isFocused: Bool, _ live: LiveField) -> Bool {
    guard set(.isFocused, of: live.field, to: isFocused, in: live.instance) else { return false }
    changed(.attention, ofField: live.field, in: live.instance)
    return true
  }

  /// The user has left a field for the first time, and so also every field around it.
  func touch(_ field: Int, of instance: Instance) {
    var next: LiveField? = LiveField(field, in: instance)
    while let live = next, set(.isTouched, of: live.field, to: true, in: live.instance) {
      let step = live.instance.tables.pointee.fields[live.field].step
      if step >= 0 { countTouched(true, inStep: Int(step), live.instance.session) }
      next = live.around
    }
  }
}
