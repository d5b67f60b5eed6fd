/// The result of a condition.
public enum Condition: Sendable {
  /// It does not hold.
  case no
  /// It holds.
  case yes
  /// It is null: the value that it asks about is absent.
  case absent
  /// The result is not a truth value, mostly a failure. Behind a reference, so that the other outcomes are one word.
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
