internal import Forms
internal import JSON

/// The part of a session that most sessions of simple forms do not need before their first tap: timers, effects, runs, and values that
/// are no fields'.
final class SessionExtras {
  /// All pending deadlines.
  var timers = TimerList()
  var effects = EffectsUnderWay()
  /// What checks and lookups of rows ask.
  var rowRuns = RowRuns()
  /// The answers that are kept: never failures.
  var answers: [Asker: KeptAnswers] = [:]
  /// Who is in which field, where several clients share the session.
  var editors = Editors()
  /// The number of the last tap.
  var lastToken: UInt64 = 0
  /// Tells the session's runs from those of all other sessions, for good; nil until a request says so.
  var identity: String?
  /// The rows of all lists.
  var rows = RowTable()
  /// By action address.
  var actions: [ActionMachine]
  /// The top-level members that are no fields, as they are now and as they were initially; each nil without any.
  var others: (now: JSONObject?, initial: JSONObject?) = (nil, nil)
  /// Errors of outcomes that lead to no field, each with its action; until the action runs again.
  var formServerErrors: [(action: Int?, error: FieldError)] = []
  /// The formulas that go wrong.
  var faults = FaultTable()
  /// What they count for in ``Session/computedBytes``.
  var faultBytes = 0
  /// Nil where no formula reads the date or the time.
  var clock: SessionClock?
  /// The cells that the client watches; nil means all.
  var watched: [Bool]?

  init(form: Form) {
    actions = form.actions.map(ActionMachine.init)
  }
}
