/// The current content of a terminal: one question, or the reason of a wait.
package struct View: Hashable, Sendable {
  /// The number of the question, which grows each time a question is asked. A terminal that cannot redraw shows each
  /// number only once.
  package var number = 0
  /// Above the prompt: help, choices.
  package var above: [StyledLine] = []
  /// The line of ``above`` that is drawn even if the terminal has few rows: the marked choice.
  package var marked: Int?
  /// Before the input.
  package var prompt: StyledLine = ""
  /// The typed text as it is shown; it may have line breaks.
  package var input = ""
  /// The index of the input's character behind the cursor.
  package var cursor = 0
  /// Under the prompt: messages, hints.
  package var below: [StyledLine] = []
  /// Whether the typed text must be hidden.
  package var isSecret = false
  /// Whether the interview waits, so that the terminal shows passing time.
  package var isBusy = false

  package init() {}
}

/// A line that stays on the terminal, above the current question.
package enum Note: Hashable, Sendable {
  /// A heading, a message.
  case said(StyledLine)
  /// A question with its answer. A terminal that sends whole lines shows it already.
  case answered(StyledLine)

  package var line: StyledLine {
    switch self {
    case .said(let line), .answered(let line): line
    }
  }
}
