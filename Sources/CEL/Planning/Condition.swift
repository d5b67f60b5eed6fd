/// What a condition comes to.
public enum Condition: Sendable {
  /// It does not hold.
  case no
  /// It holds.
  case yes
  /// It is null: what it asks about is absent.
  case absent
  /// It is no truth: a failure, mostly. Behind a reference, so that the other outcomes are one word.
  indirect case noTruth(Value)

  /// A value as a condition.
  init(_ value: Value) {
    switch value {
    case .bool(let isTrue): self = isTrue ? .yes : .no
    case .null: self = .absent
    default: self = .noTruth(value)
    }
  }
}
