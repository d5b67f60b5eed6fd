/// The result of a whole evaluation, from which the standard's output formats are rendered (core, section 12.4).
public struct Evaluation: Hashable, Sendable {
  /// The result.
  public var verdict: Verdict
  /// Why the instance is not valid, as far as was found; if a limit was reached, the last failure says so. Empty if it
  /// is valid.
  public var failures: [Failure]
  /// The annotations of a valid instance; empty if it is not valid.
  public var annotations: [Annotation]
  /// Whether there may be more failures than were to be collected.
  public var isCut = false

  /// Whether the instance is known to be valid.
  public var isValid: Bool { verdict == .valid }
}

/// The result of an evaluation.
public enum Verdict: Hashable, Sendable {
  /// The instance is valid.
  case valid
  /// The instance is not valid.
  case invalid
  /// Nobody knows: a bound was reached before it was found out.
  case undecided(EvaluationBound)
}

/// The limits of an evaluation.
public enum EvaluationBound: Hashable, Sendable {
  /// ``SchemaLimits/evaluationStepsMax``, or the budget of the caller.
  case steps(Int)
  /// ``SchemaLimits/evaluationDepthMax``.
  case depth(Int)
  /// The cost of one match of a regular expression, which no option raises.
  case pattern(String)
}
