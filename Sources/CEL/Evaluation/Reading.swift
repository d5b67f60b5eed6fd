/// What a member or an element reads as, that is declared to be of a type: the declaration of a host says what its data should be, and not what
/// they are. Where absence spreads, a value of another type is absent.
struct Reading: Sendable {
  private enum Kind: Sendable {
    case any
    case bool
    case int
    case double
    case string
    case list
    case map
  }

  private let kind: Kind
  /// What reads in place of null.
  let absent: Value

  /// As it is, whatever it is.
  static let asItIs = Reading(kind: .any, absent: .null)

  /// A value of that type; an absent one reads as the empty value of the type, if there is one.
  init(_ type: CELType) {
    kind =
      switch type.withoutNull {
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

  /// The value, or null where it is of another type. Whole numbers are doubles where doubles are declared, and the other way round.
  @inline(__always)
  func callAsFunction(_ value: Value) -> Value {
    switch (kind, value) {
    case (.any, _), (.bool, .bool), (.int, .int), (.double, .double), (.string, .string), (.list, .list), (.map, .map),
      (_, .null), (_, .error), (_, .unknown), (_, .optional):
      value
    case (.double, .int(let number)): .double(Double(number))
    case (.int, .double(let number)): Int64(exactly: number).map { .int($0) } ?? .null
    default: .null
    }
  }
}
