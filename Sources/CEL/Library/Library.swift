/// A named set of functions and type identifiers that an environment can offer to its expressions.
public struct Library: Sendable {
  /// The name, such as `strings`.
  public let name: String
  /// The functions that expressions call by name.
  public let functions: [Function]
  /// The overloads of operators, and of the functions that macros become.
  public let operators: [Overload]
  /// Identifiers of types, beyond the types of the standard library: `net.IP`.
  public let types: [String: CELType]

  public init(
    name: String,
    functions: [Function],
    operators: [Overload] = [],
    types: [String: CELType] = [:]
  ) {
    self.name = name
    self.functions = functions
    self.operators = operators
    self.types = types
  }

  /// The overloads of all its functions and operators.
  public var overloads: [Overload] { operators + functions.flatMap(\.overloads) }

  /// Every library of this module, the standard one first.
  public static let all: [Library] = [
    .standard, .strings, .math, .encoders, .lists, .sets, .regex, .optionals, .comprehensions, .network, .formats,
    .formd, .aggregates, .calendar, .decimals, .localTime,
  ]
}
