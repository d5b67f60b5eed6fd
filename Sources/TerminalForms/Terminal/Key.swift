/// A key as it was pressed, or a text that came as one.
package enum Key: Hashable, Sendable {
  /// Characters that stand for themselves; a paste may have line breaks.
  case text(String)
  case enter
  case tab
  /// Shift-Tab or Escape: the question before.
  case back
  /// The character before the cursor goes.
  case erase
  /// The character behind the cursor goes.
  case delete
  /// The word before the cursor goes (Ctrl-W).
  case eraseWord
  /// Everything goes (Ctrl-U).
  case eraseAll
  case left, right, up, down, home, end
  /// Ctrl-D, or a terminal that says so in another way: no more input.
  case endOfInput
}
