package import CEL
internal import JSON

/// The functions that the formulas of forms can call.
package enum FormFunctions {
  /// An environment that compiles the formulas of a form: absence spreads, and formulas have the functions of forms and
  /// of the libraries.
  ///
  /// - Parameter texts: the texts that `text()` may name.
  package static func environment(texts: [(name: String, text: Text)] = []) -> Environment {
    var environment = common
    let texts = FormTexts(texts, default: nil)
    for function in ofLocale(texts) { environment.declare(function) }
    return environment
  }

  /// The same without the descriptions of the functions that depend on the form.
  static func environment(_ texts: FormTexts) -> Environment {
    var environment = common
    for function in ofLocale(texts) { for overload in function.overloads { environment.declare(overload) } }
    return environment
  }

  /// The functions that every form has.
  private static let common = {
    var environment = Environment()
    environment.spreadAbsence()
    environment.declare(ServerErrors.function)
    let names = ofLocale(FormTexts([], default: nil)).map(\.name)
    for name in names { environment.parserOptions.contextArguments[name] = ["form", "locale"] }
    return environment
  }()

  /// The functions whose results depend on the session's locale, for a form with those texts.
  private static func ofLocale(_ texts: FormTexts) -> [Function] {
    [texts.function, ChoiceLabels.function] + FormatFunctions(defaultLocale: texts.defaultLocale).functions
  }

  /// Every function that the formulas of a form can call, and every macro, sorted by name.
  package static var summaries: [FunctionSummary] { environment().functionSummaries }
}
