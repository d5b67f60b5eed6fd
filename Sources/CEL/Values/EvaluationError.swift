/// Why an evaluation failed. A value, never thrown on the evaluation path.
public final class EvaluationError: Error, Sendable {
  /// The kinds of failures.
  public enum Kind: String, Sendable, CaseIterable {
    /// No overload of the function takes arguments of these types.
    case noSuchOverload = "no such overload"
    /// The map has no such key.
    case noSuchKey = "no such key"
    /// The variable has no value.
    case noSuchVariable = "undeclared reference"
    /// `1 / 0` of whole numbers.
    case divisionByZero = "division by zero"
    /// `1 % 0`
    case modulusByZero = "modulus by zero"
    /// The result of an integer operation does not fit.
    case overflow = "integer overflow"
    /// A value is outside the range of its new type.
    case range = "range error"
    /// A text does not spell a value of the type asked for.
    case conversion = "type conversion error"
    /// A list has no such element, a text no such position.
    case indexOutOfBounds = "index out of bounds"
    /// An argument that the function cannot take.
    case invalidArgument = "invalid argument"
    /// A map literal names a key twice.
    case repeatedKey = "repeated key"
    /// A map key that is not a bool, int, uint or string.
    case unsupportedKey = "unsupported key type"
    /// `value()` of an empty optional.
    case emptyOptional = "optional.none() dereference"
    /// A regular expression that does not compile.
    case invalidPattern = "invalid regular expression"
    /// The result would be larger than ``ResultLimits`` allows, or a match took too many steps.
    case tooLarge = "result too large"
    /// The evaluation's budget is spent.
    case budgetExceeded = "evaluation budget exceeded"
  }

  /// The kind of the failure.
  public let kind: Kind
  /// The failure in words, for a developer; it contains no value of a secret by itself, but may quote an argument.
  public let message: String
  /// The expression node that failed, if the evaluator said so.
  public let expressionID: Int?
  /// The types of the node's operands, if the evaluator said so.
  let operandTypes: [String]

  public convenience init(_ kind: Kind, _ message: String, expressionID: Int? = nil) {
    self.init(kind, message, expressionID: expressionID, operandTypes: [])
  }

  private init(_ kind: Kind, _ message: String, expressionID: Int?, operandTypes: [String]) {
    self.kind = kind
    self.message = message
    self.expressionID = expressionID
    self.operandTypes = operandTypes
  }

  /// The same error at that node, unless it has a position already: the innermost node is the one to report.
  public func at(_ expressionID: Int) -> EvaluationError { at(expressionID, operands: []) }

  /// The same for a node with those operands.
  func at(_ expressionID: Int, operands: [Value]) -> EvaluationError {
    guard self.expressionID == nil else { return self }
    let types = operands.map { $0.runtimeType?.name ?? "error" }
    return EvaluationError(kind, message, expressionID: expressionID, operandTypes: types)
  }

  /// The error of a call that no overload answers.
  public static let noSuchOverload = EvaluationError(.noSuchOverload, "no such overload")
}

extension EvaluationError: Equatable {
  /// Whether kind and message are equal; the position does not count.
  public static func == (left: EvaluationError, right: EvaluationError) -> Bool {
    left.kind == right.kind && left.message == right.message
  }
}

extension EvaluationError: CustomStringConvertible {
  public var description: String { message.hasPrefix(kind.rawValue) ? message : "\(kind.rawValue): \(message)" }
}
