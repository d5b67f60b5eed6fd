/// A problem of a text in its language, and its correction.
public struct SyntaxProblem: Hashable, Sendable {
  /// The kinds of problems; the raw value is the code for programs.
  public enum Code: String, Sendable, CaseIterable {
    // Between values.
    case missingComma, missingColon, missingName, missingValue, trailingComma, unclosed, trailing, unexpected
    // Names and scalars.
    case unclosedString, unquotedName, singleQuotes, unknownWord, number, escape, controlCharacter
    // Characters and comments.
    case utf8, byteOrderMark, comment
    // Further texts that jansson refuses; see `JSONReadError.Reason`.
    case duplicateKey, integerRange, realRange, nulInKey, depth, nodes
    // Other languages than JSON.
    case alias, documents, line, nameType, syntax, tag
  }

  /// The bytes that it is about; an empty range is the position of a missing part.
  public var range: Range<Int>
  /// The kind of the problem.
  public var code: Code
  /// One sentence that describes the problem and its correction.
  public var message: String
  /// The text to write in place of ``range`` to correct the problem; nil if only the author knows.
  public var replacement: String?

  public init(_ code: Code, at range: Range<Int>, _ message: String, replacement: String? = nil) {
    self.range = range
    self.code = code
    self.message = message
    self.replacement = replacement
  }

  /// The problem in words without text of the input; a replacement with text of the input is removed.
  public var withoutInput: SyntaxProblem {
    let message: String
    switch code {
    case .unclosedString: message = "a quote of this text is missing; write it"
    case .unquotedName: message = "a name needs quotes; write them"
    case .singleQuotes: message = "a text needs double quotes; write them"
    case .unknownWord: message = "this is not a JSON value; write a text in quotes"
    case .number: message = "this is not a JSON number; write digits, or a text in quotes"
    case .controlCharacter: message = "a control character cannot stand here; write an escape, or remove it"
    case .duplicateKey: message = "an object has the same name twice; keep one of them"
    case .integerRange: message = "an integer has 64 bits; write it as a text, in quotes"
    case .realRange: message = "the number is too large; write it as a text, in quotes"
    case .alias: message = "this alias cannot be used here; write the value"
    case .tag: message = "this tag cannot be used here; remove it"
    case .missingComma, .missingColon, .missingName, .missingValue, .trailingComma, .unclosed, .trailing, .unexpected,
      .escape, .utf8, .byteOrderMark, .comment, .nulInKey, .depth, .nodes, .documents, .line, .nameType, .syntax:
      return self
    }
    return SyntaxProblem(code, at: range, message)
  }

  /// The beginning of a text, in the form for a message.
  static func excerpt(_ text: String) -> String {
    let scalars = text.unicodeScalars.prefix(61)
    return scalars.count > 60 ? "\(String(String.UnicodeScalarView(scalars.dropLast())))..." : text
  }
}
