package import FormProtocol

/// A question for a daemon: judge a text of data with the checks of its form, which ask services.
package struct CheckQuestion: Sendable {
  /// The answer names this number. Each question has its own number.
  package let number: Int
  package let params: TextValidateParams

  /// Creates a question with that number.
  package init(number: Int, params: TextValidateParams) {
    self.number = number
    self.params = params
  }
}

/// The outcome of a ``CheckQuestion``.
package enum CheckAnswer: Sendable {
  /// The daemon's judgment.
  case judged(TextJudgment)
  /// No daemon judged the text. The value is the reason, for people.
  case failed(String)
}
