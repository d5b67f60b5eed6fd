internal import CEL
internal import Forms
internal import JSON
internal import JSONSchema

/// Fields whose values come from formulas: `computed` fields always, `suggested` fields until an input gives them
/// another value.
///
/// A node of the graph, ``Graph/Node/computed(_:)``, writes the value of such a field before all nodes that read the
/// value. The flag `follows` says whether the value is the formula's. While it is set:
///
/// - The value counts in ``Session/computedBytes``. Otherwise it counts in ``Session/valueBytes``.
/// - The field is not dirty. Its value is not part of list comparisons, of initial values, or of a snapshot
///   (``Instance/ValueView/given``).
/// - A value that changes is sent to the client.
///
/// An input that gives another value ends the following. An input of the current value does not end it, so a client may
/// echo the value that it got. A reset of a field with the flag `beganFollowing` begins it again.
extension Engine {
  /// Evaluates the formula of a field that follows it.
  func computeFormulaValue(_ field: Int, _ instance: Instance) -> FactSet {
    let state = instance.fields.at(field)
    guard state.pointee.flags.contains(.follows) else { return .none }
    let definition = instance.form.fields[field]
    let value =
      if let formula = definition.valueFormula {
        value(of: formula, for: field, instance)
      } else {
        conditionalDefault(of: definition, at: field, instance)
      }
    if state.pointee.value.isIdentical(to: value) { return .none }
    let difference = value.bytes - state.pointee.value.bytes
    instance.withSession { $0.computedBytes += difference }
    state.pointee.value = value
    // In the first turn, also the first turn of a restored session, all clients know the value already.
    if !isOpening {
      forgetServerErrors(about: field, in: instance)
      state.pointee.flags.insert(.hasMoved)
      tellMoved(field, in: instance)
      if definition.isComputed { noteRecomputed(field, in: instance) }
    }
    return .ownValue
  }

  /// The value of a computed field has changed, other than by a reset.
  private func noteRecomputed(_ field: Int, in instance: Instance) {
    guard !instance.session.flags.contains(.isResetting), !(instance.row?.isNew ?? false),
      !instance.fields[field].flags.contains(.hasBeenRecomputed)
    else { return }
    instance.fields[field].flags.insert(.hasBeenRecomputed)
    markForSnapshot(field, in: instance)
    changed(.attention, ofField: field, in: instance)
  }

  /// The value that a formula gives to a field, normalized like an input. It is nil when the formula gives nothing, or
  /// when the field cannot have a value.
  private func value(of formula: Formula, for field: Int, _ instance: Instance) -> JSON? {
    guard instance.isInsideOfObjects(field) else { return nil }
    let result = evaluate(formula, in: instance)
    if result.isError {
      report(formula, result, in: instance)
      return nil
    }
    // Null means an absent value.
    guard let value = result.json?.withoutNullMembers, value != .null,
      !FieldChange(field: field, path: [], value: value).isTooDeep
    else { return nil }
    return instance.normalized(value, for: field, budget: &budget)
  }

  /// The default that the first branch of the schema that holds gives to a field, normalized like an input.
  private func conditionalDefault(of definition: Field, at field: Int, _ instance: Instance) -> JSON? {
    guard instance.isInsideOfObjects(field), !instance.isInsideRemoved(field) else { return nil }
    for conditional in definition.conditionalDefaults where conditional.branches.allSatisfy({ holds($0, instance) }) {
      return instance.normalized(conditional.value, for: field, budget: &budget)
    }
    return nil
  }

  /// Whether a branch of the schema holds for the values that are shown. An object that is absent counts as empty.
  private func holds(_ branch: ConditionalDefault.Branch, _ instance: Instance) -> Bool {
    let outer = instance.instance(of: branch.template)
    var members: [JSONObject.Member] = []
    for member in branch.members {
      guard let value = outer.value(of: member, .shown) else { continue }
      members.append(JSONObject.Member(name: outer.form.fields[member].name, value: value))
    }
    if branch.readsOtherMembers {
      let others = branch.field.map { outer.fields[$0].value?.objectValue } ?? outer.session.extras?.otherMembers.now
      for other in others ?? [:] { members.append(other) }
    }
    return branch.condition.holds(for: .object(JSONObject(uncheckedMembers: members)), budget: &budget)
  }

  /// Begins a field with a formula, or with a default in a branch of the schema: the field follows it from then on.
  ///
  /// - Parameter given: the value that it is given, as in ``setInitialValue(_:of:in:isComplete:ofUser:)``.
  /// - Returns: false for a field that is not computed and is given a value. Such a field is then like any other.
  func beginFollowing(_ field: Int, with given: JSON??, in instance: Instance) -> Bool {
    let definition = instance.form.fields[field]
    if definition.valueFormula == nil {
      // A null that was given is no default, and neither is what is not to be filled in.
      if case .some(.some) = given { return false }
      if instance.session.flags.contains(.ignoresDefaults) { return false }
    } else if !definition.isComputed,
      definition.normalized(given ?? nil, instance.session.conventions, budget: &budget) != nil
    {
      return false
    }
    instance.fields[field].flags.formUnion(definition.flagsOfFollowing)
    return true
  }

  /// An input has given a suggested field another value than its formula.
  ///
  /// - Parameter old: the value that the formula has given.
  func stopFollowing(_ field: Int, insteadOf old: JSON?, in instance: Instance) {
    instance.fields[field].flags.remove(.follows)
    instance.withSession {
      $0.computedBytes -= old.bytes
      $0.valueBytes += old.bytes
    }
  }

  /// A reset: the field follows its formula as in the beginning.
  func follow(_ field: Int, in instance: Instance) {
    let state = instance.fields.at(field)
    guard !state.pointee.flags.contains(.follows) else { return }
    willChange(field, in: instance)
    let bytes = state.pointee.value.bytes
    instance.withSession {
      $0.valueBytes -= bytes
      $0.computedBytes += bytes
    }
    state.pointee.flags.insert(.follows)
    changed(.follows, ofField: field, in: instance)
    updateDirty(field, of: instance)
    if instance.template != 0 { givenValueChanged(of: field, inRow: instance) }
  }

  /// A reset that keeps values: a given value is the field's initial value from now on.
  func keepFollowing(_ field: Int, in instance: Instance) {
    let state = instance.fields.at(field)
    guard !state.pointee.flags.contains(.follows) else { return }
    // In the new beginning it does not follow its formula, so no edit of before can bring that back.
    instance.session.extras?.edits?.forget(field, in: instance)
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

  /// A field is gone, or comes back: its value no longer counts, or counts again.
  func count(_ sign: Int, bytesOfValue field: Int, in instance: Instance) {
    let state = instance.fields.at(field)
    let bytes = sign * state.pointee.value.bytes
    let follows = state.pointee.flags.contains(.follows)
    instance.withSession {
      if follows { $0.computedBytes += bytes } else { $0.valueBytes += bytes }
    }
  }
}

extension Field {
  /// The flags of following that the field has as long as no input gives it a value.
  var flagsOfFollowing: FieldFlags { mayFollow ? [.follows, .beganFollowing] : [] }
}
