public import Forms
public import JSON

/// An error in a part of a text, from a form or from the language of the text.
public struct TextError: Sendable, Hashable {
  /// The reason why the alternative that is closest to a value does not hold.
  public struct Cause: Sendable, Hashable {
    /// Its location in the values.
    public var pointer: JSONPointer
    /// The keyword of JSON Schema that does not hold.
    public var code: String
    /// The bytes that it applies to.
    public var range: Range<Int>
    /// The bytes of the member's name, if the location is a member.
    public var keyRange: Range<Int>?
  }

  /// A replacement that corrects the text.
  public struct Fix: Sendable, Hashable {
    /// The bytes that it replaces.
    public var range: Range<Int>
    /// The new text.
    public var text: String

    public init(range: Range<Int>, text: String) {
      self.range = range
      self.text = text
    }
  }

  /// Its location in the values.
  public var pointer: JSONPointer
  /// The code of the error: the id of a rule or a check, a keyword of JSON Schema, `unknownName`, or the code of a
  /// ``SyntaxProblem``.
  public var code: String
  /// The source of the error. Nil if the error was found while the text was read.
  public var source: ErrorSource?
  /// Whether the values are accepted despite the error.
  public var isWarning = false
  /// The error as a text for the user.
  public var message: String
  /// The values that the message names, by their names.
  public var parameters: JSONObject = [:]
  /// The bytes that it applies to, normally the value. If the value is missing, they are the name of the object around
  /// it, or its first bracket.
  public var range: Range<Int>
  /// The bytes of the member's name. If the member is missing, they are the name of the object around it. Nil without a
  /// name.
  public var keyRange: Range<Int>?
  /// The correction, if there is an obvious one.
  public var fix: Fix?
  /// The reasons why the closest alternative does not hold, if a value matches none of several alternatives.
  public var causes: [Cause] = []
}

/// The verdict of a form on a text.
public struct TextVerdict: Sendable {
  /// Whether the text can be read, and its values are valid.
  public var isValid: Bool
  /// The errors in the text, and then the errors in its values.
  public var errors: [TextError]
  /// Whether there are more errors than reported.
  public var isTruncated: Bool
}
