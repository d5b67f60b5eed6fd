/// The details that an evaluation reports in addition to its verdict and the failures.
public struct EvaluationDetails: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Details of those bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The annotations of a valid instance.
  public static let annotations = EvaluationDetails(rawValue: 1)
  /// If no alternative holds, report why each does not, the closest first; else only the closest is reported.
  public static let allAlternatives = EvaluationDetails(rawValue: 2)
  /// The value at the location of a failure (``Failure/found``), unless the schema marks it as `writeOnly`.
  public static let foundValues = EvaluationDetails(rawValue: 4)
}
