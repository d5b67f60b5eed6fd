/// One overload of a function: its signature for the checker and its code.
///
/// Operators are functions with the names of the language definition: `_+_`, `_==_`, `!_`, `-_`, `_[_]`, `@in`.
/// Operators that do not evaluate all their operands (`_&&_`, `_||_`, `_?_:_`) are declared for the checker; the
/// evaluator knows them itself.
public struct Overload: Sendable {
  /// The code of a call of the overload. Arguments are never errors or unknowns; failures are returned as `.error`. A
  /// member's receiver is the first argument. A wrong argument type yields `no such overload`, never a trap.
  public enum Implementation: Sendable {
    /// A function without arguments.
    case nullary(@Sendable () -> Value)
    /// A function of one argument.
    case unary(@Sendable (Value) -> Value)
    /// A function of two arguments.
    case binary(@Sendable (Value, Value) -> Value)
    /// A function of three arguments.
    case ternary(@Sendable (Value, Value, Value) -> Value)
    /// A function of any number of arguments.
    case variadic(@Sendable ([Value]) -> Value)
    /// A special form that the evaluator implements, or a function of the host that only the checker knows.
    case declarationOnly
  }

  /// How the work of a call grows; the evaluator charges it to the budget, the static estimate bounds it.
  public enum Cost: Hashable, Sendable {
    /// The same small number of steps every time.
    case constant(Int)
    /// One step for every ten bytes of a text or for every element of those arguments together, and one more. The
    /// content of elements does not count.
    case linear([Int])
    /// One step for every value inside the arguments together, and for every ten bytes of texts, and one more: for
    /// functions that compare or write elements.
    case content([Int])
    /// The product of the sizes of two arguments: a pattern on a text, each element against each.
    case product(Int, Int)
  }

  /// How large the result can be, in code points, bytes or elements; for the static estimate.
  public enum ResultSize: Hashable, Sendable {
    /// A scalar, or at most so many code points or elements.
    case atMost(Int)
    /// Not larger than that argument.
    case argument(Int)
    /// Not larger than those arguments together.
    case sum([Int])
    /// Not larger than the product of two arguments' sizes, plus both.
    case product(Int, Int)
    /// A text of a list's elements, with another argument between them.
    case joined(list: Int, separator: Int?)
    /// A text, and the written elements of a list.
    case formatted(format: Int, values: Int)
    /// The elements of the lists in a list.
    case flattened(Int)
    /// Texts that a text is taken apart into; of their sizes nothing is estimated.
    case parts(of: Int)
    /// Only ``ResultLimits`` bounds it; nothing is estimated.
    case limit
  }

  /// How many bytes of a text cost a step.
  static let bytesPerStep = 10

  /// The identifier, such as `add_int64`; unique among all libraries.
  public let id: String
  /// The function's name.
  public let name: String
  /// Whether it is called as `receiver.name(...)`.
  public let isMember: Bool
  /// The parameters' types, the receiver's first.
  public let parameters: [CELType]
  /// The result's type.
  public let result: CELType
  /// The code of a call.
  public let implementation: Implementation
  /// How the work grows.
  public let cost: Cost
  /// How large the result can be.
  public let resultSize: ResultSize
  /// Whether the signature names type parameters, which each call has its own types for.
  let isGeneric: Bool

  public init(
    id: String,
    name: String,
    isMember: Bool = false,
    parameters: [CELType],
    result: CELType,
    cost: Cost = .constant(1),
    resultSize: ResultSize = .atMost(1),
    implementation: Implementation
  ) {
    self.id = id
    self.name = name
    self.isMember = isMember
    self.parameters = parameters
    self.result = result
    self.cost = cost
    self.resultSize = resultSize
    self.implementation = implementation
    isGeneric = result.hasParameters || parameters.contains(where: \.hasParameters)
  }

  /// Whether run-time arguments fit the parameters, for calls that the checker could not resolve.
  public func admits(_ arguments: [Value]) -> Bool {
    arguments.count == parameters.count && zip(parameters, arguments).allSatisfy { $0.admits($1) }
  }

  /// Calls the overload.
  public func callAsFunction(_ arguments: [Value]) -> Value {
    switch (implementation, arguments.count) {
    case (.nullary(let body), 0): body()
    case (.unary(let body), 1): body(arguments[0])
    case (.binary(let body), 2): body(arguments[0], arguments[1])
    case (.ternary(let body), 3): body(arguments[0], arguments[1], arguments[2])
    case (.variadic(let body), _): body(arguments)
    default: .error(.noSuchOverload)
    }
  }
}
