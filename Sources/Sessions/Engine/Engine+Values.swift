internal import CEL
internal import Forms
package import JSON
internal import JSONSchema

/// Values take effect.
extension Engine {
  // MARK: Taking effect

  func applyChange(_ change: FieldChange, origin: Origin, isComposing: Bool, in session: Session) {
    let field = change.field
    guard field != FieldChange.root else { return applyToRoot(change, in: session) }
    guard session.isReachable(field), !change.isTooDeep else { return }
    if session.tables.pointee.fields[field].group >= 0 {
      applyToObject(change, origin: origin, in: session)
    } else if change.path.isEmpty {
      applyValue(
        session.normalized(change.value, for: field, budget: &budget),
        of: field,
        origin: origin,
        isComposing: isComposing,
        in: session
      )
    } else {
      guard var whole = session.whole(of: field, from: session.fields[field].value),
        whole.set(change.value, at: change.path[...])
      else { return }
      let value = session.normalized(whole, for: field, budget: &budget)
      applyValue(value, of: field, origin: origin, isComposing: isComposing, in: session)
    }
    if session.fields[field].value != nil || session.hasMembers(field) { replaceEmpties(above: field, in: session) }
  }

  /// A field with fields below it gets a value as a whole, or a member of it that is no field does.
  private func applyToObject(_ change: FieldChange, origin: Origin, in session: Session) {
    let field = change.field
    if change.path.isEmpty {
      // What is held back below would come later, and undo this.
      flush(field: field, of: session)
      applyWhole(change.value, of: field, origin: origin, in: session)
    } else if let others = session.others(session.fields[field].value, after: change) {
      changeObject(field, origin: origin, in: session) { setValue(others, of: field, in: session) }
    }
  }

  private func applyWhole(_ value: JSON?, of field: Int, origin: Origin, in session: Session) {
    guard session.tables.pointee.fields[field].group >= 0 else {
      let normalized = session.normalized(value, for: field, budget: &budget)
      return applyValue(normalized, of: field, origin: origin, isComposing: false, in: session)
    }
    changeObject(field, origin: origin, in: session) {
      let members = value?.objectValue
      for child in session.form.children(of: field) {
        applyWhole(members?[session.form.fields[child].name], of: child, origin: origin, in: session)
      }
      let own = session.ownPart(of: value, for: field, hasMembers: session.hasMembers(field))
      setValue(own, of: field, in: session)
    }
  }

  /// Changes a field with fields below it, and notes the edit when its value is another one then.
  private func changeObject(_ field: Int, origin: Origin, in session: Session, _ change: () -> Void) {
    let before = session.value(of: field)
    change()
    let after = session.value(of: field)
    let isSame =
      switch (before, after) {
      case (nil, nil): true
      case (let before?, let after?): before.isIdentical(to: after)
      default: false
      }
    let hasMoved = session.fields[field].flags.remove(.hasMoved) != nil
    if isSame { return }
    if hasMoved { tell(.field(field)) }
    if origin == .user { noteEditing(of: field, in: session) }
    if let extras = session.extras, !extras.serverErrors.isEmpty {
      forgetServerErrors(about: field, extras, in: session)
    }
  }

  /// The object that its members make takes the place of a null, or of an empty object, around a field that gets a value.
  private func replaceEmpties(above field: Int, in session: Session) {
    var above = session.tables.pointee.fields[field].parent
    while above >= 0 {
      if session.fields[Int(above)].value.isNullOrEmpty { setValue(nil, of: Int(above), in: session) }
      above = session.tables.pointee.fields[Int(above)].parent
    }
  }

  private func applyToRoot(_ change: FieldChange, in session: Session) {
    guard !change.isTooDeep,
      let others = session.others(session.extras?.others.now.map { .object($0) }, after: change)
    else { return }
    setOthers(others?.objectValue, in: session)
  }

  /// Sets the top-level members that are no fields.
  func setOthers(_ others: JSONObject?, in session: Session) {
    guard others != session.extras?.others.now else { return }
    let extras = session.madeExtras
    session.valueBytes += others.map { JSON.object($0) }.bytes - extras.others.now.map { JSON.object($0) }.bytes
    extras.others.now = others
    changedForm(.formOthers, in: session)
    updateFormDirty(session)
  }

  /// A normalized value takes effect. One that leaves the field's value as it was is no edit.
  @inline(__always)
  func applyValue(_ value: consuming JSON?, of field: Int, origin: Origin, isComposing: Bool, in session: Session) {
    let state = session.fields + field
    let hasChanged = setValue(value, of: field, in: session)
    var flags = state.pointee.flags
    let before = flags
    if hasChanged && origin == .user { flags.formUnion([.isEdited, .isEditing]) }
    if flags != before, session.tables.pointee.fields[field].parent >= 0 { noteEditing(of: field, in: session) }
    flags.subtract([.isComposing, .hasMoved])
    if isComposing { flags.insert(.isComposing) }
    if flags != before {
      if hasChanged && before.contains(.hasMoved) { tell(.field(field)) }
      state.pointee.flags = flags
      changed(.isEdited | .attention, ofField: field, in: session)
    }
    if hasChanged, let extras = session.extras, !extras.serverErrors.isEmpty {
      forgetServerErrors(about: field, extras, in: session)
    }
  }

  /// A server's error was about the submitted value, or about one around it, and not about this one.
  private func forgetServerErrors(about field: Int, _ extras: SessionExtras, in session: Session) {
    var place = Int32(truncatingIfNeeded: field)
    while place >= 0 {
      if extras.serverErrors.removeValue(forKey: Int(place)) != nil {
        changed(.attention, ofField: Int(place), in: session)
      }
      place = session.tables.pointee.fields[Int(place)].parent
    }
  }

  /// The user has edited a field: so were those around it.
  private func noteEditing(of field: Int, in session: Session) {
    beginEditing(field, of: session)
    var place = Int32(truncatingIfNeeded: field)
    while place >= 0, !session.fields[Int(place)].flags.contains(.isEdited) {
      session.fields[Int(place)].flags.insert(.isEdited)
      changed(.isEdited, ofField: Int(place), in: session)
      place = session.tables.pointee.fields[Int(place)].parent
    }
  }

  /// Stores a normalized value and marks what depends on it. Returns whether it differs from the one before.
  @inline(__always)
  @discardableResult
  func setValue(_ value: consuming JSON?, of field: Int, in session: Session) -> Bool {
    let state = session.fields + field
    // The values are exchanged first and compared then, so that neither is copied. Equal ones are exchanged back.
    var old = value
    swap(&state.pointee.value, &old)
    if withUnsafePointer(to: &old, { isSame($0, session.place(ofValue: field)) }) {
      swap(&state.pointee.value, &old)
      return false
    }
    let difference = withUnsafePointer(to: &old) { byteDifference($0, session.place(ofValue: field)) }
    session.valueBytes &+= faults.through(.miscountValues, difference, broken: max(difference, 0))
    changed(.ownValue, ofField: field, in: session)
    updateDirty(field, of: session)
    return true
  }

  @inline(__always)
  private func isSame(_ old: UnsafePointer<JSON?>, _ new: UnsafePointer<JSON?>) -> Bool {
    if let isSame = old.borrowed.pointee.withText({ new.borrowed.pointee.isText($0) }) { return isSame }
    return switch (old.pointee, new.pointee) {
    case (nil, nil): true
    case (let old?, let new?): old.isIdentical(to: new)
    default: false
    }
  }

  /// How many bytes more the new value counts than the old one.
  @inline(__always)
  func byteDifference(_ old: UnsafePointer<JSON?>, _ new: UnsafePointer<JSON?>) -> Int {
    // Most values are texts. Their bytes differ by their lengths alone, and their memory can be read in place.
    let oldCount = old.borrowed.pointee.withText { $0.utf8.count }
    let newCount = new.borrowed.pointee.withText { $0.utf8.count }
    if let oldCount, let newCount { return newCount &- oldCount }
    return new.pointee.bytes &- old.pointee.bytes
  }

  /// Brings `isDirty` of a field up to date.
  @inline(__always)
  func updateDirty(_ field: Int, of session: Session) {
    let state = session.fields + field
    if session.tables.pointee.fields[field].group >= 0 { return updateOwnDirty(field, of: session) }
    let isDirty =
      if session.extras == nil && !session.tables.pointee.fields[field].hasInitial {
        state.pointee.value != nil
      } else {
        differsFromInitial(field, session)
      }
    if isDirty != state.pointee.flags.contains(.isDirty) { setDirty(isDirty, field, of: session) }
  }

  /// The same for what a field has beside the fields below it. An empty object is nothing beside theirs.
  private func updateOwnDirty(_ field: Int, of session: Session) {
    func beside(_ value: JSON?) -> JSON? { value?.objectValue?.isEmpty ?? false ? nil : value }
    let isDirty = beside(session.fields[field].value) != beside(session.initialValue(of: field))
    if isDirty {
      session.fields[field].flags.insert(.isDirtyItself)
    } else {
      session.fields[field].flags.remove(.isDirtyItself)
    }
    updateGroupDirty(field, of: session)
  }

  private func updateGroupDirty(_ field: Int, of session: Session) {
    let group = Int(session.tables.pointee.fields[field].group)
    let flags = session.fields[field].flags
    let isDirty = flags.contains(.isDirtyItself) || session.groups[group].dirty > 0
    if isDirty != flags.contains(.isDirty) { setDirty(isDirty, field, of: session) }
  }

  private func differsFromInitial(_ field: Int, _ session: Session) -> Bool {
    switch (session.fields[field].value, session.initialValue(of: field)) {
    case (nil, nil): false
    case (let value?, let initial?): value != initial
    default: true
    }
  }

  private func setDirty(_ isDirty: Bool, _ field: Int, of session: Session) {
    setFlag(.isDirty, to: isDirty, of: field, cell: .isDirty, in: session)
    store(isDirty, in: session.tables.pointee.fields[field].isDirtySlot, of: session)
    changed(.isDirty, ofField: field, in: session)
    let parent = Int(session.tables.pointee.fields[field].parent)
    guard parent < 0 else {
      session.groups[Int(session.tables.pointee.fields[parent].group)].dirty += isDirty ? 1 : -1
      return updateGroupDirty(parent, of: session)
    }
    session.dirtyCount += isDirty ? 1 : -1
    updateFormDirty(session)
  }

  /// Brings the form's `isDirty` up to date. It is not a node of the graph: no formula decides about it, so any formula may read it
  /// without a cycle.
  func updateFormDirty(_ session: Session) {
    let isDirty = session.dirtyCount > 0 || session.extras.map { $0.others.now != $0.others.initial } ?? false
    guard isDirty != session.flags.contains(.isDirty) else { return }
    note(DocumentLayout.isDirty, .bool(!isDirty), in: session)
    session.flags.formSymmetricDifference(.isDirty)
    store(isDirty, in: session.tables.pointee.formIsDirtySlot, of: session)
    changedForm(.formIsDirty, in: session)
  }

  /// Sets a flag that stands in the document.
  @inline(__always)
  func setFlag(
    _ flag: FieldFlags,
    to value: Bool,
    of field: Int,
    cell: DocumentLayout.FieldCell,
    in session: Session
  ) {
    let state = session.fields + field
    note(session.tables.pointee.cell(field: field, cell), .bool(!value), in: session)
    if value { state.pointee.flags.insert(flag) } else { state.pointee.flags.remove(flag) }
  }

  // MARK: Editing

  func beginEditing(_ field: Int, of session: Session) {
    var place = Int32(truncatingIfNeeded: field)
    while place >= 0, !session.fields[Int(place)].flags.contains(.isEditing) {
      session.fields[Int(place)].flags.insert(.isEditing)
      changed(.attention, ofField: Int(place), in: session)
      place = session.tables.pointee.fields[Int(place)].parent
      if place >= 0 { session.groups[Int(session.tables.pointee.fields[Int(place)].group)].editing &+= 1 }
    }
  }

  /// The user has left a field: it is touched, and nothing below it is edited any more.
  func endEditing(_ field: Int, of session: Session) {
    let end = Int(session.tables.pointee.fields[field].end)
    if end > field + 1 {
      for below in (field + 1..<end).reversed() where session.fields[below].flags.contains(.isEditing) {
        leave(below, of: session)
      }
    }
    leave(field, of: session)
  }

  private func leave(_ field: Int, of session: Session) {
    session.fields[field].flags.remove(.isComposing)
    changed(.attention, ofField: field, in: session)
    var place = Int32(truncatingIfNeeded: field)
    while place >= 0, session.fields[Int(place)].flags.contains(.isEditing) {
      session.fields[Int(place)].flags.remove(.isEditing)
      changed(.attention, ofField: Int(place), in: session)
      place = session.tables.pointee.fields[Int(place)].parent
      guard place >= 0 else { break }
      let group = Int(session.tables.pointee.fields[Int(place)].group)
      session.groups[group].editing &-= 1
      if session.groups[group].editing > 0 { break }
    }
    touch(field, of: session)
  }

  /// The user has left a field once, and so every field around it.
  private func touch(_ field: Int, of session: Session) {
    var place = Int32(truncatingIfNeeded: field)
    while place >= 0, !session.fields[Int(place)].flags.contains(.isTouched) {
      let row = session.tables.pointee.fields + Int(place)
      setFlag(.isTouched, to: true, of: Int(place), cell: .isTouched, in: session)
      store(true, in: row.pointee.isTouchedSlot, of: session)
      changed(.isTouched, ofField: Int(place), in: session)
      if row.pointee.step >= 0 { countTouched(true, inStep: Int(row.pointee.step), session) }
      place = row.pointee.parent
    }
  }

  // MARK: Initial values and reset

  func setInitialValues(_ values: JSONObject?, of session: Session) {
    for field in session.form.children(of: nil) {
      setInitialValue(values?[session.form.fields[field].name].map { .some($0) }, of: field, in: session)
    }
    let others = Array(values ?? [:]).filter { session.form.field(named: $0.name, in: nil) == nil }
    guard !others.isEmpty else { return }
    let object = JSONObject(uncheckedMembers: others)
    session.madeExtras.others = (object, object)
    session.valueBytes += 2 * JSON.object(object).approximateBytes
  }

  /// Gives a field its initial value.
  ///
  /// - Parameter given: what the session was opened with; nil: nothing, so that the schema's default counts. `.some(nil)`: an object
  ///   around it was given as something else than an object.
  private func setInitialValue(_ given: JSON??, of field: Int, in session: Session) {
    let definition = session.form.fields[field]
    let value: JSON?
    if definition.unit == nil {
      value = definition.normalized(given ?? definition.initial, budget: &budget)
    } else {
      setInitialMembers(given, of: field, in: session)
      value = session.ownPart(of: given ?? definition.initial, for: field, hasMembers: session.hasMembers(field))
    }
    if given != nil || value != definition.ownInitial { session.setInitialValue(value, of: field) }
    session.fields[field].value = value
    session.valueBytes += value.bytes
  }

  private func setInitialMembers(_ given: JSON??, of field: Int, in session: Session) {
    for child in session.form.children(of: field) {
      let inner: JSON?? =
        switch given {
        case nil: nil
        case .some(.object(let members)?): members[session.form.fields[child].name].map { .some($0) }
        default: .some(nil)
        }
      setInitialValue(inner, of: child, in: session)
    }
  }

  /// Tells the top-level members that are no fields and have another value now.
  private func tellOthers(before: JSONObject?, after: JSONObject?) {
    for member in before ?? [:] where after?[member.name] != member.value { tell(.member(member.name)) }
    for member in after ?? [:] where before?[member.name] == nil { tell(.member(member.name)) }
  }

  /// Puts the session back to its beginning: effects are cancelled; results, errors and flags of editing go. The revision goes on.
  func reset(_ session: Session, keepValues: Bool) {
    flushAll(session)
    cancelEverything(in: session)
    session.extras?.serverErrors = [:]
    session.extras?.delays = [:]
    if keepValues {
      if let extras = session.extras, extras.others.now != nil || extras.others.initial != nil {
        session.valueBytes +=
          extras.others.now.map { JSON.object($0) }.bytes - extras.others.initial.map { JSON.object($0) }.bytes
        extras.others.initial = extras.others.now
        updateFormDirty(session)
      }
    } else {
      tellOthers(before: session.extras?.others.now, after: session.extras?.others.initial)
      setOthers(session.extras?.others.initial, in: session)
    }
    // What is inside of an object that is told as a whole.
    var toldEnd = 0
    for group in 0..<Int(session.tables.pointee.groupCount) { session.groups[group].editing = 0 }
    for field in session.form.fields.indices {
      let state = session.fields + field
      if keepValues {
        session.setInitialValue(state.pointee.value, of: field)
        updateDirty(field, of: session)
      } else {
        let hasMoved = setValue(session.initialValue(of: field), of: field, in: session)
        if hasMoved {
          state.pointee.flags.insert(.hasMoved)
          if field >= toldEnd { tell(.field(field)) }
          if session.form.fields[field].unit != nil { toldEnd = max(toldEnd, session.form.fields[field].end) }
        }
      }
      state.pointee.flags.subtract([.isEdited, .isEditing, .isComposing, .revealsNow, .isRevealed])
      if state.pointee.flags.contains(.isTouched) {
        setFlag(.isTouched, to: false, of: field, cell: .isTouched, in: session)
        store(false, in: session.tables.pointee.fields[field].isTouchedSlot, of: session)
        changed(.isTouched, ofField: field, in: session)
        if let step = session.form.fields[field].step { countTouched(false, inStep: step, session) }
      }
      changed(.isEdited | .attention, ofField: field, in: session)
    }
    for action in session.form.actions.indices { resetAction(action, of: session) }
    if !keepValues, !session.form.steps.isEmpty { choose(0, in: session) }
  }
}

extension Session {
  /// Gives the session an initial value of its own instead of the form's.
  func setInitialValue(_ value: JSON?, of field: Int) {
    let extras = madeExtras
    valueBytes += value.bytes - (extras.initialValues[field] ?? nil).bytes
    extras.initialValues[field] = .some(value)
  }

  /// The value that a reset restores, and that `isDirty` compares with.
  func initialValue(of field: Int) -> JSON? {
    if let extras, let given = extras.initialValues[field] { return given }
    return form.fields[field].ownInitial
  }

  /// The position of the first of some changes, one after the other, that cannot be applied; nil when all can. A change can be
  /// applied when its path leads to a member or element that is there, or to the place behind the last one. The engine passes over
  /// one that cannot, so a caller that must not lose one silently asks first.
  public func firstUnacceptable(in changes: [FieldChange]) -> Int? {
    if changes.count == 1, changes[0].path.isEmpty, changes[0].field >= 0, form.fields[changes[0].field].parent == nil,
      !changes[0].isTooDeep
    {
      return nil
    }
    var forecast = ValueForecast(self, countsHeld: true)
    return changes.firstIndex { !forecast.apply($0) }
  }

  /// Whether the field can have a value: nothing around it is something else than an object.
  @inline(__always)
  func isReachable(_ field: Int) -> Bool {
    var place = tables.pointee.fields[field].parent
    while place >= 0 {
      if isNoObject(Int(place)) { return false }
      place = tables.pointee.fields[Int(place)].parent
    }
    return true
  }

  /// The value that a change of a part applies to: the field's value, or, while it has none, an empty one of the schema's type. Nil
  /// when the type has no parts.
  package func whole(of field: Int, from value: JSON?) -> JSON? {
    if let value, !value.isNull { return value }
    let types = form.fields[field].types
    // Setting a member of null makes an object, or a list.
    switch (types.contains("object"), types.contains("array")) {
    case (true, true): return .null
    case (true, false): return [:]
    case (false, true): return []
    case (false, false): return nil
    }
  }

  /// The field's value after the changes that its throttle or debounce holds back.
  func valueWithHeld(of field: Int) -> JSON? {
    var value = fields[field].value
    for (held, _, _) in extras?.delays[field]?.held?.all ?? [] {
      if held.path.isEmpty {
        value = held.value
      } else if var whole = whole(of: field, from: value), whole.set(held.value, at: held.path[...]) {
        value = whole
      }
    }
    return value
  }
}

extension JSON {
  /// Equal, with numbers written alike. `1` and `1.0` are equal but not identical: formulas tell them apart.
  package func isIdentical(to other: JSON) -> Bool {
    switch (self, other) {
    case (.integer, .real), (.real, .integer): false
    case (.real(let a), .real(let b)): a.bitPattern == b.bitPattern
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
    case (.object(let a), .object(let b)):
      a.count == b.count && a.allSatisfy { member in b[member.name].map { member.value.isIdentical(to: $0) } ?? false }
    default: self == other
    }
  }

  /// Sets the value at that place, or with nil removes it. Objects that are missing on the way are made, and a list for `-`. An array
  /// accepts an index up to its count; its count, or `-`, appends. Returns whether the place can exist; if not, nothing is changed.
  package mutating func set(_ value: JSON?, at path: ArraySlice<String>) -> Bool {
    guard let token = path.first else {
      self = value ?? .null
      return true
    }
    let rest = path.dropFirst()
    switch self {
    case .null:
      guard value != nil else { return true }
      var child = JSON.null
      guard child.set(value, at: rest) else { return false }
      self = token == "-" ? .array([child]) : .object([token: child])
      return true
    case .object(var members):
      if rest.isEmpty {
        members[token] = value
      } else {
        var child = members[token] ?? .null
        guard child.set(value, at: rest) else { return false }
        members[token] = child
      }
      self = .object(members)
      return true
    case .array(var elements):
      guard let index = token == "-" ? elements.count : JSONPointer.arrayIndex(token), index <= elements.count else {
        return false
      }
      if index == elements.count {
        guard value != nil else { return false }
        var child = JSON.null
        guard child.set(value, at: rest) else { return false }
        elements.append(child)
      } else if rest.isEmpty {
        if let value { elements[index] = value } else { elements.remove(at: index) }
      } else {
        guard elements[index].set(value, at: rest) else { return false }
      }
      self = .array(elements)
      return true
    case .bool, .integer, .real, .string:
      return false
    }
  }
}
