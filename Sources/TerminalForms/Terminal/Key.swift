/// A pressed key, or a text that arrived as one key.
package enum Key: Hashable, Sendable {
  /// Characters for the text; pasted characters may include line breaks.
  case text(String)
  case enter
  case tab
  /// Shift-Tab or Escape: to the previous question.
  case back
  /// Removes the character before the cursor.
  case erase
  /// Removes the character behind the cursor.
  case delete
  /// Removes the word before the cursor (Ctrl-W).
  case eraseWord
  /// Removes everything (Ctrl-U).
  case eraseAll
  case left, right, up, down, home, end
  /// Ctrl-D, or another end of the terminal's input.
  case endOfInput
}
