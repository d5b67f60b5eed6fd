package import Client

/// A choice that is being made: by number, by name, or by going up and down.
package struct ChoiceEditor: Hashable, Sendable {
  /// What can be chosen.
  package private(set) var choices: [Choice]
  /// The choice that the arrows point at; nil before the first arrow where nothing is chosen yet.
  package private(set) var marked: Int?
  /// What was typed instead.
  package private(set) var typed = LineEditor()

  /// A choice among those.
  ///
  /// - Parameter value: what is chosen at present.
  package init(_ choices: [Choice], value: JSON?) {
    self.choices = choices
    marked = choices.firstIndex { $0.value == value }
  }

  /// Other things can be chosen now. The mark stays at its value.
  package mutating func update(_ choices: [Choice]) {
    guard choices != self.choices else { return }
    let value = marked.map { self.choices[$0].value }
    self.choices = choices
    marked = value.flatMap { value in choices.firstIndex { $0.value == value } }
  }

  /// A key was pressed.
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

  /// What is chosen when Enter is pressed: by what was typed, else by the mark; nil where what was typed is none of the choices, or
  /// nothing is typed and marked.
  package var chosen: JSON? {
    if typed.isEmpty { return marked.map { choices[$0].value } }
    let text = typed.text
    if let number = Int(text), choices.indices.contains(number - 1) { return choices[number - 1].value }
    let name = text.lowercased()
    return choices.first { $0.name.lowercased() == name || TypedText.text(of: $0.value).lowercased() == name }?.value
  }
}

extension Choice {
  /// What people call it.
  package var name: String { label ?? (value.isNull ? "(nothing)" : TypedText.text(of: value)) }
}
