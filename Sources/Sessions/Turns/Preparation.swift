internal import Budgets
internal import Forms
internal import JSON

/// Computes what successive changes give to the fields of a session, and changes nothing. Each change is computed for
/// the values that the changes before it leave.
struct Preparation {
  /// A field of the form (row 0), or of a row.
  private struct Key: Hashable {
    let row: Int
    let field: Int

    init(_ field: Int, _ instance: Instance) {
      row = instance.rowID
      self.field = field
    }
  }

  private let session: Session
  private var origin: Origin
  /// Whether nothing reads the values that the changes leave.
  private let valuesAreUnread: Bool
  /// The values after the changes so far, as in ``FieldState/value``.
  private var values: [Key: JSON?] = [:]
  /// The rows of lists that get a value as a whole. Some of them may stay, but no change can rely on that.
  private var replacedRows: Set<Int> = []
  /// The fields of rows that keep their initial values because of the changes so far.
  private var keepingInitial: Set<Key> = []
  /// The fields whose delayed changes count as made.
  private var flushed: Set<Key> = []
  /// By how much the session grows. If rows are made, or changes are held back, it is an upper bound.
  private(set) var growth = Growth()
  private(set) var budget: WorkBudget

  init(_ session: Session, origin: Origin, budget: WorkBudget, valuesAreUnread: Bool = false) {
    self.session = session
    self.origin = origin
    self.budget = budget
    self.valuesAreUnread = valuesAreUnread
  }

  private var form: Form { session.form }

  // MARK: One change

  /// Prepares a change that comes in.
  ///
  /// - Returns: nil if the change cannot be applied.
  mutating func prepare(_ change: FieldChange) -> Assignment? {
    guard !replacedRows.contains(change.row), let instance = session.instance(of: change.row) else { return nil }
    guard change.field != FieldChange.root, instance.tables.pointee.fields[change.field].hasTiming else {
      return assignment(of: change, in: instance)
    }
    flush(change.field, in: instance)
    keepInitialValue(of: change.field, in: instance)
    let bytes = growth.bytes + session.heldBytes(of: change)
    guard assignment(of: change, in: instance) != nil else { return nil }
    growth.bytes = bytes
    return .later
  }

  /// Prepares a change that takes effect at once.
  ///
  /// - Returns: nil if the change cannot be applied.
  mutating func assignment(of change: FieldChange, in instance: Instance) -> Assignment? {
    let field = change.field
    if change.isTooDeep { return nil }
    guard field != FieldChange.root else {
      return instance.others(value(field, instance), after: change).map { give($0, to: field, in: instance) }
    }
    guard !form.fields[field].isComputed, origin.mayChangeReadOnly || !form.fields[field].isReadOnly,
      isReachable(field, in: instance)
    else { return nil }
    let assignment: Assignment
    switch (isWhole: change.path.isEmpty, hasFieldsBelow: form.fields[field].unit != nil) {
    case (true, true):
      // The delayed changes below it take effect before it.
      flush(field, in: instance)
      assignment = whole(change.value, of: field, isRemoved: change.value?.isNull ?? true, in: instance)
    case (true, false):
      assignment = give(instance.normalized(change.value, for: field, budget: &budget), to: field, in: instance)
    case (false, true) where instance.isList(field):
      // There is nothing to remove behind the last row.
      let list = value(field, instance) ?? .null
      guard change.path == ["-"], let row = change.value, list.isNull || list.arrayValue != nil else { return nil }
      growth += session.growthMax(ofRow: row, in: field)
      give([], to: field, in: instance)
      assignment = .row(row)
    case (false, true):
      guard let others = instance.others(value(field, instance), after: change) else { return nil }
      assignment = give(others, to: field, in: instance)
    case (false, false):
      guard var whole = instance.whole(of: field, from: value(field, instance)),
        whole.set(change.value, at: change.path[...])
      else { return nil }
      assignment = give(instance.normalized(whole, for: field, budget: &budget), to: field, in: instance)
    }
    if instance.isTopLevel(field) || !hasValue(field, in: instance) { return assignment }
    // The object that its members make replaces a null, or an empty object, around the field.
    for live in LiveField(field, in: instance).allAround
    where !live.instance.isList(live.field) && value(live.field, live.instance).isNullOrEmpty {
      give(nil, to: live.field, in: live.instance)
    }
    return assignment
  }

  /// Prepares the whole value of a field, with the values of the fields below it.
  mutating func whole(_ value: JSON?, of field: Int, isRemoved: Bool, in instance: Instance) -> Assignment {
    // The user's value around a read-only field does not change that field.
    if form.fields[field].isReadOnly, !origin.mayChangeReadOnly { return .stays(insteadOf: value) }
    if instance.isList(field) {
      replaceRows(of: instance.list(of: field), by: value)
      give(instance.ownPart(ofList: value, at: field), to: field, in: instance)
      return .rows(value)
    }
    guard form.fields[field].unit != nil else {
      let normalized = instance.normalized(value, for: field, budget: &budget)
      if follows(field, in: instance), form.fields[field].isComputed || value == nil {
        return .stays(insteadOf: normalized)
      }
      return give(normalized, to: field, in: instance)
    }
    let children = form.children(of: field)
    let members = children.map { child in
      let member = value?.objectValue?[form.fields[child].name]
      return whole(member, of: child, isRemoved: member == .null, in: instance)
    }
    let own = instance.ownPart(of: value, for: field, hasMembers: children.contains { hasValue($0, in: instance) })
    give(own, to: field, in: instance)
    return .object(own, members: members, isRemoved: isRemoved)
  }

  // MARK: The values so far

  private func value(_ field: Int, _ instance: Instance) -> JSON? {
    if let value = values[Key(field, instance)] { return value }
    return field == FieldChange.root
      ? session.extras?.otherMembers.now.map { .object($0) } : instance.fields[field].value
  }

  /// Whether the value comes from a formula, and no change so far has given another value.
  private func follows(_ field: Int, in instance: Instance) -> Bool {
    field != FieldChange.root && instance.fields[field].flags.contains(.follows) && values[Key(field, instance)] == nil
  }

  /// Whether a field has a value that an input has given: see ``Instance/hasValue(_:)``.
  private func hasValue(_ field: Int, in instance: Instance) -> Bool {
    value(field, instance) != nil && !follows(field, in: instance)
      || form.fields[field].unit != nil && form.children(of: field).contains { hasValue($0, in: instance) }
  }

  /// Whether everything around a field can have members, after the changes so far: as ``Instance/isReachable(_:)`` says
  /// for the values of the session. The rows of a list that cannot are among the replaced ones.
  private func isReachable(_ field: Int, in instance: Instance) -> Bool {
    LiveField(field, in: instance).allAround.allSatisfy { live in
      let value = value(live.field, live.instance) ?? .null
      return live.instance.isList(live.field) || value.isNull || value.objectValue != nil
    }
  }

  /// A field gets a normalized value.
  @discardableResult
  private mutating func give(_ value: JSON?, to field: Int, in instance: Instance) -> Assignment {
    let old = self.value(field, instance)
    let isSame = old.isIdentical(to: value)
    // A formula's value counts as computed, and a value that is equal to it is not an input.
    if follows(field, in: instance) {
      if isSame { return .value(value) }
      growth.bytes += old.bytes
    }
    growth.bytes += value.bytes - old.bytes
    if !isSame { keepInitialValue(of: field, in: instance) }
    if !valuesAreUnread { values[Key(field, instance)] = .some(value) }
    return .value(value)
  }

  /// A field of a row changes, or holds a change back: from then on it keeps its initial value.
  private mutating func keepInitialValue(of field: Int, in instance: Instance) {
    guard instance.template != 0, instance.instanceExtras?.initialValues[field] == nil,
      !instance.fields[field].flags.contains(.beganFollowing), keepingInitial.insert(Key(field, instance)).inserted
    else { return }
    growth.bytes += instance.fields[field].value.bytes
  }

  /// The rows of a list's whole value replace the rows of the list.
  private mutating func replaceRows(of list: RowList, by value: JSON?) {
    for row in list.rows {
      row.forEachInstance { if replacedRows.insert($0.rowID).inserted { growth.rows -= 1 } }
    }
    for element in value?.arrayValue ?? [] { growth += session.growthMax(ofRow: element, in: list.field) }
  }

  /// The delayed changes of a field, and of the fields below it, count as made. The session has their bytes already.
  private mutating func flush(_ field: Int, in instance: Instance) {
    guard session.holdsChanges else { return }
    let before = (growth, origin)
    for live in instance.fieldsWithHeldChanges(from: field)
    where flushed.insert(Key(live.field, live.instance)).inserted {
      for held in live.instance.instanceExtras?.delays[live.field]?.held?.all ?? [] {
        origin = held.origin
        _ = assignment(of: held.change, in: live.instance)
      }
    }
    (growth, origin) = before
  }
}

extension Instance {
  /// The object's own part after a change of a member that is not a field, or of a value inside such a member. If the
  /// value is a list, it is the list after a change of an element.
  ///
  /// - Parameter old: the object's own part, or the list: see ``FieldState/value``.
  /// - Returns: nil when the path cannot exist.
  func others(_ old: JSON?, after change: FieldChange) -> JSON?? {
    if case .array(let elements)? = old {
      var list = JSON.array(elements)
      return list.set(change.value, at: change.path[...]) ? .some(list) : nil
    }
    if change.field != FieldChange.root, form.isElement(change.path[0], of: change.field) { return nil }
    var others: JSON
    switch old {
    case nil, .null?: others = .object([:])
    case .object?: others = old ?? .null
    default: return nil
    }
    // Null removes a member.
    let value = change.path.count == 1 && change.value == .null ? nil : change.value
    guard others.set(value, at: change.path[...]) else { return nil }
    // If a change removes the last member, the object goes, too. An empty object had no member.
    if others.objectValue?.isEmpty ?? true { return .some(old.isNullOrEmpty ? old : nil) }
    return .some(others)
  }
}
