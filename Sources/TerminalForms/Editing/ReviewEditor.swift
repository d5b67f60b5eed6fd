/// The user's way from the review of the answers back to one of them: by number, or with the arrows.
package struct ReviewEditor: Hashable, Sendable {
  /// The answer that the arrows mark; nil: the button.
  package private(set) var marked: Int?
  /// The typed number.
  package private(set) var typed = LineEditor()

  /// Whether Enter came with a number that no answer has.
  package private(set) var hasProblem: Bool

  package init(hasProblem: Bool = false) { self.hasProblem = hasProblem }

  /// Handles a key. Texts that are not numbers are ignored.
  ///
  /// - Parameter count: the number of answers.
  package mutating func press(_ key: Key, count: Int) {
    hasProblem = false
    switch key {
    case .up where count > 0:
      typed = LineEditor()
      marked = marked == nil ? count - 1 : marked == 0 ? nil : marked.map { $0 - 1 }
    case .down where count > 0:
      typed = LineEditor()
      marked = marked == nil ? 0 : marked == count - 1 ? nil : marked.map { $0 + 1 }
    default: typed.press(key)
    }
  }

  /// The position that Enter selects, even if no answer has it, or if the text is no number; nil: the button.
  package var selected: Int? { typed.isEmpty ? marked : (Int(typed.text) ?? 0) - 1 }
}
