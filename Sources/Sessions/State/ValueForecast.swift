internal import Budgets
internal import Formats
internal import Forms
internal import JSON

/// Finds the results of successive changes for a session's values, without making the changes.
struct ValueForecast {
  /// A field of the form (row 0), or of a row.
  private struct Key: Hashable {
    let row: Int
    let field: Int
  }

  private let session: Session
  /// Whether changes that are held back count as made.
  private let countsHeld: Bool
  /// Whether the changes may change read-only fields.
  private let changesReadOnly: Bool
  /// The values after the changes so far, as in ``FieldState/value``.
  private var values: [Key: JSON?] = [:]
  /// The lists that got a value as a whole. Their rows afterwards are not predicted.
  private var replaced: Set<Key> = []
  /// The fields of rows that keep their initial values because of the changes so far.
  private var kept: Set<Key> = []
  /// By how many bytes the values grow. If rows are made, it is an upper bound.
  private(set) var growth = 0
  /// The units of one turn.
  private var budget = WorkBudget(units: Engine.turnBudget)

  init(_ session: Session, countsHeld: Bool, changesReadOnly: Bool = true) {
    self.session = session
    self.countsHeld = countsHeld
    self.changesReadOnly = changesReadOnly
  }

  private var form: Form { session.form }

  private func value(_ field: Int, _ instance: Instance) -> JSON? {
    if let value = values[Key(row: instance.rowID, field: field)] { return value }
    guard field != FieldChange.root else { return session.extras?.others.now.map { .object($0) } }
    return countsHeld ? instance.valueWithHeld(of: field) : instance.fields[field].value
  }

  private mutating func put(_ value: JSON?, _ field: Int, _ instance: Instance) {
    let old = self.value(field, instance)
    if follows(field, instance) {
      // A formula's value counts as computed, and a value that is equal to it is not an input.
      if old.isIdentical(to: value) { return }
      growth += old.bytes
    }
    growth += value.bytes - old.bytes
    if !old.isIdentical(to: value) { keepInitialValue(of: field, instance) }
    values[Key(row: instance.rowID, field: field)] = .some(value)
  }

  /// Whether the value comes from a formula, and no change so far has given another value.
  private func follows(_ field: Int, _ instance: Instance) -> Bool {
    field != FieldChange.root && instance.fields[field].flags.contains(.follows)
      && values[Key(row: instance.rowID, field: field)] == nil
  }

  /// A field of a row changes, or holds a change back: from then on it keeps its initial value.
  mutating func keepInitialValue(of field: Int, _ instance: Instance) {
    guard instance.template != 0, instance.instanceExtras?.initialValues[field] == nil,
      !instance.fields[field].flags.contains(.beganFollowing),
      kept.insert(Key(row: instance.rowID, field: field)).inserted
    else { return }
    growth += instance.fields[field].value.bytes
  }

  /// Makes a change.
  ///
  /// - Returns: whether it can be made. If not, nothing is changed.
  mutating func apply(_ change: FieldChange) -> Bool {
    guard !change.isTooDeep, let instance = session.instance(of: change.row) else { return false }
    guard change.field != FieldChange.root else { return applyToRoot(change) }
    guard !form.fields[change.field].isComputed else { return false }
    var above = LiveField(change.field, in: instance).around
    while let live = above {
      if live.instance.isList(live.field) {
        if replaced.contains(Key(row: live.instance.rowID, field: live.field)) { return false }
      } else if case .some(let value) = value(live.field, live.instance), value != .null, value.objectValue == nil {
        return false
      }
      above = live.around
    }
    if change.path.isEmpty {
      setWhole(change.value, change.field, instance)
    } else if instance.isList(change.field) {
      // There is nothing to remove behind the last row.
      guard change.path == ["-"], change.value != nil,
        value(change.field, instance).map({ $0 == .null || $0.arrayValue != nil }) ?? true
      else {
        return false
      }
      growth += instance.session.bytesMax(ofRow: change.value, in: change.field)
    } else if form.fields[change.field].unit != nil {
      guard let others = instance.others(value(change.field, instance), after: change) else { return false }
      put(others, change.field, instance)
    } else {
      guard var whole = instance.whole(of: change.field, from: value(change.field, instance)),
        whole.set(change.value, at: change.path[...])
      else { return false }
      put(instance.normalized(whole, for: change.field, budget: &budget), change.field, instance)
    }
    // The object that its members make replaces a null, or an empty object, around it.
    if isPresent(change.field, instance) {
      above = LiveField(change.field, in: instance).around
      while let live = above {
        if !live.instance.isList(live.field), value(live.field, live.instance).isNullOrEmpty {
          put(nil, live.field, live.instance)
        }
        above = live.around
      }
    }
    return true
  }

  private mutating func applyToRoot(_ change: FieldChange) -> Bool {
    guard let others = session.others(value(change.field, session), after: change) else { return false }
    put(others, change.field, session)
    return true
  }

  private mutating func setWhole(_ value: JSON?, _ field: Int, _ instance: Instance) {
    // The user's value around a read-only field does not change that field.
    if form.fields[field].isReadOnly, !changesReadOnly { return }
    if instance.isList(field) {
      replaced.insert(Key(row: instance.rowID, field: field))
      for element in value?.arrayValue ?? [] { growth += session.bytesMax(ofRow: element, in: field) }
      return put(instance.ownPart(ofList: value, at: field), field, instance)
    }
    guard form.fields[field].unit != nil else {
      if form.fields[field].isComputed || value == nil && follows(field, instance) { return }
      return put(instance.normalized(value, for: field, budget: &budget), field, instance)
    }
    for child in form.children(of: field) { setWhole(value?.objectValue?[form.fields[child].name], child, instance) }
    let hasMembers = form.children(of: field).contains { isPresent($0, instance) }
    put(instance.ownPart(of: value, for: field, hasMembers: hasMembers), field, instance)
  }

  private func isPresent(_ field: Int, _ instance: Instance) -> Bool {
    value(field, instance) != nil && !follows(field, instance)
      || form.fields[field].unit != nil && form.children(of: field).contains { isPresent($0, instance) }
  }
}

extension Session {
  /// The position of the first of successive changes that cannot be applied, or nil when all can. A change can be
  /// applied when its path leads to a member or element that exists, or to the position behind the last one. The engine
  /// skips a change that cannot be applied, so a caller that must not lose one silently asks first.
  public func firstUnacceptable(in changes: [FieldChange]) -> Int? {
    // Whole values of top-level fields do not depend on each other, and nothing has to be predicted.
    if changes.allSatisfy(isWhole) { return nil }
    var forecast = ValueForecast(self, countsHeld: true)
    return changes.firstIndex { !forecast.apply($0) }
  }

  /// Whether a change leads somewhere.
  public func isAcceptable(_ change: FieldChange) -> Bool {
    isWhole(change) || firstUnacceptable(in: [change]) == nil
  }

  /// Whether a change is of the whole value of a top-level field.
  private func isWhole(_ change: FieldChange) -> Bool {
    change.path.isEmpty && change.field >= 0 && form.fields[change.field].around == nil
      && !form.fields[change.field].isComputed && !change.isTooDeep
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
