internal import CEL
internal import Forms
package import JSON
internal import JSONSchema

/// Values: they come in, are held back by a throttle or debounce, and take effect.
extension Engine {
  // MARK: Coming in

  /// A change has come in. It takes effect now, or when the field's throttle or debounce lets it through.
  func receive(_ change: FieldChange, origin: Origin, isComposing: Bool, in session: Session) {
    guard session.tables.pointee.fields[change.field].hasTiming,
      let timing = session.form.fields[change.field].timing
    else {
      return applyChange(change, origin: origin, isComposing: isComposing, in: session)
    }
    let extras = session.madeExtras
    var state = extras.timings[change.field] ?? FieldTiming(timing)
    // A whole value from the user replaces all changes before it.
    if change.path.isEmpty, origin == .user { session.valueBytes -= state.forgetHeld() }
    let passes = state.signal(at: now)
    if passes && state.held.isEmpty {
      applyChange(change, origin: origin, isComposing: isComposing, in: session)
    } else {
      // The number of held changes is bounded. A whole value replaces those before it; parts of a value take effect early.
      let isFull = state.held.count == Self.heldChangesMax
      if isFull, !passes, change.path.isEmpty { session.valueBytes -= state.forgetHeld() }
      hold((change, origin, isComposing), by: &state, in: session)
      if passes || (isFull && !change.path.isEmpty) { applyHeldChanges(of: &state, in: session) }
    }
    store(state, of: change.field, in: session)
  }

  /// Holds back a change that was held back in a snapshot, for a whole interval.
  func hold(_ change: FieldChange, origin: Origin, isComposing: Bool, in session: Session) {
    guard let timing = session.form.fields[change.field].timing else {
      return applyChange(change, origin: origin, isComposing: isComposing, in: session)
    }
    let extras = session.madeExtras
    var state = extras.timings[change.field] ?? FieldTiming(timing)
    hold((change, origin, isComposing), by: &state, in: session)
    if state.throttle != nil {
      // The first signal opens the window, which then holds the second.
      if state.throttle!.deadline == nil { _ = state.throttle!.signal(at: now) }
      _ = state.throttle!.signal(at: now)
    } else {
      state.debounce!.signal(at: now)
    }
    store(state, of: change.field, in: session)
  }

  private func hold(_ change: FieldTiming.HeldChange, by state: inout FieldTiming, in session: Session) {
    let bytes = session.heldBytes(of: change.change)
    state.hold(change, bytes: bytes)
    session.valueBytes += bytes
  }

  /// Stores the state of a field's throttle or debounce, and sets its timer.
  private func store(_ state: FieldTiming, of field: Int, in session: Session) {
    let extras = session.madeExtras
    extras.timings[field] = state
    extras.timers.set(.field(field), to: state.deadline)
  }

  /// The interval of a field's throttle or debounce is over.
  func fieldTimerFired(_ field: Int, of session: Session) {
    let extras = session.madeExtras
    guard var state = extras.timings[field] else { return }
    let passes: Bool
    if state.throttle != nil {
      passes = state.throttle!.deadlineReached(at: now)
    } else {
      passes = state.debounce!.deadlineReached(at: now)
    }
    if passes { applyHeldChanges(of: &state, in: session) }
    store(state, of: field, in: session)
  }

  private func applyHeldChanges(of state: inout FieldTiming, in session: Session) {
    for (change, origin, isComposing) in state.held {
      applyChange(change, origin: origin, isComposing: isComposing, in: session)
    }
    session.valueBytes -= state.forgetHeld()
  }

  /// The changes that the field holds back take effect now.
  func flush(field: Int, of session: Session) {
    guard let extras = session.extras, var state = extras.timings[field], !state.held.isEmpty else { return }
    _ = state.throttle?.flush()
    _ = state.debounce?.flush()
    applyHeldChanges(of: &state, in: session)
    store(state, of: field, in: session)
  }

  /// The changes that all fields hold back take effect now.
  func flushAll(_ session: Session) {
    guard let extras = session.extras, !extras.timings.isEmpty else { return }
    #if DEBUG
      if has(.skipFlush) { return }
    #endif
    for field in extras.timings.keys.sorted() { flush(field: field, of: session) }
  }

  // MARK: Taking effect

  private func applyChange(_ change: FieldChange, origin: Origin, isComposing: Bool, in session: Session) {
    var value = change.value
    if !change.path.isEmpty {
      guard var whole = session.whole(of: change.field, from: session.fields[change.field].value), !change.isTooDeep,
        whole.set(change.value, at: change.path[...])
      else { return }
      value = whole
    }
    applyValue(
      session.normalized(value, for: change.field),
      of: change.field,
      origin: origin,
      isComposing: isComposing,
      in: session
    )
  }

  /// A normalized value takes effect. One that leaves the field's value as it was is no edit.
  @inline(__always)
  func applyValue(_ value: consuming JSON?, of field: Int, origin: Origin, isComposing: Bool, in session: Session) {
    let state = session.fields + field
    let hasChanged = setValue(value, of: field, in: session)
    var flags = state.pointee.flags
    let before = flags
    if hasChanged && origin == .user { flags.formUnion([.isEdited, .isEditing]) }
    if isComposing { flags.insert(.isComposing) } else { flags.remove(.isComposing) }
    if flags != before {
      state.pointee.flags = flags
      dirty.insert(session.tables.pointee.fields[field].fieldNode)
      markChecks(of: field, in: session)
    }
    // A server's error was about the submitted value, not about this one.
    if hasChanged, let extras = session.extras, !extras.serverErrors.isEmpty, extras.serverErrors[field] != nil {
      extras.serverErrors[field] = nil
      dirty.insert(session.tables.pointee.fields[field].fieldNode)
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
    #if DEBUG
      if !has(.miscountValues) || difference > 0 { session.valueBytes &+= difference }
    #else
      session.valueBytes &+= difference
    #endif
    dirty.insert(session.tables.pointee.fields[field].valueNode)
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
    let isDirty =
      if session.extras == nil && !session.tables.pointee.fields[field].hasInitial {
        state.pointee.value != nil
      } else {
        differsFromInitial(field, session)
      }
    if isDirty != state.pointee.flags.contains(.isDirty) { setDirty(isDirty, field, of: session) }
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
    setSlot(session.tables.pointee.fields[field].isDirtySlot, isDirty, in: session)
    session.dirtyCount += isDirty ? 1 : -1
    updateFormDirty(session)
    markChecks(of: field, in: session)
  }

  /// Brings the form's `isDirty` up to date. It is not a node of the graph: no formula decides about it, so any formula may read it
  /// without a cycle.
  private func updateFormDirty(_ session: Session) {
    let isDirty = session.dirtyCount > 0
    guard isDirty != session.flags.contains(.isDirty) else { return }
    note(DocumentLayout.isDirty, .bool(!isDirty), in: session)
    session.flags.formSymmetricDifference(.isDirty)
    setSlot(session.tables.pointee.formIsDirtySlot, isDirty, in: session)
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

  @inline(__always)
  func markChecks(of field: Int, in session: Session) {
    let row = session.tables.pointee.fields + field
    guard row.pointee.checkCount > 0 else { return }
    for position in row.pointee.firstCheck..<row.pointee.firstCheck + row.pointee.checkCount {
      dirty.insert(session.tables.pointee.checkNodes[Int(session.tables.pointee.checkIndices[Int(position)])])
    }
  }

  // MARK: Editing

  func beginEditing(_ field: Int, of session: Session) {
    guard !session.fields[field].flags.contains(.isEditing) else { return }
    session.fields[field].flags.insert(.isEditing)
    dirty.insert(session.form.graph.fieldNodes[field])
  }

  func endEditing(_ field: Int, of session: Session) {
    let state = session.fields + field
    state.pointee.flags.subtract([.isEditing, .isComposing])
    dirty.insert(session.form.graph.fieldNodes[field])
    guard !state.pointee.flags.contains(.isTouched) else { return }
    setFlag(.isTouched, to: true, of: field, cell: .isTouched, in: session)
    setSlot(session.tables.pointee.fields[field].isTouchedSlot, true, in: session)
    markChecks(of: field, in: session)
  }

  // MARK: Initial values and reset

  func setInitialValues(_ values: JSONObject?, of session: Session) {
    for (index, field) in session.form.fields.enumerated() {
      let given = values?[field.name]
      if let given {
        let normalized = field.normalized(given)
        session.setInitialValue(normalized, of: index)
        session.fields[index].value = normalized
      } else {
        let normalized = field.initial == nil ? nil : field.normalized(field.initial)
        if normalized != field.initial { session.setInitialValue(normalized, of: index) }
        session.fields[index].value = normalized
      }
      session.valueBytes += session.fields[index].value.bytes
    }
  }

  /// Puts the session back to its beginning: effects are cancelled; results, errors and flags of editing go. The revision goes on.
  func reset(_ session: Session, keepValues: Bool) {
    flushAll(session)
    cancelEverything(in: session)
    session.flags.remove(.isSubmitted)
    session.extras?.serverErrors = [:]
    session.extras?.timings = [:]
    for field in session.form.fields.indices {
      let state = session.fields + field
      if keepValues {
        session.setInitialValue(state.pointee.value, of: field)
        updateDirty(field, of: session)
      } else {
        setValue(session.initialValue(of: field), of: field, in: session)
      }
      state.pointee.flags.subtract([.isEdited, .isEditing, .isComposing, .revealsNow])
      if state.pointee.flags.contains(.isTouched) {
        setFlag(.isTouched, to: false, of: field, cell: .isTouched, in: session)
        setSlot(session.tables.pointee.fields[field].isTouchedSlot, false, in: session)
      }
      dirty.insert(session.form.graph.fieldNodes[field])
      markChecks(of: field, in: session)
    }
    for action in session.form.actions.indices { resetAction(action, of: session) }
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
    return form.fields[field].initial
  }

  /// The position of the first of some changes, one after the other, that cannot be applied; nil when all can. A change can be
  /// applied when its path leads to a member or element that is there, or to the place behind the last one. The engine passes over
  /// one that cannot, so a caller that must not lose one silently asks first.
  public func firstUnacceptable(in changes: [FieldChange]) -> Int? {
    var values: [Int: JSON?] = [:]
    for (position, change) in changes.enumerated() where !change.path.isEmpty || changes.count > 1 {
      guard !change.isTooDeep else { return position }
      if change.path.isEmpty {
        values[change.field] = .some(change.value)
        continue
      }
      guard var whole = whole(of: change.field, from: values[change.field] ?? valueWithHeld(of: change.field)),
        whole.set(change.value, at: change.path[...])
      else { return position }
      values[change.field] = .some(whole)
    }
    return nil
  }

  /// The value that a change of a part applies to: the field's value, or, while it has none, an empty one of the schema's type. Nil
  /// when the type has no parts.
  package func whole(of field: Int, from value: JSON?) -> JSON? {
    if let value, !value.isNull { return value }
    guard let property = form.fields[field].property else { return .null }
    let types = form.parts.properties[property].facts.types
    // Setting a member of null makes an object.
    if types.contains("object") { return .null }
    return types.contains("array") ? [] : nil
  }

  /// The field's value after the changes that its throttle or debounce holds back.
  private func valueWithHeld(of field: Int) -> JSON? {
    var value = fields[field].value
    for (held, _, _) in extras?.timings[field]?.held ?? [] {
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

  /// Sets the value at that place, or with nil removes it. Objects that are missing on the way are made. An array accepts an index
  /// up to its count; its count, or `-`, appends. Returns whether the place can exist; if not, nothing is changed.
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
      self = .object([token: child])
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
