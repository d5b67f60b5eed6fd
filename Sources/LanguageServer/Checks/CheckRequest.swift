package import FormProtocol

/// A request for a daemon: judge a text of data with the checks of its form, which ask services.
package struct CheckRequest: Sendable {
  /// The answer names this number. Each request has its own number.
  package let number: Int
  package let params: TextValidateParams

  /// Creates a request with that number.
  package init(number: Int, params: TextValidateParams) {
    self.number = number
    self.params = params
  }
}

/// The outcome of a ``CheckRequest``.
package enum CheckAnswer: Sendable {
  /// The daemon's judgment.
  case judged(TextJudgment)
  /// No daemon judged the text. The value is the reason, for people.
  case failed(String)
}
