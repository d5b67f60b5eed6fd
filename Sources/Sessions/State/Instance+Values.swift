internal import Forms
package import JSON

/// The values of fields: where they lie, what they were initially, and whether and how they can change.
extension Instance {
  /// The current value of a field, normalized, with those of the fields below it; nil when absent. A secret one too: for the engine and
  /// its tests.
  package func value(of field: Int) -> JSON? { value(of: field, .all) }

  /// The memory of a field's value, to be looked at without a copy.
  @inline(__always)
  func place(ofValue field: Int) -> UnsafePointer<JSON?> {
    assert(MemoryLayout<FieldState>.offset(of: \.value) == 0)
    return UnsafeRawPointer(fields + field).assumingMemoryBound(to: JSON?.self)
  }

  /// Gives the field an initial value of its own instead of the form's; in a row, instead of the value that the field has.
  func setInitialValue(_ value: JSON?, of field: Int) {
    let own = madeOwn
    session.valueBytes += value.bytes - (own.initialValues[field] ?? nil).bytes
    own.initialValues[field] = .some(value)
    session.marks?.mark(field, in: self)
  }

  /// Keeps what a field of a row began with, from its first change on; nothing where it began with a formula's value.
  ///
  /// - Parameter value: what the field holds before the change.
  func keepInitialValue(_ value: JSON?, of field: Int) {
    if own?.initialValues[field] == nil, !fields[field].flags.contains(.beganFollowing) {
      setInitialValue(value, of: field)
    }
  }

  /// The value of a field of a row is the one that the field began with.
  func forgetInitialValue(of field: Int) {
    if let value = own?.initialValues.removeValue(forKey: field) { session.valueBytes -= value.bytes }
  }

  /// The same for all fields of the row.
  func forgetInitialValues() {
    session.valueBytes -= initialValueBytes
    own?.initialValues = [:]
  }

  /// The bytes of the initial values that the instance keeps.
  var initialValueBytes: Int { own?.initialValues.values.reduce(0) { $0 + $1.bytes } ?? 0 }

  /// The value that a reset restores, and that `isDirty` compares with; nil for a field that began with a formula's value.
  func initialValue(of field: Int) -> JSON? {
    if fields[field].flags.contains(.beganFollowing) { return nil }
    if let own, let given = own.initialValues[field] { return given }
    return template == 0 ? form.fields[field].ownInitial : fields[field].value
  }

  /// Whether the field can have a value: nothing around it is something else than an object.
  @inline(__always)
  func isReachable(_ field: Int) -> Bool {
    var place = tables.pointee.fields[field].parent
    while place >= 0 {
      if isNoObject(Int(place)) { return false }
      place = tables.pointee.fields[Int(place)].parent
    }
    // A row is in a list that is one.
    return placeAround.map { $0.instance.isReachable($0.field) } ?? true
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
    for (held, _, _, _) in own?.delays[field]?.held?.all ?? [] {
      if held.path.isEmpty {
        value = held.value
      } else if var whole = whole(of: field, from: value), whole.set(held.value, at: held.path[...]) {
        value = whole
      }
    }
    return value
  }
}
