/// The user's choice of an action on the rows of a list: a typed command, or a row that the arrows mark.
package struct RowsEditor: Hashable, Sendable {
  /// The user's command.
  package enum Command: Hashable, Sendable {
    case add
    /// Edit the row at that position.
    case edit(Int)
    /// Remove the row at that position.
    case remove(Int)
    /// Move the row at the first position to the second.
    case move(Int, Int)
    case done
  }

  /// The row that the arrows mark.
  package private(set) var marked: Int?
  /// The typed text.
  package private(set) var typed = LineEditor()

  package init() {}

  /// Handles a key.
  ///
  /// - Parameter count: the number of rows.
  package mutating func press(_ key: Key, count: Int) {
    switch key {
    case .up where count > 0: marked = ((marked ?? 0) + count - 1) % count
    case .down where count > 0: marked = marked.map { ($0 + 1) % count } ?? 0
    case .up, .down: break
    default: typed.press(key)
    }
  }

  /// The command that Enter gives; nil if the typed text is not a command.
  ///
  /// - Parameter count: the number of rows.
  package func command(count: Int) -> Command? {
    let words = typed.text.split(separator: " ").map { $0.lowercased() }
    if ["m", "move"].contains(words.first) {
      return move(words.dropFirst().compactMap { Int($0) }, words.count, count)
    }
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

  /// `m 3 1`, or `m 1` for the marked row.
  private func move(_ numbers: [Int], _ wordCount: Int, _ count: Int) -> Command? {
    guard numbers.count == wordCount - 1, numbers.allSatisfy({ (1...max(count, 1)).contains($0) }), count > 0 else {
      return nil
    }
    return switch numbers.count {
    case 2: .move(numbers[0] - 1, numbers[1] - 1)
    case 1: marked.map { Command.move($0, numbers[0] - 1) }
    default: nil
    }
  }
}
