package import Budgets
internal import Formats
public import JSON

/// A compiled JSON Schema (``SchemaDraft`` has the drafts): compile once, evaluate any number of times, from any
/// thread.
///
/// ```swift
/// let schema = try Schema.compile(["type": "object", "required": ["email"]])
/// schema.validate(["email": "a@b.c"])             // true
/// schema.failures(of: [:]).map { $0.message() }   // ["\"email\" is required."]
/// ```
public struct Schema: Sendable {
  let program: Program

  /// Compiles a schema document, with every document that it refers to.
  ///
  /// - Parameters:
  ///   - document: an object, `true` or `false`.
  ///   - options: whether `format` asserts, the source of other documents, and bounds.
  /// - Throws: ``SchemaCompileError`` with every problem found: keywords of the wrong shape, regular expressions that
  ///   cannot be used, references that lead nowhere or in circles, unknown vocabularies.
  public static func compile(
    _ document: JSON,
    options: CompileOptions = .init()
  ) throws(SchemaCompileError) -> Schema {
    guard let program = try SchemaCompiler.compile(document, options: options, budget: CompileBudget()) else {
      preconditionFailure("a budget without an end was spent")
    }
    return Schema(program: program)
  }

  /// Compiles a schema document as ``compile(_:options:)`` does, with a bound on the work.
  ///
  /// - Returns: nil when the budget is spent.
  package static func compile(
    _ document: JSON,
    options: CompileOptions,
    budget: CompileBudget
  ) throws(SchemaCompileError) -> Schema? {
    try SchemaCompiler.compile(document, options: options, budget: budget).map { Schema(program: $0) }
  }

  /// Whether a value of an instance may be a secret (`writeOnly`).
  package var holdsSecret: Bool { SecretNames(program).areAny }

  /// Whether the instance is known to be valid. This allocates nothing for a flat object of texts and numbers.
  ///
  /// - Returns: false also when a bound was reached first: ``evaluate(_:limit:telling:)`` distinguishes the two cases.
  public func validate(_ instance: JSON) -> Bool {
    withBudget { budget in
      var evaluator = Evaluator(program, budget)
      return evaluator.isValid(program.root, instance) && evaluator.givenUp == nil
    }
  }

  /// Why the instance is not valid; empty if it is valid. If a limit was reached, the last failure says so.
  ///
  /// Keywords are reported in the order in which they were written. `allOf`, `$ref`, `then` and `else` are transparent:
  /// failures inside them are reported themselves. `anyOf`, `oneOf` and `not` are reported once, with the causes
  /// inside.
  ///
  /// - Parameters:
  ///   - instance: any value.
  ///   - limit: no more failures are collected, causes included.
  public func failures(of instance: JSON, limit: Int = 100) -> [Failure] {
    evaluate(instance, limit: limit, telling: []).failures
  }

  /// Everything that the standard's output formats need: failures, or the annotations of a valid instance.
  ///
  /// - Parameters:
  ///   - instance: any value.
  ///   - limit: no more failures are collected, causes included.
  ///   - details: the additional details to report.
  public func evaluate(
    _ instance: JSON,
    limit: Int = 100,
    telling details: EvaluationDetails = .annotations
  ) -> Evaluation {
    var verdict = judge(instance)
    if verdict == .valid && !details.contains(.annotations) {
      return Evaluation(verdict: .valid, failures: [], annotations: [])
    }
    return withBudget { budget in
      var collector = FailureCollector(
        program,
        budget,
        limit: limit,
        collectsAnnotations: verdict == .valid,
        telling: details
      )
      _ = collector.check(program.root, instance)
      if verdict == .valid, collector.evaluator.givenUp == nil {
        return Evaluation(verdict: .valid, failures: [], annotations: collector.annotations)
      }
      // Collecting reaches the bounds earlier.
      if verdict == .valid { return Evaluation(verdict: .valid, failures: [], annotations: []) }
      // The failures that were found are certain, even if others could not be found.
      if collector.failures.contains(where: { $0.kind == .invalid }) { verdict = .invalid }
      collector.explainGivingUp(program.root)
      var evaluation = Evaluation(verdict: verdict, failures: collector.failures, annotations: [])
      evaluation.isCut = collector.isFull && collector.evaluator.givenUp == nil
      return evaluation
    }
  }

  /// The verdict of the evaluation, without failures.
  private func judge(_ instance: JSON) -> Verdict {
    withBudget { budget in
      var evaluator = Evaluator(program, budget)
      let isValid = evaluator.isValid(program.root, instance)
      return program.bound(of: evaluator).map { .undecided($0) } ?? (isValid ? .valid : .invalid)
    }
  }

  /// Calls with the budget of one evaluation.
  @inline(__always)
  private func withBudget<Result>(_ body: (UnsafeMutablePointer<WorkBudget>) -> Result) -> Result {
    var budget = WorkBudget(units: program.limits.evaluationStepsMax)
    return withUnsafeMutablePointer(to: &budget, body)
  }
}
