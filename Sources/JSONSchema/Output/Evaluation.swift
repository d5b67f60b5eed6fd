/// The result of a whole evaluation, from which the standard's output formats are rendered (core, section 12.4).
public struct Evaluation: Hashable, Sendable {
  /// What it came to.
  public var verdict: Verdict
  /// Why the instance is not valid, as far as was found; where a bound was reached, the last one says so. Empty if it is valid.
  public var failures: [Failure]
  /// What the schemas say about a valid instance; empty if it is not.
  public var annotations: [Annotation]
  /// Whether there may be more failures than were to be collected.
  public var isCut = false

  /// Whether the instance is known to be valid.
  public var isValid: Bool { verdict == .valid }
}

/// What an evaluation came to.
public enum Verdict: Hashable, Sendable {
  /// The instance is valid.
  case valid
  /// The instance is not valid.
  case invalid
  /// Nobody knows: a bound was reached before it was found out.
  case undecided(EvaluationBound)
}

/// What an evaluation may not go beyond.
public enum EvaluationBound: Hashable, Sendable {
  /// ``SchemaLimits/evaluationStepsMax``, or the budget of the caller.
  case steps(Int)
  /// ``SchemaLimits/evaluationDepthMax``.
  case depth(Int)
  /// What one match of a regular expression may cost, which nothing raises.
  case pattern(String)
}

extension EvaluationBound {
  /// What it is that goes beyond, in one sentence. Korean for locales that begin with `ko`, else English.
  public func message(locale: String = "en") -> String { FailureText.language(locale).text(of: self) }
}
