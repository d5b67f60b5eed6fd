internal import ArgumentParser
internal import Files
internal import Findings
internal import JSON
internal import JSONSchema

/// The limits of an evaluation.
struct EvaluationOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How many steps an evaluation may take. Applying one schema to one value is about one step.",
      valueName: "steps"
    )
  )
  var stepsMax = SchemaLimits().evaluationStepsMax
  @Option(help: ArgumentHelp("How deep applications of schemas may be nested.", valueName: "levels"))
  var depthMax = SchemaLimits().evaluationDepthMax

  /// An upper bound of the stack per level, with a margin; a debug build uses about 4 KiB.
  private static let bytesPerLevel = 16 << 10
  /// A greater depth than this is not a real document, but an attack on the machine.
  private static let depthMost = 100_000

  func validate() throws {
    guard stepsMax > 0 else { throw ValidationError("--steps-max must be above 0, not \(stepsMax)") }
    guard (1...Self.depthMost).contains(depthMax) else {
      throw ValidationError("--depth-max must be from 1 to \(Self.depthMost), not \(depthMax)")
    }
  }

  /// The limits for compiling.
  var limits: SchemaLimits { SchemaLimits(evaluationDepthMax: depthMax, evaluationStepsMax: stepsMax) }

  /// The stack size that an evaluation within the limits needs; nil if the default is enough.
  var stackBytes: Int? { depthMax > SchemaLimits().evaluationDepthMax ? depthMax * Self.bytesPerLevel : nil }

  /// Runs the body on a stack that is large enough.
  ///
  /// - Throws: ``CommandFailure`` from the body, or if the system cannot create such a stack.
  func onItsStack<Value: Sendable>(
    _ body: @Sendable () throws(CommandFailure) -> Value
  ) throws(CommandFailure) -> Value {
    var result: Result<Value, CommandFailure>?
    do throws(SystemError) {
      try OrderedWork.perform(on: [()], threads: 1, stackBytes: stackBytes) { _ in
        do throws(CommandFailure) { return Result<Value, CommandFailure>.success(try body()) } catch {
          return .failure(error)
        }
      } take: {
        result = $0
      }
    } catch {
      throw CommandFailure(message: "the system cannot provide a stack of \((stackBytes ?? 0) >> 20) MiB: \(error)")
    }
    guard let result else { preconditionFailure("one work item has one result") }
    return try result.get()
  }

  /// The user's remedy when an evaluation reaches a limit.
  static func remedy(_ bound: EvaluationBound) -> String {
    switch bound {
    case .steps: "Raise the limit with --steps-max."
    case .depth: "Raise the limit with --depth-max."
    case .pattern: "Change the pattern, so that it has one way to match a text. No option raises this limit."
    }
  }
}
