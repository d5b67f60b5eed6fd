internal import CEL
internal import Forms
internal import JSON

/// Fields whose values formulas give: `computed` ones always, `suggested` ones until an input gives them another.
///
/// A node of the graph, ``Graph/Node/computed(_:)``, writes the value of such a field, before all that reads the value. Whether the value is
/// the formula's says the flag `follows`. While it is:
///
/// - The value counts in ``Session/computedBytes``, else in ``Session/valueBytes``.
/// - The field is not dirty, and its value is no part of what a list compares, of initial values, or of a snapshot (``Instance/ValueView/given``).
/// - A value that moves is told.
///
/// An input that gives another value ends the following; one that leaves the value as it is does not, so that a client may echo what it was
/// told. A reset of a field with the flag `beganFollowing` begins it again.
extension Engine {
  /// Evaluates the formula of a field that follows it.
  func computeFormulaValue(_ field: Int, _ instance: Instance) -> FactSet {
    let state = instance.fields + field
    guard state.pointee.flags.contains(.follows), let formula = instance.form.fields[field].valueFormula else {
      return .none
    }
    let value = value(of: formula, for: field, instance)
    if state.pointee.value.isIdentical(to: value) || faults.through(.keepComputed, false, broken: true) { return .none }
    let difference = value.bytes - state.pointee.value.bytes
    let isOpening = instance.withSession {
      $0.computedBytes += difference
      return $0.flags.contains(.isOpening)
    }
    state.pointee.value = value
    // In the first turn, of a restored session too, the value is the one that all know.
    if !isOpening {
      forgetServerErrors(about: field, in: instance)
      state.pointee.flags.insert(.hasMoved)
      tellMoved(field, in: instance)
    }
    return .ownValue
  }

  /// What a formula gives to a field, normalized like an input; nil when it gives nothing, and where the field can have no value.
  private func value(of formula: Formula, for field: Int, _ instance: Instance) -> JSON? {
    guard instance.isInsideOfObjects(field) else { return nil }
    let result = evaluate(formula, in: instance)
    if result.isError {
      report(formula, result)
      return nil
    }
    // Null stands for what is absent.
    guard let value = result.json?.withoutNullMembers, value != .null,
      !FieldChange(field: field, path: [], value: value).isTooDeep
    else { return nil }
    return instance.normalized(value, for: field, budget: &budget)
  }

  /// The value that a field with a formula begins with.
  ///
  /// - Returns: false for a suggested field that is given a value, which is then like any other.
  func begin(_ field: Int, with given: JSON?, in instance: Instance) -> Bool {
    let definition = instance.form.fields[field]
    if !definition.isComputed, definition.normalized(given, budget: &budget) != nil { return false }
    instance.fields[field].flags.formUnion(definition.flagsOfFollowing)
    return true
  }

  /// What a whole value says to a field that follows its formula: nothing where the field is computed, or the value lacks it; then the field
  /// keeps what it has. The client is told that, if the value says something else.
  func value(from given: JSON?, for field: Int, in instance: Instance) -> JSON? {
    let normalized = instance.normalized(given, for: field, budget: &budget)
    let isLacking = given == nil && faults.through(.emptyLacking, true, broken: false)
    guard instance.form.fields[field].isComputed || isLacking else { return normalized }
    let value = instance.fields[field].value
    if !normalized.isIdentical(to: value) { tell(ToldPlace(field, in: instance)) }
    return value
  }

  /// An input has given a suggested field another value than its formula.
  ///
  /// - Parameter old: what the formula has given.
  func stopFollowing(_ field: Int, insteadOf old: JSON?, in instance: Instance) {
    if faults.through(.followOn, true, broken: false) { instance.fields[field].flags.remove(.follows) }
    instance.withSession {
      $0.computedBytes -= faults.through(.miscountFollowing, old.bytes, broken: 0)
      $0.valueBytes += old.bytes
    }
  }

  /// A reset: the field follows its formula as in the beginning.
  func follow(_ field: Int, in instance: Instance) {
    let state = instance.fields + field
    guard !state.pointee.flags.contains(.follows), faults.through(.neverFollowAgain, true, broken: false) else {
      return
    }
    let bytes = state.pointee.value.bytes
    instance.withSession {
      $0.valueBytes -= bytes
      $0.computedBytes += bytes
    }
    state.pointee.flags.insert(.follows)
    changed(.follows, ofField: field, in: instance)
    updateDirty(field, of: instance)
    if instance.template != 0 { valueHasChanged(in: instance) }
  }

  /// A reset that keeps values: a field that was given one has begun with it from now on.
  func keepFollowing(_ field: Int, in instance: Instance) {
    let state = instance.fields + field
    guard !state.pointee.flags.contains(.follows) else { return }
    state.pointee.flags.remove(.beganFollowing)
    if instance.template == 0 { instance.setInitialValue(state.pointee.value, of: field) }
  }

  /// Brings back whether a field follows its formula.
  func restoreFollowing(_ kept: FieldFlags, of field: Int, in instance: Instance) {
    guard !instance.form.fields[field].isComputed, !kept.contains(.follows) else { return }
    if instance.fields[field].flags.contains(.follows) {
      stopFollowing(field, insteadOf: instance.fields[field].value, in: instance)
    }
    if !kept.contains(.beganFollowing) { instance.fields[field].flags.remove(.beganFollowing) }
  }

  /// A field is gone: its value counts no more.
  func forgetBytes(ofValue field: Int, in instance: Instance) {
    let state = instance.fields + field
    let bytes = state.pointee.value.bytes
    let follows = state.pointee.flags.contains(.follows)
    instance.withSession {
      if follows { $0.computedBytes -= bytes } else { $0.valueBytes -= bytes }
    }
  }
}

extension Field {
  /// The flags of following that the field has as long as no input gives it a value.
  var flagsOfFollowing: FieldFlags { valueFormula == nil ? [] : [.follows, .beganFollowing] }
}
