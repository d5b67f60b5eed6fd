/// How many steps the evaluation of an expression takes.
public enum CostEstimate: Hashable, Sendable {
  /// Never more than so many.
  case bounded(Int)
  /// Nothing bounds it; the reason says what to bound.
  case unbounded(reason: String)
}

/// Estimates costs from what declarations say about sizes.
struct CostEstimator {
  static func estimate(_ expression: CheckedExpression, in environment: Environment) -> CostEstimate {
    .bounded(expression.parsed.root.nodeCount)
  }
}
