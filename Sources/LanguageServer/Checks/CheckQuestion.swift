package import FormProtocol

/// What a daemon is to be asked: to judge a text of data with the checks of its form, which ask services.
package struct CheckQuestion: Sendable {
  /// What its answer names; each question has another.
  package let number: Int
  /// What is asked.
  package let params: TextValidateParams

  /// A question of that number.
  package init(number: Int, params: TextValidateParams) {
    self.number = number
    self.params = params
  }
}

/// What came of a ``CheckQuestion``.
package enum CheckAnswer: Sendable {
  /// What the daemon says.
  case judged(TextJudgment)
  /// Nobody judged it: why, for people.
  case failed(String)
}
