/// What is wrong with a text as a text of its language, and what to write instead.
public struct TextFault: Hashable, Sendable {
  /// What kind of fault it is; the raw value is its code for programs.
  public enum Code: String, Sendable, CaseIterable {
    // Between values.
    case missingComma, missingColon, missingName, missingValue, trailingComma, unclosed, trailing, unexpected
    // Names and scalars.
    case unclosedString, unquotedName, singleQuotes, unknownWord, number, escape, controlCharacter
    // Characters and comments.
    case utf8, byteOrderMark, comment
    // What jansson refuses besides; see `JSONReadError.Reason`.
    case duplicateKey, integerRange, realRange, nulInKey, depth, nodes
    // Other languages than JSON.
    case alias, documents, line, nameType, syntax, tag
  }

  /// The bytes that it is about; an empty range is where something is missing.
  public var range: Range<Int>
  /// What kind of fault it is.
  public var code: Code
  /// One sentence that says what is wrong, and what to write.
  public var message: String
  /// What to write in the place of ``range`` to mend it; nil where only the author knows.
  public var replacement: String?

  /// A fault of those parts.
  public init(_ code: Code, at range: Range<Int>, _ message: String, replacement: String? = nil) {
    self.range = range
    self.code = code
    self.message = message
    self.replacement = replacement
  }

  /// The beginning of a text, as it stands in a message.
  static func excerpt(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(61)
    return scalars.count > 60 ? "\(String(String.UnicodeScalarView(scalars.dropLast())))..." : text
  }
}
