internal import CEL
internal import Forms
internal import JSON

/// Fields with `resetWhen` or `resetOn`: such a field goes back to its beginning when the results of its formulas, its
/// *trigger*, change by the user's hand.
///
/// A node of the graph, ``Graph/Node/trigger(_:)``, computes the formulas and notes the field if a result has changed.
/// When nothing is stale any more, the noted fields are reset, and what depends on them is computed. This may note
/// other fields. Each field is reset once in a turn at most, so two fields may reset each other. When no field is left
/// to be reset, the fields that the turn has hidden are cleared (`Engine+Hiding.swift`).
extension Engine {
  /// Computes the trigger of a field, and notes the field if the trigger has changed.
  func computeTrigger(_ field: Int, _ instance: Instance) {
    let now = instance.form.fields[field].trigger.map { result(of: $0, instance) }
    let instanceExtras = instance.madeInstanceExtras
    let before = instanceExtras.triggers[field]
    if let before, zip(before, now).allSatisfy({ $0.isIdentical(to: $1) }) { return }
    instance.withSession { session in
      session.computedBytes += now.reduce(0) { $0 + $1.bytes } - (before ?? []).reduce(0) { $0 + $1.bytes }
    }
    instanceExtras.triggers[field] = now
    // In the beginning there is nothing to go back from.
    if before == nil || isOpening { return }
    renewTurnResets()
    turnResets.noted.append(LiveField(field, in: instance))
    hasLeftovers = true
  }

  private func result(of formula: Formula, _ instance: Instance) -> JSON? {
    let value = evaluate(formula, in: instance)
    if value.isError { report(formula, value, in: instance) }
    return value.isError ? nil : value.json
  }

  /// The user gives a field a value, or changes the rows of a list.
  func noteUser(_ id: ValueID, in session: Session) {
    renewTurnResets()
    turnResets.isByUser = true
    turnResets.given.insert(id)
    turnResets.around.formUnion(session.valuesAround(id))
  }

  /// Drops the notes of an earlier turn.
  func renewTurnResets() {
    if turnResets.turn != turnNumber { turnResets = TurnResets(turn: turnNumber) }
  }

  /// Resets the noted fields, clears the hidden ones, and does so with those that are noted because of that. A value
  /// that the user has given in this turn is not reset.
  func resetNotedFields(of session: Session) {
    turnResets.areUnderWay = true
    defer { turnResets.areUnderWay = false }
    while !turnResets.noted.isEmpty || !turnResets.hidden.isEmpty {
      if turnResets.noted.isEmpty {
        recordEdit(in: session, if: turnResets.isByUser) { clearHiddenFields() }
        propagate(session)
        continue
      }
      let noted = turnResets.noted
      turnResets.noted = []
      guard turnResets.isByUser else { continue }
      for live in noted where !(live.instance.row?.isGone ?? false) {
        let id = ValueID(live)
        if turnResets.around.contains(id) || !turnResets.given.isDisjoint(with: session.valuesAround(id)) { continue }
        guard turnResets.done.insert(id).inserted else { continue }
        recordEdit(in: session) { reset(live) }
      }
      propagate(session)
    }
  }
}

/// The fields that a turn has to reset and to clear.
struct TurnResets {
  /// The turn, by ``Engine/turnNumber``. In another turn all this is out of date.
  var turn = -1
  /// Whether the user has changed a value.
  var isByUser = false
  /// The values that the user has given, and these values with all values around them.
  var given: Set<ValueID> = []
  var around: Set<ValueID> = []
  /// The fields whose trigger has changed. None between turns.
  var noted: [LiveField] = []
  /// The fields that were reset.
  var done: Set<ValueID> = []
  /// The fields that the turn has hidden, and that lose their values with that. None between turns.
  var hidden: [LiveField] = []
  /// Whether such a field was shown before the turn, as far as the turn has shown or hidden it.
  var wasShown: [ValueID: Bool] = [:]
  /// Whether hidden fields keep their values in any case.
  var keepsHidden = false
  /// Whether fields are being reset.
  var areUnderWay = false
}
