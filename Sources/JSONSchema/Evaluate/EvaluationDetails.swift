/// What an evaluation tells beyond its verdict and the failures.
public struct EvaluationDetails: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// Details of those bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The annotations of a valid instance.
  public static let annotations = EvaluationDetails(rawValue: 1)
  /// Of alternatives none of which holds, why each does not, the closest first; else the closest alone is told.
  public static let allAlternatives = EvaluationDetails(rawValue: 2)
  /// What stands where a failure is (``Failure/found``), but where the schema says `writeOnly` of it.
  public static let foundValues = EvaluationDetails(rawValue: 4)
}
