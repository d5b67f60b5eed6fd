public import JSON

/// How a tap, or the run that it started, ended. Each tap has exactly one event, or was swallowed by a throttle or
/// debounce.
public struct Event: Sendable {
  /// The ways in which a tap or its run ends.
  public enum Kind: String, Sendable {
    /// The action succeeded, its run failed, the form rejected the tap, the tap was ignored, or a later tap or a reset
    /// replaced the run, or the user gave it up.
    case succeeded, failed, rejected, dropped, superseded, cancelled
  }

  /// The number of the event in its session, from 1.
  public var sequence: Int
  /// The action's name.
  public var action: String
  /// The run, if one was started.
  public var run: Int?
  /// The way in which the tap or its run ended.
  public var kind: Kind
  /// Of a success: the value that its outcome or its answer gives, if any.
  public var result: JSON?
  /// Of a failure: the reason, such as `status`, or the value that its outcome gives.
  public var error: JSON?
  /// The outcome's text.
  public var message: String?
  /// The reasons for a rejection.
  public var blockers: [Blocker] = []
  /// The tap that this event answers.
  public var token: UInt64
}
