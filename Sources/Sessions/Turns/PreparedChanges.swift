internal import Budgets
internal import Forms
internal import JSON

/// Changes of a session's values whose meaning is computed, but which are not applied yet.
///
/// ``Session/prepare(_:origin:isComposing:commit:)`` finds the fields, normalizes the values, and makes an
/// ``Assignment`` of each ``FieldChange``. It changes nothing. ``Engine/apply(_:to:by:at:)`` commits the assignments
/// with ``Input/prepared(_:)`` and does not compute them again. So:
///
/// - A change that was accepted takes effect.
/// - ``Session/growth(of:at:)`` counts the assignments, so the session keeps no more bytes than were admitted.
/// - Only two kinds of values are not known before: the rows of a list, and the values of fields with a throttle or a
///   debounce. They are prepared when they take effect, and ``growth`` is an upper bound.
///
/// The session must not change between the two calls. If a timer is due, or if formulas read the time, the engine
/// prepares the changes again, because the time comes before the input. It leaves out what can be applied no longer.
public struct PreparedChanges: Sendable {
  /// The changes in order. A change that cannot be applied has no assignment.
  let all: [(change: FieldChange, assignment: Assignment?)]
  let origin: Origin
  let isComposing: Bool
  let commit: Bool
  /// By how much the session grows. It does not count what triggers change.
  let growth: Growth
  /// The units of a turn that the preparation has spent.
  let unitsSpent: Int

  /// The changes as they were given, without their assignments.
  var changes: [FieldChange] { all.map(\.change) }

  /// Prepares changes. Those that cannot be applied give nothing.
  init(_ changes: [FieldChange], origin: Origin, isComposing: Bool, commit: Bool, for session: Session) {
    var preparation = Preparation(session, origin: origin, budget: WorkBudget(units: Engine.turnBudget))
    all = changes.map { ($0, preparation.prepare($0)) }
    (self.origin, self.isComposing, self.commit) = (origin, isComposing, commit)
    growth = preparation.growth
    unitsSpent = Engine.turnBudget - preparation.budget.unitsLeft
  }

  /// The same changes for another state of the session.
  func preparedAgain(for session: Session) -> PreparedChanges {
    PreparedChanges(changes, origin: origin, isComposing: isComposing, commit: commit, for: session)
  }
}

/// A change that cannot be applied: its path does not exist in the field's value, or the field does not take it.
public struct Unacceptable: Error {
  /// The position of the change among the changes.
  public let position: Int
}

/// The new value of one field. ``Preparation`` computes it, and the engine commits it.
enum Assignment: Sendable {
  /// The value as the field keeps it: see ``FieldState/value``.
  case value(JSON?)
  /// The field keeps its value, because it is read-only or follows its formula. The input has this value for it.
  case stays(insteadOf: JSON?)
  /// An object as a whole: the part that is not in fields, and what its fields get, in order.
  case object(JSON?, members: [Assignment], isRemoved: Bool)
  /// A list with rows as a whole. Which rows stay is found when it takes effect.
  case rows(JSON?)
  /// One more row behind the last row.
  case row(JSON)
  /// A throttle or a debounce may hold the change back. It is prepared when it takes effect.
  case later
}

extension Session {
  /// Prepares changes that are made in one turn, and changes nothing.
  ///
  /// - Throws: the first change that cannot be applied. A change can be applied when its path leads to a member or an
  ///   element that exists, or to the position behind the last one. Inputs of that origin must be able to change the
  ///   field, too.
  public func prepare(
    _ changes: [FieldChange],
    origin: Origin = .user,
    isComposing: Bool = false,
    commit: Bool = false
  ) throws(Unacceptable) -> PreparedChanges {
    let prepared = PreparedChanges(changes, origin: origin, isComposing: isComposing, commit: commit, for: self)
    if let position = prepared.all.firstIndex(where: { $0.assignment == nil }) {
      throw Unacceptable(position: position)
    }
    return prepared
  }

  /// Whether a change by the user needs no preparation, so that ``Input/set(field:to:)`` has the same effect.
  package func isPlain(_ change: FieldChange) -> Bool {
    change.row == 0 && change.path.isEmpty && change.field != FieldChange.root
      && tables.pointee.fields[change.field].isPlain && !change.isTooDeep
  }
}
