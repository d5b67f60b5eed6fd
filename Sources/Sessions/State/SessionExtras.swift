internal import Forms
internal import JSON

/// The part of a session that most sessions of simple forms do not need before their first tap: timers, effects, runs,
/// and values that do not belong to fields.
final class SessionExtras {
  /// All pending deadlines.
  var timers = TimerList()
  var effects = EffectsUnderWay()
  /// The values that are being composed, and the inquiries that wait for the end of that.
  var compositions = Compositions()
  /// The inquiries of checks and lookups of rows.
  var sharedInquiries = SharedInquiries()
  /// The answers that are kept. Failures are never kept.
  var answers: [Inquirer: AnswerCache] = [:]
  /// The clients in each field, if several clients share the session.
  var presences = Presences()
  /// The number of the last event; 0: there was none.
  var lastEvent = 0
  /// The number of the last run of any action; 0: there was none.
  var lastRun = 0
  /// The number of the last tap.
  var lastToken: UInt64 = 0
  /// Distinguishes the session's runs permanently from the runs of all other sessions. It is nil until a request needs
  /// it.
  var identity: String?
  /// By action, the interrupted runs that the next taps may repeat, in the order of their taps.
  var interrupted: [Int: [InterruptedRun]] = [:]
  /// The rows of all lists.
  var rows = RowTable()
  /// By action number.
  var actions: [ActionMachine]
  /// By action: why it is not enabled.
  var reasons: [Int: String] = [:]
  /// The current and the initial top-level members that are not fields. Each is nil if there are none.
  var otherMembers: (now: JSONObject?, initial: JSONObject?) = (nil, nil)
  /// The edits that users can take back, and repeat. Nil in a form without undo.
  var edits: EditHistory?
  /// The context that a client gave; nil without one.
  var context: JSONObject?
  /// Values that a migration has found no place for, by the row's identity (0 for the form) and by address. Part of
  /// ``Session/computedBytes``.
  var setAside: JSONObject?
  /// Errors of outcomes that lead to no field, each with its action. They stay until the action runs again.
  var formServerErrors: [(action: Int?, error: FieldError)] = []
  /// The formulas of runs that went wrong, each with its action and its reason. ``formServerErrors`` has a warning for
  /// each. They are not part of a snapshot.
  var runFaults: [(action: Int, formula: Formula, reason: String)] = []
  /// The formulas that go wrong.
  var faults = FaultTable()
  /// Their share of ``Session/computedBytes``.
  var faultBytes = 0
  /// Nil if no formula reads the date or the time.
  var clock: SessionClock?
  /// The cells that the client watches, or nil for all.
  var watched: [Bool]?
  /// The fields whose checks run, with the fields inside them, or nil for all.
  var checked: Set<ResolvedAddress>?

  init(form: Form) {
    actions = form.actions.map(ActionMachine.init)
  }
}
