/// What a terminal is to show at the moment: one question, or what is waited for.
package struct View: Hashable, Sendable {
  /// Grows whenever something is asked anew. A terminal that cannot draw over what it wrote writes a view of a new number only.
  package var number = 0
  /// Above the prompt: help, choices.
  package var above: [StyledLine] = []
  /// Before the input.
  package var prompt: StyledLine = ""
  /// What was typed, as it is shown; it may have line breaks.
  package var input = ""
  /// Before which character of the input the cursor stands.
  package var cursor = 0
  /// Under the prompt: messages, hints.
  package var below: [StyledLine] = []
  /// Whether what is typed must not be seen.
  package var isSecret = false
  /// Whether something is waited for, so that time is to be shown passing.
  package var isBusy = false

  package init() {}
}

/// Something that stays on the terminal, above what is asked.
package enum Note: Hashable, Sendable {
  /// A heading, a message.
  case said(StyledLine)
  /// A question with its answer. A terminal on which the answer was typed line by line has it already.
  case answered(StyledLine)

  /// The line.
  package var line: StyledLine {
    switch self {
    case .said(let line), .answered(let line): line
    }
  }
}
