internal import Budgets
internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON

/// Values take effect.
///
/// - ``take(_:in:)``: prepared changes come in. ``receive(_:origin:isComposing:in:)`` delays one, or lets it through.
/// - ``applyChange(_:origin:isComposing:in:)``, ``applyWhole(_:of:origin:isComposing:in:)``: prepare one change, or a
///   whole value, and assign it.
/// - ``assign(_:of:origin:isComposing:in:)``: an assignment takes effect, and can be undone if a user has made it.
/// - ``applyValue(_:of:origin:isComposing:in:)``: a field gets a normalized value.
/// - ``setValue(_:of:in:)``: stores it, and marks what depends on it.
extension Engine {
  // MARK: Taking effect

  /// Prepared changes come in. Each takes effect, unless its field delays it.
  func take(_ changes: PreparedChanges, in session: Session) {
    _ = budget.spend(changes.unitsSpent)
    let (origin, isComposing) = (changes.origin, changes.isComposing)
    var left: [LiveField] = []
    for (change, assignment) in changes.all {
      // An earlier change may have removed its row.
      guard let instance = session.instance(of: change.row) else { continue }
      if case .later? = assignment {
        receive(change, origin: origin, isComposing: isComposing, in: instance)
      } else if let assignment {
        assign(assignment, of: change, origin: origin, isComposing: isComposing, in: instance)
      }
      guard changes.commit, change.field != FieldChange.root else { continue }
      flush(field: change.field, of: instance)
      if endFocus(change.field, of: instance) { left.append(LiveField(change.field, in: instance)) }
    }
    fieldsLeft(left.filter { !($0.instance.row?.isGone ?? false) })
  }

  /// A change takes effect, if it can.
  func applyChange(_ change: FieldChange, origin: Origin, isComposing: Bool, in instance: Instance) {
    // The preparation need not keep the value: it would read the value again only for fields around or below this one.
    let isUnread =
      change.field != FieldChange.root && instance.isTopLevel(change.field)
      && !instance.tables.pointee.fields.at(change.field).hasFieldsBelow
    var preparation = Preparation(instance.session, origin: origin, budget: budget, valuesAreUnread: isUnread)
    let given = preparation.assignment(of: change, in: instance)
    budget = preparation.budget
    if let given { assign(given, of: change, origin: origin, isComposing: isComposing, in: instance) }
  }

  /// Sets the whole value of a field. If an input method composes it, the fields below it whose values change are being
  /// composed.
  func applyWhole(_ value: JSON?, of field: Int, origin: Origin, isComposing: Bool, in instance: Instance) {
    var preparation = Preparation(instance.session, origin: origin, budget: budget)
    let whole = preparation.whole(value, of: field, isRemoved: value == .null, in: instance)
    budget = preparation.budget
    assign(whole: whole, of: field, origin: origin, isComposing: isComposing, in: instance)
  }

  /// A prepared change takes effect. A change of a user, or of the user's browser, can be undone, and can reset fields
  /// that depend on it.
  func assign(_ given: Assignment, of change: FieldChange, origin: Origin, isComposing: Bool, in instance: Instance) {
    guard instance.tables.pointee.tracksUserChanges, !origin.mayChangeReadOnly else {
      return putIntoEffect(given, of: change, origin: origin, isComposing: isComposing, in: instance)
    }
    let (field, session) = (change.field, instance.session)
    recordEdit(in: session, typing: change) {
      putIntoEffect(given, of: change, origin: origin, isComposing: isComposing, in: instance)
      noteUser(field == FieldChange.root ? .member(change.path[0]) : ValueID(field, in: instance), in: session)
    }
  }

  private func putIntoEffect(
    _ given: Assignment,
    of change: FieldChange,
    origin: Origin,
    isComposing: Bool,
    in instance: Instance
  ) {
    let field = change.field
    switch given {
    case .value(let others) where field == FieldChange.root:
      let (session, others) = (instance.session, others?.objectValue)
      if sender != nil {
        JSONObject.forEachDifference(session.extras?.otherMembers.now, others) { noteGiven(.member($0)) }
      }
      return setOtherMembers(others, in: session)
    case .value(let others) where instance.tables.pointee.fields.at(field).hasFieldsBelow:
      let hasChanged = setValue(others, of: field, in: instance)
      if hasChanged { noteObjectChange(field, origin: origin, in: instance) }
      setComposing(isComposing, of: field, hasChanged: hasChanged, in: instance)
    case .value(let value):
      applyValue(value, of: field, origin: origin, isComposing: isComposing, in: instance)
      if change.path.isEmpty, instance.tables.pointee.fields[field].tellsText {
        noteTyped(change.value, field, in: instance)
      }
    case .row(let value):
      insert([value], into: instance.list(of: field), at: .max, origin: origin, isComposing: isComposing)
    case .object, .rows, .stays, .later:
      // Delayed values below it would take effect later and undo this change.
      flush(field: field, of: instance)
      assign(whole: given, of: field, origin: origin, isComposing: isComposing, in: instance)
    }
    if instance.hasValue(field) { replaceEmpties(above: field, in: instance) }
  }

  private func assign(whole: Assignment, of field: Int, origin: Origin, isComposing: Bool, in instance: Instance) {
    switch whole {
    case .stays(let given):
      // The field keeps its value, and the client gets that.
      let value = instance.value(of: field)
      if !given.isIdentical(to: value) { tell(ValueID(field, in: instance)) }
      if instance.form.fields[field].isReadOnly, !origin.mayChangeReadOnly { return }
      let isComposed = isComposing && instance.fields[field].flags.contains(.isComposing)
      applyValue(value, of: field, origin: origin, isComposing: isComposed, in: instance)
    case .value(let value):
      let state = instance.fields[field]
      let isComposed = isComposing && (state.flags.contains(.isComposing) || !value.isIdentical(to: state.value))
      applyValue(value, of: field, origin: origin, isComposing: isComposed, in: instance)
    case .rows(let value):
      changeObject(field, origin: origin, in: instance) {
        applyWholeList(value, of: instance.list(of: field), origin: origin, isComposing: isComposing)
      }
    case .object(let own, let members, let isRemoved):
      setRemoved(isRemoved, field, in: instance)
      changeObject(field, origin: origin, in: instance) {
        for (child, member) in zip(instance.form.children(of: field), members) {
          assign(whole: member, of: child, origin: origin, isComposing: isComposing, in: instance)
        }
        let hasChanged = setValue(own, of: field, in: instance)
        let isComposed = isComposing && (hasChanged || instance.fields[field].flags.contains(.isComposing))
        setComposing(isComposed, of: field, hasChanged: hasChanged, in: instance)
      }
    case .row, .later: preconditionFailure("a whole value is no row, and is not held back")
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
    if origin == .user { focusAndMarkEdited(field, in: instance) }
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

  /// Sets the top-level members that are not fields.
  func setOtherMembers(_ others: JSONObject?, in session: Session) {
    guard others != session.extras?.otherMembers.now else { return }
    let extras = session.madeExtras
    edits(of: session)?.noteOtherMembers(of: session)
    session.valueBytes += others.map { JSON.object($0) }.bytes - extras.otherMembers.now.map { JSON.object($0) }.bytes
    extras.otherMembers.now = others
    markForSnapshot(.others, in: session)
    formChanged(.otherMembers, in: session)
    updateFormDirty(session)
  }

  /// A normalized value takes effect. An equal value does not set `isEdited`.
  @inline(__always)
  func applyValue(_ value: consuming JSON?, of field: Int, origin: Origin, isComposing: Bool, in instance: Instance) {
    let state = instance.fields.at(field)
    let hasChanged = setValue(consume value, of: field, in: instance)
    if hasChanged { noteGiven(ValueID(field, in: instance)) }
    var flags = state.pointee.flags
    let before = flags
    if hasChanged && origin == .user {
      flags.formUnion([.isEdited, .isFocused])
      if _slowPath(sender != nil) { notePresence(of: LiveField(field, in: instance)) }
    }
    if _slowPath(flags != before), LiveField(field, in: instance).around != nil {
      focusAndMarkEdited(field, in: instance)
    }
    flags.subtract([.isComposing, .hasMoved])
    if isComposing {
      flags.insert(.isComposing)
      noteComposition(of: field, hasChanged: hasChanged, in: instance)
    }
    if _slowPath(flags != before) { setInputFlags(flags, of: field, valueHasChanged: hasChanged, in: instance) }
    if hasChanged, _slowPath(instance.instanceExtras != nil || instance.template != 0) {
      forgetServerErrors(about: field, in: instance)
    }
  }

  /// Changes the flags of a field that inputs set. Not inlined, because only the first of many changes in a row needs
  /// it.
  @inline(never)
  private func setInputFlags(_ flags: FieldFlags, of field: Int, valueHasChanged: Bool, in instance: Instance) {
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
    for live in LiveField(field, in: instance).outwards
    where live.instance.instanceExtras?.serverErrors[live.field] != nil {
      setServerErrors(of: live.field, in: live.instance) { $0 = [] }
      changed(.attention, ofField: live.field, in: live.instance)
    }
  }

  /// Stores a normalized value and marks the nodes that depend on it. Returns whether it differs from the one before.
  @inline(__always)
  @discardableResult
  func setValue(_ value: consuming JSON?, of field: Int, in instance: Instance) -> Bool {
    guard let growth = growth(from: instance.storage(ofValue: field), to: value) else { return false }
    willChange(field, in: instance)
    let state = instance.fields.at(field)
    if _slowPath(state.pointee.flags.contains(.follows)) {
      stopFollowing(field, insteadOf: state.pointee.value, in: instance)
    }
    if _slowPath(instance.template != 0) { instance.keepInitialValue(state.pointee.value, of: field) }
    state.pointee.value = consume value
    instance.withSession { $0.valueBytes &+= growth }
    changed(.ownValue, ofField: field, in: instance)
    updateDirty(field, of: instance)
    if _slowPath(instance.template != 0) { givenValueChanged(of: field, inRow: instance) }
    return true
  }

  /// By how many bytes a new value is larger than the old one, or nil if they are the same.
  @inline(__always)
  private func growth(from old: Reference<JSON?>, to new: borrowing JSON?) -> Int? {
    switch new {
    case .string(let text)?:
      if let change = old.borrowed.pointee.change(to: text) { return change.isSame ? nil : change.growth }
    default: break
    }
    return growth(fromAny: old, toAny: new)
  }

  @inline(never)
  private func growth(fromAny old: Reference<JSON?>, toAny new: borrowing JSON?) -> Int? {
    (copy new).isIdentical(to: old.pointee) ? nil : (copy new).bytes &- old.pointee.bytes
  }
}

extension JSONObject {
  /// Calls with the name of each member that two objects do not have in common, with the same value.
  static func forEachDifference(_ one: JSONObject?, _ other: JSONObject?, _ body: (String) -> Void) {
    for member in one ?? [:] where other?[member.name] != member.value { body(member.name) }
    for member in other ?? [:] where one?[member.name] == nil { body(member.name) }
  }
}
