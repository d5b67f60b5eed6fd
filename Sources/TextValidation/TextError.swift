public import Forms
public import JSON

/// What a form, or the language of the text, says against a part of a text.
public struct TextError: Sendable, Hashable {
  /// Why the alternative that a value comes closest to does not hold.
  public struct Cause: Sendable, Hashable {
    /// Where in the values it stands.
    public var pointer: JSONPointer
    /// The keyword of JSON Schema that does not hold.
    public var code: String
    /// The bytes that it is about.
    public var range: Range<Int>
    /// The bytes of the member's name, where the place is a member's.
    public var keyRange: Range<Int>?
  }

  /// What to write instead.
  public struct Fix: Sendable, Hashable {
    /// The bytes that it replaces.
    public var range: Range<Int>
    /// What is written there.
    public var text: String

    /// That text in the place of those bytes.
    public init(range: Range<Int>, text: String) {
      self.range = range
      self.text = text
    }
  }

  /// Where in the values it stands.
  public var pointer: JSONPointer
  /// What is wrong: the id of a rule or a check, a keyword of JSON Schema, `unknownName`, or the code of a ``TextFault``.
  public var code: String
  /// What finds it; nil where that is the reading of the text.
  public var source: ErrorSource?
  /// Whether the values are accepted all the same.
  public var isWarning = false
  /// What is wrong, in words.
  public var message: String
  /// What the words speak of, by name.
  public var parameters: JSONObject = [:]
  /// The bytes that it is about: the value; where that is missing, the name of what lacks it, or its first bracket.
  public var range: Range<Int>
  /// The bytes of the member's name; where the member is missing, of the name of what lacks it. Nil where there is none.
  public var keyRange: Range<Int>?
  /// What to write instead, where that is plain.
  public var fix: Fix?
  /// Why the closest alternative does not hold, where a value is none of several.
  public var causes: [Cause] = []
}

/// What a form says of a text.
public struct TextVerdict: Sendable {
  /// Whether the text can be read, and its values are valid.
  public var isValid: Bool
  /// What is wrong with the text, then with its values.
  public var errors: [TextError]
  /// Whether there are more than are told.
  public var isTruncated: Bool
}
