internal import Forms
internal import JSON

/// The part of a session that most sessions of simple forms do not need before their first tap: timers, runs, checks, and values
/// of their own.
final class SessionExtras {
  /// All pending deadlines.
  var timers = TimerList()
  var effects = EffectsUnderWay()
  /// The number of the last tap.
  var lastToken: UInt64 = 0
  /// By check address.
  var checks: [CheckState]
  /// By action address.
  var actions: [ActionMachine]
  /// By field address: throttle or debounce and what they hold back.
  var delays: [Int: Delay<HeldChanges>] = [:]
  /// Initial values that are not the form's; of a field with fields below it as ``FieldState/value`` has them.
  var initialValues: [Int: JSON?] = [:]
  /// The top-level members that are no fields, as they are now and as they were initially; each nil without any.
  var others: (now: JSONObject?, initial: JSONObject?) = (nil, nil)
  /// By field address: errors of outcomes, each with its action; until the value changes or the action runs again.
  var serverErrors: [Int: [(action: Int, error: FieldError)]] = [:]
  /// By rule address: messages that formulas made.
  var ruleMessages: [Int: String] = [:]
  /// By part address: the errors of an object-level keyword, each with its field (-1: the form).
  var partErrors: [Int: [(field: Int, error: FieldError)]] = [:]
  /// The cells that the client watches; nil means all.
  var watched: [Bool]?

  init(form: Form) {
    checks = form.checks.map { _ in CheckState() }
    actions = form.actions.map(ActionMachine.init)
  }
}
