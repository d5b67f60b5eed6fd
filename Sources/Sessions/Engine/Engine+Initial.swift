internal import CEL
internal import Forms
internal import JSON

/// Initial values: formulas read them as `initial`, and a field can trust its own until it is changed.
extension Engine {
  /// Stores the initial values of an instance that formulas read.
  ///
  /// - Returns: whether one differs from the value stored before.
  @discardableResult
  func storeInitialValues(of instance: Instance) -> Bool {
    let read = instance.form.initialsRead[instance.template]
    var hasChanged = false
    for field in read {
      let slot = instance.form.slots.offset(instance.form.slots.initials[field])
      if store(instance.initialForFormulas(field), in: slot, of: instance) { hasChanged = true }
    }
    return hasChanged
  }

  /// The initial values of a session, and of its rows, are others than before.
  func initialValuesChanged(in session: Session) {
    guard session.form.initialsRead.contains(where: { !$0.isEmpty }) else { return }
    var hasChanged = false
    session.forEachInstance { if storeInitialValues(of: $0) { hasChanged = true } }
    if hasChanged { formChanged(.initials, in: session) }
  }

  /// The errors of a field that count. A field in a blank row that its list ignores has none.
  @inline(never)
  func unforgiven(_ errors: ErrorList, of field: Int, _ instance: Instance) -> ErrorList {
    instance.isIgnored ? .none : trusting(errors, of: field, instance)
  }

  /// The errors of a field. If its value is an initial one that is trusted, they are warnings, except errors of a
  /// server.
  ///
  /// An absent value is not trusted: a field that needs a value has none in the beginning, too.
  private func trusting(_ errors: ErrorList, of field: Int, _ instance: Instance) -> ErrorList {
    guard !errors.isEmpty, instance.trustsValue(of: field) else { return errors }
    let locale = instance.withSession { $0.localeIndex }
    let trusted = errors.all.map { error in
      error.source(in: instance.form) == .server
        ? error : .detailed(ErrorDetail(warningOf: error, instance.form, locale: locale))
    }
    return trusted.count == 1 ? .one(trusted[0]) : .many(trusted)
  }
}

extension Instance {
  /// The value with which a field began, with the fields below it; nil without one. A field that began with a formula's
  /// value has none.
  func wholeInitialValue(of field: Int) -> JSON? {
    let own = initialValue(of: field)
    guard tables.pointee.fields[field].group >= 0 else { return own }
    if isList(field) {
      guard case .array? = own else { return own }
      return .array(list(of: field).initial.map(\.value))
    }
    var members: [JSONObject.Member] = []
    for child in form.children(of: field) {
      if let value = wholeInitialValue(of: child) {
        members.append(JSONObject.Member(name: form.fields[child].name, value: value))
      }
    }
    switch own {
    case nil: return members.isEmpty ? nil : .object(JSONObject(uncheckedMembers: members))
    case .object(let others)?: return .object(JSONObject(uncheckedMembers: members + Array(others)))
    case let other?: return members.isEmpty ? other : .object(JSONObject(uncheckedMembers: members))
    }
  }

  /// The initial value of a field as formulas read it.
  func initialForFormulas(_ field: Int) -> Value {
    let definition = form.fields[field]
    guard let value = wholeInitialValue(of: field), definition.type.mayRead(value) else { return .null }
    guard tables.pointee.fields[field].group >= 0 else { return definition.type.value(of: value) }
    // An object has another type only if the schema admits it.
    return value.objectValue != nil || definition.types.contains(value.typeName) ? Value(value) : .null
  }

  /// Whether the value of a field is a trusted initial value.
  func trustsValue(of field: Int) -> Bool {
    tables.pointee.fields[field].trustsInitial && !fields[field].flags.contains(.isEmpty) && hasInitialValue(field)
  }

  /// Whether a field has the value with which the session began, in a session that trusts such values. The value of a
  /// formula is not dirty, but it is no such value either.
  func hasInitialValue(_ field: Int) -> Bool {
    fields[field].flags.isDisjoint(with: [.isDirty, .follows]) && trustsBeginning
  }

  /// Whether its initial values can be trusted: it was there in the beginning, and the session does not judge them.
  var trustsBeginning: Bool { isOfBeginning && !withSession { $0.flags.contains(.trustsNothing) } }

  /// Whether it was there in the beginning: the form, or a row that its list began with.
  private var isOfBeginning: Bool {
    guard let row else { return true }
    let list = row.list
    return (list.hasInitialRows || list.initial.contains { $0.id == row.id }) && list.owner.isOfBeginning
  }
}

extension Session {
  /// The values that differ from the initial values: members of objects one by one, lists and other values whole. A
  /// value that is gone is null. Hidden fields are left out, and so are values that follow a formula.
  var changes: JSONObject {
    var changes = changes(of: nil)
    let (now, initial) = extras?.others ?? (nil, nil)
    changes.addDifference(of: now, from: initial)
    return changes
  }

  private func changes(of field: Int?) -> JSONObject {
    var changes = JSONObject()
    for child in form.children(of: field)
    where fields[child].flags.isSuperset(of: [.isDirty, .isVisible]) {
      changes[form.fields[child].name] = change(of: child)
    }
    return changes
  }

  private func change(of field: Int) -> JSON {
    let value = value(of: field, .shown) ?? .null
    guard case .object(let whole) = value, case .object(let initial)? = wholeInitialValue(of: field) else {
      return value
    }
    let hasFields = tables.pointee.fields[field].group >= 0
    var changes = changes(of: field)
    changes.addDifference(
      of: hasFields ? fields[field].value?.objectValue : whole,
      from: hasFields ? initialValue(of: field)?.objectValue : initial
    )
    return .object(changes)
  }
}

extension JSONObject {
  /// Adds the members of the merge patch (RFC 7396) that turns one object into another.
  fileprivate mutating func addDifference(of now: JSONObject?, from initial: JSONObject?) {
    let patch = JSON.object(initial ?? [:]).mergePatch(to: .object(now ?? [:]))
    for member in patch?.objectValue ?? [:] { self[member.name] = member.value }
  }
}

extension FieldError {
  fileprivate func source(in form: Form) -> ErrorSource {
    switch self {
    case .prepared(let reference): form.errors[reference.address].source
    case .detailed(let detail): detail.source
    }
  }
}

extension ErrorDetail {
  /// A warning with the content of an error.
  fileprivate convenience init(warningOf error: FieldError, _ form: Form, locale: Int) {
    switch error {
    case .prepared(let reference):
      let prepared = form.errors[reference.address]
      self.init(
        code: prepared.code,
        severity: .warning,
        source: prepared.source,
        message: prepared.message[locale]
      )
    case .detailed(let detail):
      self.init(
        code: detail.code,
        path: detail.path,
        severity: .warning,
        source: detail.source,
        message: detail.message,
        parameters: detail.parameters
      )
    }
  }
}
