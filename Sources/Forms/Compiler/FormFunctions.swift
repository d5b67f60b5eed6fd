package import CEL
internal import JSON

/// The functions that the formulas of forms can call.
package enum FormFunctions {
  /// An environment that compiles the formulas of a form: absence spreads, and formulas have the functions of forms and
  /// of the libraries.
  ///
  /// - Parameter texts: the texts that `text()` may name.
  package static func environment(texts: [(name: String, text: Text)] = []) -> Environment {
    environment(FormTexts(texts, default: nil))
  }

  static func environment(_ texts: FormTexts) -> Environment {
    var environment = Environment()
    environment.spreadAbsence()
    environment.declare(ServerErrors.function)
    environment.declare(ChoiceLabels.overload)
    for overload in texts.overloads { environment.declare(overload) }
    for overload in FormatFunctions(defaultLocale: texts.defaultLocale).overloads { environment.declare(overload) }
    for name in FormatFunctions.names + [FormTexts.function, ChoiceLabels.function] {
      environment.parserOptions.contextArguments[name] = ["form", "locale"]
    }
    return environment
  }

  /// Every function that the formulas of a form can call, and every macro, sorted by name.
  package static var summaries: [FunctionSummary] { environment().functionSummaries(lines: lines) }

  /// The signatures of the functions of forms.
  private static let lines = [
    FormTexts.function: "the text of that name in \"texts\", in the session's language, with its placeholders filled",
    ChoiceLabels.function: ChoiceLabels.line,
    ServerErrors.function.name: "the errors in a server's answer, by address: for \"fieldErrors\"",
  ].merging(FormatFunctions.lines) { $1 }
}
