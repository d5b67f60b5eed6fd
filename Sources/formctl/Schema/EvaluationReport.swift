internal import ArgumentParser
internal import JSON
internal import JSONSchema

/// What `formctl schema validate` prints of one value.
struct EvaluationReport {
  /// So many failures are told, unless all are asked for.
  private static let toldMax = 100
  /// So many are collected and counted for that.
  static let collectedMax = 10_000

  private let evaluation: Evaluation
  private let file: String
  private let locale: String
  private let tellsAll: Bool

  /// - Parameters:
  ///   - file: where the value is from.
  ///   - locale: in which language failures are worded.
  ///   - tellsAll: whether all failures are told, and why each alternative does not hold.
  init(_ evaluation: Evaluation, of file: String, locale: String, tellsAll: Bool) {
    self.evaluation = evaluation
    self.file = file
    self.locale = locale
    self.tellsAll = tellsAll
  }

  /// The standard's output; with what can be done about a bound that was reached.
  func output(_ format: OutputFormat) -> JSON {
    let output = evaluation.output(format, locale: locale, failuresMax: tellsAll ? .max : Self.toldMax)
    guard case .undecided(let bound) = evaluation.verdict, case .object(var unit) = output else { return output }
    unit["error"] = .string(text(of: bound))
    return .object(unit)
  }

  /// Prints a line for each failure.
  ///
  /// - Throws: ``CommandFailure`` when there is no verdict.
  func say(in text: ScannedText) throws(CommandFailure) {
    switch evaluation.verdict {
    case .valid: Console.say("valid")
    case .invalid: sayFailures(in: text)
    case .undecided(let bound):
      throw CommandFailure(message: "\(file): no verdict: \(self.text(of: bound))")
    }
  }

  private func text(of bound: EvaluationBound) -> String {
    "\(bound.message(locale: locale)) \(EvaluationOptions.remedy(bound))"
  }

  private func sayFailures(in text: ScannedText) {
    let failures = tellsAll ? evaluation.failures : evaluation.failures.flatMap(\.leaves)
    var told: Set<String> = []
    var more = 0
    for failure in failures {
      let words = words(of: failure)
      guard told.insert(words).inserted else { continue }
      if !tellsAll && told.count > Self.toldMax {
        more += 1
      } else {
        say(failure, words, in: text, indentation: "")
      }
    }
    guard more > 0 else { return }
    let isAre = more == 1 ? "failure is" : "failures are"
    Console.say("\(file): \(evaluation.isCut ? "at least " : "")\(more) more \(isAre) not told; --all tells all")
  }

  private func say(_ failure: Failure, _ words: String, in text: ScannedText, indentation: String) {
    let place = text.place(of: failure.instanceLocation)
    Console.say("\(indentation)\(file):\(place): \(words) [\(failure.keywordLocation)]")
    for cause in failure.causes { say(cause, self.words(of: cause), in: text, indentation: indentation + "  ") }
  }

  /// Where in the value, and what.
  private func words(of failure: Failure) -> String {
    let pointer = failure.instanceLocation
    return (pointer.tokens.isEmpty ? "" : "\(pointer): ") + failure.message(locale: locale)
  }
}
