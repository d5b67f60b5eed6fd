package import Client

/// A choice that the user is making: by number, by name, or with the arrows.
package struct ChoiceEditor: Hashable, Sendable {
  /// The choices.
  package private(set) var choices: [Choice]
  /// The choice that the arrows mark; nil before the first arrow if there is no current choice.
  package private(set) var marked: Int?
  /// The typed text, which takes precedence over the mark.
  package private(set) var typed = LineEditor()

  /// Creates an editor for those choices.
  ///
  /// - Parameter value: the current value.
  package init(_ choices: [Choice], value: JSON?) {
    self.choices = choices
    marked = choices.firstIndex { $0.value == value }
  }

  /// Replaces the choices. The mark stays at its value.
  package mutating func update(_ choices: [Choice]) {
    guard choices != self.choices else { return }
    let value = marked.map { self.choices[$0].value }
    self.choices = choices
    marked = value.flatMap { value in choices.firstIndex { $0.value == value } }
  }

  /// Handles a key.
  package mutating func press(_ key: Key) {
    switch key {
    case .up where !choices.isEmpty:
      typed = LineEditor()
      marked = ((marked ?? 0) + choices.count - 1) % choices.count
    case .down where !choices.isEmpty:
      typed = LineEditor()
      marked = marked.map { ($0 + 1) % choices.count } ?? 0
    case .up, .down: break
    default: typed.press(key)
    }
  }

  /// The choice that Enter selects: by the typed text, else by the mark. nil if the typed text matches no choice, or if
  /// there is neither text nor mark.
  package var chosen: JSON? {
    if typed.isEmpty { return marked.map { choices[$0].value } }
    let text = typed.text
    if let number = Int(text), choices.indices.contains(number - 1) { return choices[number - 1].value }
    let name = text.lowercased()
    return choices.first { $0.name.lowercased() == name || TypedText.text(of: $0.value).lowercased() == name }?.value
  }
}

extension Choice {
  /// The name of the choice for people.
  package var name: String { label ?? (value.isNull ? "(nothing)" : TypedText.text(of: value)) }
}
