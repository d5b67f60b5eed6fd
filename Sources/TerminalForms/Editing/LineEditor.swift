/// A text that is being typed, with its cursor. Positions count characters as people see them.
package struct LineEditor: Hashable, Sendable {
  /// The text.
  package private(set) var characters: [Character] = []
  /// The index of the character behind the cursor.
  package private(set) var cursor = 0
  /// Whether it may have line breaks: Enter then inserts one.
  package let isMultiline: Bool

  /// An empty text, or a text with the cursor at its end.
  package init(_ text: String = "", isMultiline: Bool = false) {
    self.isMultiline = isMultiline
    characters = Array(text)
    cursor = characters.count
  }

  package var text: String { String(characters) }
  package var isEmpty: Bool { characters.isEmpty }

  /// Handles a key; keys that do not edit a text are ignored.
  package mutating func press(_ key: Key) {
    switch key {
    case .text(let text): insert(text)
    case .enter: if isMultiline { insert("\n") }
    case .erase: remove(from: cursor - 1, to: cursor)
    case .delete: remove(from: cursor, to: cursor + 1)
    case .eraseWord: remove(from: wordStart, to: cursor)
    case .eraseAll: remove(from: 0, to: characters.count)
    case .left: cursor = max(cursor - 1, 0)
    case .right: cursor = min(cursor + 1, characters.count)
    case .home: cursor = lineStart(of: cursor)
    case .end: cursor = lineEnd(of: cursor)
    case .up: moveLine(up: true)
    case .down: moveLine(up: false)
    case .tab, .back, .endOfInput: break
    }
  }

  /// Inserts a text at the cursor. Its first character may join with the character before it: a mark, a part of a
  /// syllable.
  private mutating func insert(_ text: String) {
    let text = isMultiline ? text : String(text.map { $0.isNewline ? " " : $0 })
    let head = String(characters[..<cursor]) + text
    let tail = String(characters[cursor...])
    characters = Array(head + tail)
    cursor = min(head.count, characters.count)
  }

  private mutating func remove(from start: Int, to end: Int) {
    guard start >= 0, end <= characters.count, start < end else { return }
    characters.removeSubrange(start..<end)
    cursor = start
  }

  private var wordStart: Int {
    var start = cursor
    while start > 0, characters[start - 1].isWhitespace { start -= 1 }
    while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
    return start
  }

  private func lineStart(of position: Int) -> Int {
    (characters[..<position].lastIndex(of: "\n") ?? -1) + 1
  }

  private func lineEnd(of position: Int) -> Int {
    characters[position...].firstIndex(of: "\n") ?? characters.count
  }

  private mutating func moveLine(up: Bool) {
    guard isMultiline else { return }
    let start = lineStart(of: cursor)
    let offset = cursor - start
    if up {
      guard start > 0 else { return }
      cursor = min(lineStart(of: start - 1) + offset, start - 1)
    } else {
      let end = lineEnd(of: cursor)
      guard end < characters.count else { return }
      cursor = min(end + 1 + offset, lineEnd(of: end + 1))
    }
  }
}
