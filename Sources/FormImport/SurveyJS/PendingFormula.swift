internal import JSON

/// An expression with its location in the survey.
struct SurveySource {
  var text: String
  var pointer: JSONPointer

  init(_ text: String, _ pointer: JSONPointer) {
    self.text = text
    self.pointer = pointer
  }
}

/// The value that a condition gives to a question.
enum SurveyValueSource {
  case constant(JSON)
  case expression(String)
}

/// A formula that is written when all questions are known.
struct PendingFormula {
  /// The part of the form that gets the formula.
  enum Target {
    case field(JSONPointer, String)
    case step(Int, String)
    case output(String)
    /// A rule at a field, with its message.
    case rule(JSONPointer, id: String, message: JSON?)
    /// The choices of a question, as a formula.
    case options(JSONPointer, [SurveyChoiceItem], source: String?)
  }

  let target: Target
  /// Conditions that all must hold; or one expression of a value.
  let sources: [SurveySource]
  /// The names that lead from the form to the object around the question; `*` for a row.
  let container: [String]
  /// The value, if the sources are the condition under which it is given.
  let value: SurveyValueSource?

  init(
    _ target: Target,
    _ sources: [SurveySource],
    in container: [String] = [],
    value: SurveyValueSource? = nil
  ) {
    self.target = target
    self.sources = sources
    self.container = container
    self.value = value
  }
}

/// A choice of a question, with its conditions.
struct SurveyChoiceItem {
  var value: JSON
  var label: JSON?
  var visibleIf: SurveySource?
  var enableIf: SurveySource?
}
