package import Client

/// A choice that the user is making: by number, by name, or with the arrows. It is of one value, or of several values
/// that the user marks.
package struct ChoiceEditor: Hashable, Sendable {
  /// A selected entry.
  package enum Selection: Hashable, Sendable {
    /// The choice at that position.
    case choice(Int)
    /// A text of the user's own.
    case own(String)
    /// The last entry, which asks for a text of the user's own.
    case other
    /// A choice that is disabled.
    case disabled
  }

  package private(set) var choices: [Choice]
  /// Whether a text of the user's own may be given. Then an entry for it follows the choices.
  package let admitsOther: Bool
  /// The entry that the arrows mark. Before the first arrow it is the current choice, or nil.
  package private(set) var marked: Int?
  /// The typed text, which takes precedence over the mark.
  package private(set) var typed = LineEditor()
  /// Whether the user went to the entry for a text of their own: then a typed number is a text, too.
  private var isWriting = false
  /// The values that can be chosen even if they are disabled: the value at the start, or all values that have been
  /// there. So the user can take each mark away, and back.
  private var kept: [JSON]
  /// Whether several values are marked.
  private let isMultiple: Bool

  /// An editor of one value.
  ///
  /// - Parameter value: the current value.
  package init(_ choices: [Choice], value: JSON?, admitsOther: Bool = false) {
    self.choices = choices
    self.admitsOther = admitsOther
    kept = value.map { [$0] } ?? []
    isMultiple = false
    marked = choices.firstIndex { $0.value == value }
    if marked == nil, admitsOther, let value, !value.isNull { marked = choices.count }
  }

  /// An editor of several values. The first entry is marked.
  ///
  /// - Parameter values: the current values.
  package init(_ choices: [Choice], values: [JSON], admitsOther: Bool = false) {
    self.choices = choices
    self.admitsOther = admitsOther
    kept = values
    isMultiple = true
    marked = (0..<count).first(where: canBeChosen)
  }

  /// The number of entries.
  package var count: Int { choices.count + (admitsOther ? 1 : 0) }

  /// Whether the mark is at the entry for a text of the user's own.
  package var isAtOther: Bool { marked == choices.count }

  /// Replaces the choices. The mark stays at its value.
  ///
  /// - Parameter values: the current values of an editor of several values.
  package mutating func update(_ choices: [Choice], values: [JSON] = []) {
    kept += values.filter { !kept.contains($0) }
    guard choices != self.choices else { return }
    let wasAtOther = isAtOther
    let value = marked.flatMap { $0 < self.choices.count ? self.choices[$0].value : nil }
    self.choices = choices
    marked = wasAtOther ? choices.count : value.flatMap { value in choices.firstIndex { $0.value == value } }
  }

  /// Handles a key.
  package mutating func press(_ key: Key) {
    switch key {
    case .up: move(by: -1)
    case .down: move(by: 1)
    default: typed.press(key)
    }
  }

  /// Moves the mark to the next entry that can be chosen.
  private mutating func move(by step: Int) {
    typed = LineEditor()
    guard count > 0 else { return }
    var position = marked ?? (step > 0 ? -1 : 0)
    for _ in 0..<count {
      position = (position + step + count) % count
      if canBeChosen(position) {
        marked = position
        isWriting = isAtOther
        return
      }
    }
  }

  /// Whether the entry at a position can be chosen.
  package func canBeChosen(_ position: Int) -> Bool {
    position == choices.count || !choices[position].isDisabled || kept.contains(choices[position].value)
  }

  /// Removes the typed text.
  package mutating func clear() { typed = LineEditor() }

  /// Begins with a text of the user's own.
  package mutating func begin(_ text: String) {
    typed = LineEditor(text)
    isWriting = true
  }

  /// Moves the mark to the entry for a text of the user's own.
  package mutating func moveToOther() {
    marked = choices.count
    isWriting = true
    clear()
  }

  /// The entry that Enter selects: by the typed text, else by the mark. nil if the typed text is neither a choice nor
  /// an admitted text, or if there is neither text nor mark.
  package var selection: Selection? {
    if typed.isEmpty { return marked.map { isAtOther ? .other : .choice($0) } }
    let text = typed.text
    if isAtOther, isWriting { return .own(text) }
    if let numbers = typedNumbers, !numbers.allSatisfy(canBeChosen) { return .disabled }
    if let position = position(of: text) { return canBeChosen(position) ? .choice(position) : .disabled }
    if admitsOther, Int(text) == count { return .other }
    return admitsOther ? .own(text) : nil
  }

  /// The chosen value; nil if Enter selects none of the choices.
  package var chosen: JSON? {
    if case .choice(let position)? = selection { choices[position].value } else { nil }
  }

  /// The positions of several typed numbers; nil if the text is something else, or if one value is chosen.
  package var typedNumbers: [Int]? {
    guard isMultiple else { return nil }
    let words = typed.text.split { $0 == " " || $0 == "," }
    let positions = words.compactMap { Int($0).map { $0 - 1 } }
    let areNumbers = positions.count == words.count && positions.count > 1
    return areNumbers && positions.allSatisfy(choices.indices.contains) ? positions : nil
  }

  /// The numbers of the choices that can be chosen, such as `1-3, 5`.
  package var possibleNumbers: String {
    RangeSet(choices.indices.filter(canBeChosen), within: choices).ranges.map { range in
      range.count == 1 ? "\(range.upperBound)" : "\(range.lowerBound + 1)-\(range.upperBound)"
    }.joined(separator: ", ")
  }

  private func position(of text: String) -> Int? {
    if let number = Int(text), choices.indices.contains(number - 1) { return number - 1 }
    let name = text.lowercased()
    return choices.firstIndex { $0.name.lowercased() == name || TypedText.text(of: $0.value).lowercased() == name }
  }
}

extension Choice {
  /// The name of the choice for people.
  package var name: String { label ?? (value.isNull ? "–" : TypedText.text(of: value)) }
}
