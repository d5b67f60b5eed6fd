internal import CEL
internal import Forms
internal import JSON

/// Initial values: fields begin with them, and formulas read them as `initial`.
extension Engine {
  func setInitialValues(_ values: JSONObject?, of session: Session, appliesDefaults: Bool = true) {
    let values = values ?? [:]
    // There may be far more members than fields, so the fields are looked up among the members.
    var isField = [Bool](repeating: false, count: values.count)
    for field in session.form.children(of: nil) {
      let position = values.position(of: session.form.fields[field].name)
      if let position { isField[position] = true }
      let given: JSON?? = position.map { .some(values[$0].value) } ?? (appliesDefaults ? nil : .some(nil))
      setInitialValue(given, of: field, in: session, isComplete: !appliesDefaults)
    }
    guard isField.contains(false) else { return }
    // Without a field among them, the session shares the members of the caller. A copy of 100,000 takes 10 ms.
    let object = isField.contains(true) ? values.filter { !isField[$0] } : values
    session.madeExtras.otherMembers = (object, object)
    session.valueBytes += 2 * JSON.object(object).approximateBytes
  }

  /// Gives a field its initial value.
  ///
  /// - Parameters:
  ///   - given: the value with which the session was opened. If nil, no value was given, so the schema's default
  ///     counts. If `.some(nil)`, the value given for an object around it was not an object.
  ///   - isComplete: whether missing members of an object are absent, whatever the schema's defaults are.
  ///   - ofUser: whether the user gives the value, in a new row. Then a read-only field has no given value, and the
  ///     client gets the field's actual value.
  func setInitialValue(
    _ given: JSON??,
    of field: Int,
    in instance: Instance,
    isComplete: Bool = false,
    ofUser: Bool = false
  ) {
    let definition = instance.form.fields[field]
    var given = given
    if ofUser, definition.isReadOnly, given != nil {
      given = nil
      tell(ValueID(field, in: instance))
    }
    let value: JSON?
    if definition.mayFollow, beginFollowing(field, with: given, in: instance) { return }
    if definition.unit == nil {
      value = definition.normalized(given ?? definition.initial, instance.session.conventions, budget: &budget)
    } else if instance.isList(field) {
      let whole = given ?? definition.initial
      value = instance.ownPart(ofList: whole, at: field)
      setInitialRows(whole?.arrayValue ?? [], of: instance.list(of: field), isComplete: isComplete, ofUser: ofUser)
    } else {
      if given == .some(.null) { instance.fields[field].flags.formUnion([.isRemoved, .beganRemoved]) }
      setInitialMembers(given, of: field, in: instance, isComplete: isComplete, ofUser: ofUser)
      value = instance.ownPart(of: given ?? definition.initial, for: field, hasMembers: instance.hasMembers(field))
    }
    // A new row's own values are its initial values.
    if instance.template == 0, given != nil || value != definition.ownInitial {
      instance.setInitialValue(value, of: field)
    }
    instance.fields[field].value = value
    instance.session.valueBytes += value.bytes
  }

  private func setInitialMembers(
    _ given: JSON??,
    of field: Int,
    in instance: Instance,
    isComplete: Bool,
    ofUser: Bool
  ) {
    for child in instance.form.children(of: field) {
      let inner: JSON?? =
        switch given {
        case nil: nil
        case .some(.object(let members)?):
          members[instance.form.fields[child].name].map { .some($0) } ?? (isComplete ? .some(nil) : nil)
        default: .some(nil)
        }
      setInitialValue(inner, of: child, in: instance, isComplete: isComplete, ofUser: ofUser)
    }
  }

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
}

extension Instance {
  /// The value with which a field began, with the fields below it; nil without one. A field that began with a formula's
  /// value has none.
  func wholeInitialValue(of field: Int) -> JSON? {
    let own = initialValue(of: field)
    guard tables.pointee.fields.at(field).hasFieldsBelow else { return own }
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
    guard tables.pointee.fields.at(field).hasFieldsBelow else { return definition.type.value(of: value) }
    // An object has another type only if the schema admits it.
    return value.objectValue != nil || definition.types.contains(value.typeName) ? Value(value) : .null
  }
}
