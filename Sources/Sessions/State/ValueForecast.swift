internal import Forms
internal import JSON
internal import TextFormats

/// What changes would make of a session's values, one after the other, without making them.
struct ValueForecast {
  private let session: Session
  /// Whether changes that are held back count as made.
  private let countsHeld: Bool
  /// By field, as ``FieldState/value``: what the changes so far have made of it.
  private var values: [Int: JSON?] = [:]
  /// How many bytes more the values have.
  private(set) var growth = 0
  /// As much as a turn has.
  private var budget = WorkBudget(units: Engine.turnBudget, net: WorkBudget.Net(cpuTimeMax: Engine.turnCPUTimeMax))

  init(_ session: Session, countsHeld: Bool) {
    self.session = session
    self.countsHeld = countsHeld
  }

  private var form: Form { session.form }

  private func value(_ field: Int) -> JSON? {
    if let value = values[field] { return value }
    guard field != FieldChange.root else { return session.extras?.others.now.map { .object($0) } }
    return countsHeld ? session.valueWithHeld(of: field) : session.fields[field].value
  }

  private mutating func put(_ value: JSON?, _ field: Int) {
    growth += value.bytes - self.value(field).bytes
    values[field] = .some(value)
  }

  /// Makes a change.
  ///
  /// - Returns: whether it can be made; if not, nothing is.
  mutating func apply(_ change: FieldChange) -> Bool {
    guard !change.isTooDeep else { return false }
    guard change.field != FieldChange.root else { return applyToRoot(change) }
    var above = form.fields[change.field].parent
    while let field = above {
      switch value(field) {
      case nil, .null?, .object?: above = form.fields[field].parent
      default: return false
      }
    }
    if change.path.isEmpty {
      setWhole(change.value, change.field)
    } else if form.fields[change.field].unit != nil {
      guard let others = session.others(value(change.field), after: change) else { return false }
      put(others, change.field)
    } else {
      guard var whole = session.whole(of: change.field, from: value(change.field)),
        whole.set(change.value, at: change.path[...])
      else { return false }
      put(session.normalized(whole, for: change.field, budget: &budget), change.field)
    }
    // The object that its members make takes the place of a null, or of an empty object, around it.
    if isPresent(change.field) {
      above = form.fields[change.field].parent
      while let field = above {
        if value(field).isNullOrEmpty { put(nil, field) }
        above = form.fields[field].parent
      }
    }
    return true
  }

  private mutating func applyToRoot(_ change: FieldChange) -> Bool {
    guard let others = session.others(value(change.field), after: change) else { return false }
    put(others, change.field)
    return true
  }

  private mutating func setWhole(_ value: JSON?, _ field: Int) {
    guard form.fields[field].unit != nil else {
      return put(session.normalized(value, for: field, budget: &budget), field)
    }
    for child in form.children(of: field) { setWhole(value?.objectValue?[form.fields[child].name], child) }
    put(session.ownPart(of: value, for: field, hasMembers: form.children(of: field).contains(where: isPresent)), field)
  }

  private func isPresent(_ field: Int) -> Bool {
    value(field) != nil || form.fields[field].unit != nil && form.children(of: field).contains(where: isPresent)
  }
}

extension Session {
  /// What an object has beside its fields, after a change of one of those members or of a place inside of it; where the value is a
  /// list, the list after a change of an element.
  ///
  /// - Parameter old: the object's own part, or the list; see ``FieldState/value``.
  /// - Returns: nil when the place cannot exist.
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
    // Null takes a member away.
    let value = change.path.count == 1 && change.value == .null ? nil : change.value
    guard others.set(value, at: change.path[...]) else { return nil }
    // The last member that a change took away takes the object with it.
    if others.objectValue?.isEmpty ?? true { return .some(nil) }
    return .some(others)
  }
}
