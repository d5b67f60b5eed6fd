/// A value of type `optional_type(T)`: one value or none.
public struct OptionalValue: Sendable {
  private final class Box: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
  }

  /// nil for none.
  private let box: Box?

  /// The optional that holds that value, or none.
  public init(_ value: Value?) { box = value.map(Box.init) }

  /// The value, if there is one.
  public var value: Value? { box?.value }
}
