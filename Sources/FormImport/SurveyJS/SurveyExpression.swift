/// An expression of SurveyJS, as read from its text: `{age} >= 18 and {kind} anyof ['a', 'b']`.
///
/// Source: "Design Survey Logic" of the documentation of SurveyJS, sections Expressions and Built-in Functions.
indirect enum SurveyExpression: Equatable, Sendable {
  /// `null` and `undefined`.
  case null
  /// `true` and `false`.
  case bool(Bool)
  case number(Double)
  /// A text in quotes, or a word without quotes.
  case text(String)
  /// `['a', 'b']`
  case list([SurveyExpression])
  /// `{name}`: the name between the braces.
  case value(String)
  /// `age({born})`
  case call(String, [SurveyExpression])
  /// `!x`
  case not(SurveyExpression)
  /// `-x`
  case minus(SurveyExpression)
  /// `x empty`
  case isEmpty(SurveyExpression)
  /// `a and b and c`, at least two.
  case all([SurveyExpression])
  /// `a or b or c`, at least two.
  case any([SurveyExpression])
  case binary(Operator, SurveyExpression, SurveyExpression)

  /// An operator with two operands.
  enum Operator: Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case contains, notContains, anyOf, allOf, noneOf
    case plus, minus, times, divided, modulo, power
  }
}
