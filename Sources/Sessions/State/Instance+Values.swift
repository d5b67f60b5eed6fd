internal import Forms
package import JSON

/// The values of fields: their memory, their initial values, and whether and how they can change.
extension Instance {
  /// The current value of a field, normalized, with the values of the fields below it. It is nil when absent. Secret
  /// values are included: for the engine and its tests.
  package func value(of field: Int) -> JSON? { value(of: field, .all) }

  /// The memory of a field's value, for reading without a copy.
  @inline(__always)
  func storage(ofValue field: Int) -> Reference<JSON?> { fields.value(at: field) }

  /// Gives the field an initial value of its own instead of the form's. In a row, it replaces the current value of the
  /// field as the initial one.
  func setInitialValue(_ value: JSON?, of field: Int) {
    let instanceExtras = madeInstanceExtras
    session.valueBytes += value.bytes - (instanceExtras.initialValues[field] ?? nil).bytes
    instanceExtras.initialValues[field] = .some(value)
    session.madeMarks?.mark(field, in: self)
  }

  /// Keeps the initial value of a row's field at its first change. It does nothing if the field began with a formula's
  /// value.
  ///
  /// - Parameter value: the value before the change.
  func keepInitialValue(_ value: JSON?, of field: Int) {
    if instanceExtras?.initialValues[field] == nil, !fields[field].flags.contains(.beganFollowing) {
      setInitialValue(value, of: field)
    }
  }

  /// The current value of a row's field becomes its initial value.
  func forgetInitialValue(of field: Int) {
    if let value = instanceExtras?.initialValues.removeValue(forKey: field) { session.valueBytes -= value.bytes }
  }

  /// The current values of all fields of the row become their initial values.
  func forgetInitialValues() {
    session.valueBytes -= initialValueBytes
    instanceExtras?.initialValues = [:]
  }

  /// The bytes of the initial values that the instance keeps.
  var initialValueBytes: Int { instanceExtras?.initialValues.values.reduce(0) { $0 + $1.bytes } ?? 0 }

  /// The value that a reset restores, and that `isDirty` compares with. It is nil for a field that began with a
  /// formula's value.
  func initialValue(of field: Int) -> JSON? {
    if fields[field].flags.contains(.beganFollowing) { return nil }
    if let instanceExtras, let given = instanceExtras.initialValues[field] { return given }
    return template == 0 ? form.fields[field].ownInitial : fields[field].value
  }

  /// Whether the field can have a value: everything around it is an object.
  func isReachable(_ field: Int) -> Bool {
    LiveField(field, in: self).allAround.allSatisfy { !$0.instance.isNoObject($0.field) }
  }

  /// The value that a change of a part applies to. It is the field's value, or, while it has none, an empty value of
  /// the schema's type. It is nil when the type has no parts.
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
}
