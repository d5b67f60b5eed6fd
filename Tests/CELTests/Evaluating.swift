import CEL
import Testing

/// Evaluates an expression without variables; a refusal fails the test.
func evaluated(_ source: String, sourceLocation: SourceLocation = #_sourceLocation) -> Value {
  do {
    return try Environment().compile(source).evaluate()
  } catch {
    Issue.record("\(source) is refused: \(error)", sourceLocation: sourceLocation)
    return .null
  }
}

/// The kind of the error that an expression evaluates to; nil if it has a value.
func failureKind(_ source: String, sourceLocation: SourceLocation = #_sourceLocation) -> EvaluationError.Kind? {
  guard case .error(let error) = evaluated(source, sourceLocation: sourceLocation) else { return nil }
  return error.kind
}

/// Expects that an expression is true.
func expectTrue(_ source: String, sourceLocation: SourceLocation = #_sourceLocation) {
  let value = evaluated(source, sourceLocation: sourceLocation)
  #expect(value == true, "\(source) is \(value)", sourceLocation: sourceLocation)
}
