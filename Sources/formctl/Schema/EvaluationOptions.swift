internal import ArgumentParser
internal import JSON
internal import JSONSchema

/// How far an evaluation may go before it is given up.
struct EvaluationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How many steps the evaluation may take: a schema that is applied to a value is about one.",
      valueName: "steps"
    )
  )
  var stepsMax = SchemaLimits().evaluationStepsMax
  @Option(help: ArgumentHelp("How many schemas may be applied inside of each other.", valueName: "levels"))
  var depthMax = SchemaLimits().evaluationDepthMax

  /// What a level takes of the stack at most, with room to spare; in a debug build some 4 KiB.
  private static let bytesPerLevel = 16 << 10
  /// So much more than this many levels is no document, but an attempt on the machine.
  private static let depthMost = 100_000

  func validate() throws {
    guard stepsMax > 0 else { throw ValidationError("--steps-max is a number above 0, not \(stepsMax)") }
    guard (1...Self.depthMost).contains(depthMax) else {
      throw ValidationError("--depth-max is a number from 1 to \(Self.depthMost), not \(depthMax)")
    }
  }

  /// The bounds for compiling.
  var limits: SchemaLimits { SchemaLimits(evaluationDepthMax: depthMax, evaluationStepsMax: stepsMax) }

  /// The evaluation of a value within the bounds.
  ///
  /// - Throws: ``CommandFailure`` when there is no stack for so many levels.
  func evaluation(
    of value: JSON,
    by schema: Schema,
    limit: Int,
    telling details: EvaluationDetails
  ) throws(CommandFailure) -> Evaluation {
    guard depthMax > SchemaLimits().evaluationDepthMax else {
      return schema.evaluate(value, limit: limit, telling: details)
    }
    return try DeepStack.result(bytes: depthMax * Self.bytesPerLevel) {
      schema.evaluate(value, limit: limit, telling: details)
    }
  }

  /// What the command's user can do about a bound.
  static func remedy(_ bound: EvaluationBound) -> String {
    switch bound {
    case .steps: "--steps-max admits more."
    case .depth: "--depth-max admits more."
    case .pattern: "Mend the pattern, so that it has one way to match a text: no option admits more."
    }
  }
}
