internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON

/// Values take effect.
extension Engine {
  // MARK: Taking effect

  func applyChange(_ change: FieldChange, origin: Origin, isComposing: Bool, in instance: Instance) {
    if _slowPath(instance.tables.pointee.hasDependents), !origin.mayChangeReadOnly {
      return applyUserChange(change, origin: origin, isComposing: isComposing, in: instance)
    }
    _ = putIntoEffect(change, origin: origin, isComposing: isComposing, in: instance)
  }

  /// A change of the user, in a form in which it may have further consequences.
  private func applyUserChange(_ change: FieldChange, origin: Origin, isComposing: Bool, in instance: Instance) {
    let session = instance.session
    recordEdit(in: session, typing: change) {
      if putIntoEffect(change, origin: origin, isComposing: isComposing, in: instance) {
        noteUser(
          change.field == FieldChange.root ? .member(change.path[0]) : ValueID(change.field, in: instance),
          in: session
        )
      }
    }
  }

  /// A change takes effect. Returns whether it could.
  @inline(__always)
  private func putIntoEffect(_ change: FieldChange, origin: Origin, isComposing: Bool, in instance: Instance) -> Bool {
    let field = change.field
    guard field != FieldChange.root else { return applyToRoot(change, in: instance.session) }
    guard instance.isReachable(field), !change.isTooDeep, !instance.form.fields[field].isComputed,
      origin.mayChangeReadOnly || !instance.form.fields[field].isReadOnly
    else { return false }
    if instance.tables.pointee.fields.at(field).hasFieldsBelow {
      guard applyToObject(change, origin: origin, isComposing: isComposing, in: instance) else { return false }
    } else if change.path.isEmpty {
      applyValue(
        instance.normalized(change.value, for: field, budget: &budget),
        of: field,
        origin: origin,
        isComposing: isComposing,
        in: instance
      )
      if _slowPath(instance.tables.pointee.fields[field].tellsText) { noteTyped(change.value, field, in: instance) }
    } else {
      guard var whole = instance.whole(of: field, from: instance.fields[field].value),
        whole.set(change.value, at: change.path[...])
      else { return false }
      let value = instance.normalized(whole, for: field, budget: &budget)
      applyValue(value, of: field, origin: origin, isComposing: isComposing, in: instance)
    }
    if instance.hasValue(field) { replaceEmpties(above: field, in: instance) }
    return true
  }

  /// Sets the whole value of a field with fields below it, or a member that is not a field.
  ///
  /// - Returns: whether there is such a member.
  private func applyToObject(_ change: FieldChange, origin: Origin, isComposing: Bool, in instance: Instance) -> Bool {
    let field = change.field
    if change.path.isEmpty {
      // Delayed values below it would take effect later and undo this change.
      flush(field: field, of: instance)
      applyWhole(change.value, of: field, origin: origin, isComposing: isComposing, in: instance)
      if change.value == nil, !instance.isList(field) { setRemoved(true, field, in: instance) }
    } else if instance.isList(field) {
      // There is nothing to remove behind the last row.
      guard change.path == ["-"], let value = change.value else { return false }
      insert([value], into: instance.list(of: field), at: .max, origin: origin, isComposing: isComposing)
    } else if let others = instance.others(instance.fields[field].value, after: change) {
      let hasChanged = setValue(others, of: field, in: instance)
      if hasChanged { noteObjectChange(field, origin: origin, in: instance) }
      setComposing(isComposing, of: field, hasChanged: hasChanged, in: instance)
    } else {
      return false
    }
    return true
  }

  /// Sets the whole value of a field. If an input method composes it, the fields below it whose values change are being
  /// composed.
  func applyWhole(_ value: JSON?, of field: Int, origin: Origin, isComposing: Bool, in instance: Instance) {
    if instance.form.fields[field].isReadOnly, !origin.mayChangeReadOnly {
      return keepReadOnly(field, insteadOf: value, in: instance)
    }
    guard instance.tables.pointee.fields.at(field).hasFieldsBelow else {
      let normalized =
        instance.fields[field].flags.contains(.follows)
        ? self.value(from: value, for: field, in: instance)
        : instance.normalized(value, for: field, budget: &budget)
      let isComposed =
        isComposing
        && (instance.fields[field].flags.contains(.isComposing)
          || !normalized.isIdentical(to: instance.fields[field].value))
      return applyValue(normalized, of: field, origin: origin, isComposing: isComposed, in: instance)
    }
    if !instance.isList(field) { setRemoved(value == .null, field, in: instance) }
    changeObject(field, origin: origin, in: instance) {
      if instance.isList(field) {
        return applyWholeList(value, of: instance.list(of: field), origin: origin, isComposing: isComposing)
      }
      let members = value?.objectValue
      for child in instance.form.children(of: field) {
        let member = members?[instance.form.fields[child].name]
        applyWhole(member, of: child, origin: origin, isComposing: isComposing, in: instance)
      }
      let own = instance.ownPart(of: value, for: field, hasMembers: instance.hasMembers(field))
      let hasChanged = setValue(own, of: field, in: instance)
      let isComposed = isComposing && (hasChanged || instance.fields[field].flags.contains(.isComposing))
      setComposing(isComposed, of: field, hasChanged: hasChanged, in: instance)
    }
  }

  /// An input removes an object, or gives it a value.
  func setRemoved(_ isRemoved: Bool, _ field: Int, in instance: Instance) {
    guard instance.fields[field].flags.contains(.isRemoved) != isRemoved else { return }
    willChange(field, in: instance)
    instance.fields[field].flags.formSymmetricDifference(.isRemoved)
    changed(.ownValue, ofField: field, in: instance)
  }

  /// An input method composes a field's members that are not fields, or does so no longer.
  private func setComposing(_ isComposing: Bool, of field: Int, hasChanged: Bool, in instance: Instance) {
    if isComposing {
      instance.fields[field].flags.insert(.isComposing)
      noteComposition(of: field, hasChanged: hasChanged, in: instance)
    } else if instance.fields[field].flags.remove(.isComposing) == nil {
      return
    }
    markForSnapshot(field, in: instance)
    changed(.attention, ofField: field, in: instance)
  }

  /// A value around a read-only field has another value for it. The field keeps its value, and the client gets that.
  private func keepReadOnly(_ field: Int, insteadOf given: JSON?, in instance: Instance) {
    if !given.isIdentical(to: instance.value(of: field)) { tell(ValueID(field, in: instance)) }
  }

  /// Changes a field with fields below it, and notes the edit if its value differs afterwards.
  private func changeObject(_ field: Int, origin: Origin, in instance: Instance, _ change: () -> Void) {
    let before = instance.value(of: field)
    change()
    let after = instance.value(of: field)
    if before.isIdentical(to: after) {
      instance.fields[field].flags.remove(.hasMoved)
    } else {
      noteObjectChange(field, origin: origin, in: instance)
    }
  }

  /// A field with fields below it has another value.
  private func noteObjectChange(_ field: Int, origin: Origin, in instance: Instance) {
    let hasMoved = instance.fields[field].flags.remove(.hasMoved) != nil
    if hasMoved { tell(ValueID(field, in: instance)) }
    noteGiven(ValueID(field, in: instance))
    if origin == .user { noteEditing(of: field, in: instance) }
    forgetServerErrors(about: field, in: instance)
  }

  /// The object that its members make replaces a null, or an empty object, around a field that gets a value.
  func replaceEmpties(above field: Int, in instance: Instance) {
    for live in LiveField(field, in: instance).allAround {
      setRemoved(false, live.field, in: live.instance)
      let value = live.state.pointee.value
      if live.instance.isList(live.field) {
        // A field with rows is a list.
        if value?.isNull ?? true { setValue(.array([]), of: live.field, in: live.instance) }
      } else if value.isNullOrEmpty {
        setValue(nil, of: live.field, in: live.instance)
      }
    }
  }

  private func applyToRoot(_ change: FieldChange, in session: Session) -> Bool {
    guard !change.isTooDeep,
      let others = session.others(session.extras?.others.now.map { .object($0) }, after: change)
    else { return false }
    if sender != nil {
      JSONObject.forEachDifference(session.extras?.others.now, others?.objectValue) { noteGiven(.member($0)) }
    }
    setOthers(others?.objectValue, in: session)
    return true
  }

  /// Sets the top-level members that are not fields.
  func setOthers(_ others: JSONObject?, in session: Session) {
    guard others != session.extras?.others.now else { return }
    let extras = session.madeExtras
    edits(of: session)?.noteOthers(of: session)
    session.valueBytes += others.map { JSON.object($0) }.bytes - extras.others.now.map { JSON.object($0) }.bytes
    extras.others.now = others
    markForSnapshot(.others, in: session)
    formChanged(.formOthers, in: session)
    updateFormDirty(session)
  }

  /// A normalized value takes effect. An equal value is not an edit.
  @inline(__always)
  func applyValue(_ value: consuming JSON?, of field: Int, origin: Origin, isComposing: Bool, in instance: Instance) {
    let state = instance.fields.at(field)
    let hasChanged = setValue(consume value, of: field, in: instance)
    if hasChanged { noteGiven(ValueID(field, in: instance)) }
    var flags = state.pointee.flags
    let before = flags
    if hasChanged && origin == .user {
      flags.formUnion([.isEdited, .isFocused])
      if _slowPath(sender != nil) { noteEditor(of: LiveField(field, in: instance)) }
    }
    if _slowPath(flags != before), LiveField(field, in: instance).around != nil { noteEditing(of: field, in: instance) }
    flags.subtract([.isComposing, .hasMoved])
    if isComposing {
      flags.insert(.isComposing)
      noteComposition(of: field, hasChanged: hasChanged, in: instance)
    }
    if _slowPath(flags != before) { setEditing(flags, of: field, valueHasChanged: hasChanged, in: instance) }
    if hasChanged, _slowPath(instance.instanceExtras != nil || instance.template != 0) {
      forgetServerErrors(about: field, in: instance)
    }
  }

  /// Changes the editing flags of a field. Not inlined, because only the first of many changes in a row needs it.
  @inline(never)
  private func setEditing(_ flags: FieldFlags, of field: Int, valueHasChanged: Bool, in instance: Instance) {
    let state = instance.fields.at(field)
    if valueHasChanged && state.pointee.flags.contains(.hasMoved) { tell(ValueID(field, in: instance)) }
    set(.isEdited, of: field, to: flags.contains(.isEdited), in: instance)
    set(.isFocused, of: field, to: flags.contains(.isFocused), in: instance)
    state.pointee.flags = flags
    markForSnapshot(field, in: instance)
    changed(.attention, ofField: field, in: instance)
  }

  /// A server's error was about the submitted value, or about a value around it, and not about the new value.
  func forgetServerErrors(about field: Int, in instance: Instance) {
    for live in LiveField(field, in: instance).outwards where live.instance.instanceExtras?.serverErrors[live.field] != nil {
      setServerErrors(of: live.field, in: live.instance) { $0 = [] }
      changed(.attention, ofField: live.field, in: live.instance)
    }
  }

  /// Stores a normalized value and marks the nodes that depend on it. Returns whether it differs from the one before.
  @inline(__always)
  @discardableResult
  func setValue(_ value: consuming JSON?, of field: Int, in instance: Instance) -> Bool {
    let storage = instance.storage(ofValue: field)
    if isSame(storage, value) { return false }
    let difference = byteDifference(storage, value)
    willChange(field, in: instance)
    let state = instance.fields.at(field)
    if _slowPath(state.pointee.flags.contains(.follows)) {
      stopFollowing(field, insteadOf: state.pointee.value, in: instance)
    }
    if _slowPath(instance.template != 0) { instance.keepInitialValue(state.pointee.value, of: field) }
    state.pointee.value = consume value
    instance.withSession { $0.valueBytes &+= difference }
    changed(.ownValue, ofField: field, in: instance)
    updateDirty(field, of: instance)
    if _slowPath(instance.template != 0) { givenValueChanged(of: field, inRow: instance) }
    return true
  }

  @inline(__always)
  func isSame(_ old: Reference<JSON?>, _ new: borrowing JSON?) -> Bool {
    // Most values are texts, which are compared in place.
    switch new {
    case .string(let text)?: old.borrowed.pointee.isText(text)
    default: isIdentical(old, new)
    }
  }

  @inline(never)
  func isIdentical(_ old: Reference<JSON?>, _ new: borrowing JSON?) -> Bool {
    (copy new).isIdentical(to: old.pointee)
  }

  /// By how many bytes the new value is larger than the old one.
  @inline(__always)
  private func byteDifference(_ old: Reference<JSON?>, _ new: borrowing JSON?) -> Int {
    // The lengths alone give the difference for texts.
    let countBefore = old.borrowed.pointee.withText { $0.utf8.count }
    switch new {
    case .string(let text)?:
      if let countBefore { return text.utf8.count &- countBefore }
    default: break
    }
    return differenceBetween(old, new)
  }

  @inline(never)
  private func differenceBetween(_ old: Reference<JSON?>, _ new: borrowing JSON?) -> Int {
    (copy new).bytes &- old.pointee.bytes
  }
}

extension JSONObject {
  /// Calls with the name of each member that two objects do not have in common, with the same value.
  static func forEachDifference(_ one: JSONObject?, _ other: JSONObject?, _ body: (String) -> Void) {
    for member in one ?? [:] where other?[member.name] != member.value { body(member.name) }
    for member in other ?? [:] where one?[member.name] == nil { body(member.name) }
  }
}
