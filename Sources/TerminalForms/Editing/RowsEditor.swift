/// What is to be done with the rows of a list: a command that is typed, or a row that the arrows point at.
package struct RowsEditor: Hashable, Sendable {
  /// What the user asked for.
  package enum Command: Hashable, Sendable {
    case add
    /// The row at that position is to be edited.
    case edit(Int)
    /// The row at that position goes.
    case remove(Int)
    case done
  }

  /// The row that the arrows point at.
  package private(set) var marked: Int?
  /// What was typed.
  package private(set) var typed = LineEditor()

  package init() {}

  /// A key was pressed.
  ///
  /// - Parameter count: how many rows there are.
  package mutating func press(_ key: Key, count: Int) {
    switch key {
    case .up where count > 0: marked = ((marked ?? 0) + count - 1) % count
    case .down where count > 0: marked = marked.map { ($0 + 1) % count } ?? 0
    case .up, .down: break
    default: typed.press(key)
    }
  }

  /// What Enter asks for; nil where what was typed is no command.
  ///
  /// - Parameter count: how many rows there are.
  package func command(count: Int) -> Command? {
    let words = typed.text.split(separator: " ").map { $0.lowercased() }
    let number = words.count == 2 ? Int(words[1]).map { $0 - 1 } : words.count == 1 ? marked : nil
    let row = number.flatMap { (0..<count).contains($0) ? $0 : nil }
    switch words.first {
    case nil: return marked.flatMap { $0 < count ? .edit($0) : nil } ?? .done
    case "a", "add", "+": return words.count == 1 ? .add : nil
    case "d", "done": return words.count == 1 ? .done : nil
    case "e", "edit": return row.map(Command.edit)
    case "r", "remove", "-": return row.map(Command.remove)
    case let word?:
      guard words.count == 1, let number = Int(word), (1...max(count, 1)).contains(number), count > 0 else {
        return nil
      }
      return .edit(number - 1)
    }
  }
}
