/// The reading of a member or an element of a declared type. The declaration of a host says which type its data should
/// have, and the data may differ. If absence spreads, a value of another type is absent.
struct Reading: Sendable {
  private enum Kind: Sendable {
    /// Nothing is declared, nor is anything absent.
    case asItIs
    case any
    case bool
    case int
    case double
    case string
    case list
    case map
  }

  private let kind: Kind
  /// The value that replaces null.
  let absent: Value

  /// Every value unchanged.
  static let asItIs = Reading(kind: .asItIs, absent: .null)

  /// Whether values are declared to be of one type.
  var isOfOneType: Bool { kind != .any && kind != .asItIs }

  /// A value of that type, or an optional of one; an absent one reads as the empty value of the type, if there is one.
  init(_ type: CELType) {
    kind =
      switch type.withoutOptional.withoutNull {
      case .bool: .bool
      case .int: .int
      case .double: .double
      case .string: .string
      case .list: .list
      case .map, .object: .map
      default: .any
      }
    absent = type.emptyValue ?? .null
  }

  private init(kind: Kind, absent: Value) {
    self.kind = kind
    self.absent = absent
  }

  /// The value, or null if it is of another type. Whole numbers are read as doubles if doubles are declared, and the
  /// other way round. An optional becomes an optional of the reading of its value, and none if that is null.
  @inline(__always)
  func callAsFunction(_ value: Value) -> Value { admits(value) ? value : converted(value) }

  /// Whether the value is read unchanged.
  @inline(__always)
  func admits(_ value: Value) -> Bool {
    switch (kind, value) {
    case (.any, .optional): false
    case (.asItIs, _), (.any, _), (.bool, .bool), (.int, .int), (.double, .double), (.string, .string), (.list, .list),
      (.map, .map), (_, .null), (_, .error), (_, .unknown):
      true
    default: false
    }
  }

  @inline(never)
  private func converted(_ value: Value) -> Value {
    switch (kind, value) {
    case (_, .optional(let optional)):
      guard let content = optional.value.map({ self($0) }), !content.isNull else { return .optional(nil) }
      return .optional(content)
    case (.double, .int(let number)): return .double(Double(number))
    case (.int, .double(let number)): return Int64(exactly: number).map { .int($0) } ?? .null
    default: return .null
    }
  }
}

/// A list whose elements are read by their declared type.
final class ElementsReadingNode: PlanNode, @unchecked Sendable {
  private let list: PlanNode
  private let reading: Reading

  init(_ list: PlanNode, _ reading: Reading) {
    self.list = list
    self.reading = reading
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    let value = list.evaluate(&frame)
    guard case .list(let list) = value, !list.elements.allSatisfy({ reading.admits($0) }) else { return value }
    return .list(ListValue(list.elements.map { reading($0) }))
  }
}

/// An optional of an element, which is read by its declared type.
final class OptionalReadingNode: PlanNode, @unchecked Sendable {
  private let optional: PlanNode
  private let reading: Reading

  init(_ optional: PlanNode, _ reading: Reading) {
    self.optional = optional
    self.reading = reading
  }

  override func evaluate(_ frame: inout Frame) -> Value { reading(optional.evaluate(&frame)) }
}

/// A value that reads as the empty value of its type if it is absent.
final class AbsentReadingNode: PlanNode, @unchecked Sendable {
  private let value: PlanNode
  private let reading: Reading

  init(_ value: PlanNode, _ reading: Reading) {
    self.value = value
    self.reading = reading
  }

  override func evaluate(_ frame: inout Frame) -> Value {
    let value = given(&frame)
    return value.isNull ? absent : value
  }

  override func given(_ frame: inout Frame) -> Value { value.evaluate(&frame) }

  override var absent: Value { reading.absent }
}
