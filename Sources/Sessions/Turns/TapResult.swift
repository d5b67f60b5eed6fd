/// What a tap has led to when its turn ends. Its event may come later.
public struct TapResult: Sendable {
  /// How the tap was handled when it came in.
  public enum Outcome: String, Sendable {
    /// A run began. It has also ended if the action sends no request.
    case started
    /// The tap waits: for checks, for other runs, or for the end of a throttle or debounce.
    case held
    /// The action is not enabled. The blockers are the reasons.
    case rejected
    /// A run is under way, or a throttle lets no tap through.
    case dropped
  }

  /// How the tap was handled when it came in.
  public var outcome: Outcome
  /// The number of the run that it started; nil if it started none.
  public var run: Int?
  /// The reasons for a rejection.
  public var blockers: [Blocker] = []
  /// Names the tap. Exactly one event will have this token, in this turn or a later one, unless a turn's
  /// ``Turn/swallowedTaps`` has it.
  public var token: UInt64
}

/// One reason why an action may not run.
public struct Blocker: Sendable, Hashable {
  /// The field's address, or nil for the form as a whole.
  public var field: String?
  /// The error's code. It is `pending` while a check runs, and `disabled` when only the action's formula disables it.
  public var code: String

  public init(field: String?, code: String) {
    self.field = field
    self.code = code
  }
}
