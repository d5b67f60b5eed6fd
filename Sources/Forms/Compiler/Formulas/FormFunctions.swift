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
    let formats = FormatFunctions(defaultLocale: texts.defaultLocale)
    for function in [texts.function, ChoiceLabels.function] + formats.functions {
      environment.declare(function)
      environment.parserOptions.contextArguments[function.name] = ["form", "locale"]
    }
    return environment
  }

  /// Every function that the formulas of a form can call, and every macro, sorted by name.
  package static var summaries: [FunctionSummary] { environment().functionSummaries }
}
