/// The result of a whole evaluation, from which the standard's output formats are rendered (core, section 12.4).
public struct Evaluation: Hashable, Sendable {
  /// Whether the instance is valid.
  public var isValid: Bool
  /// Why it is not; empty if it is.
  public var failures: [Failure]
  /// What the schemas say about a valid instance; empty if it is not.
  public var annotations: [Annotation]
}
