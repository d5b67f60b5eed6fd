public import JSON
public import SourceTexts

/// A form's judgment of a text: the answer to `text/validate`.
public struct TextJudgment: Message, Sendable {
  /// Whether the text can be read, and its values are valid.
  public var isValid = false
  /// The errors: of the text itself, then of its values, then of the form as a whole.
  public var errors: [TextProblem] = []
  /// Whether there are more errors than the answer has.
  public var isTruncated = false

  package init() {}

  package static let schemaName: StaticString? = "TextValidation"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("isValid", &isValid, "Whether the text can be read, and its values are valid.")
    members.required(
      "errors",
      &errors,
      "The errors: first in the text, then in its values in the order of the form's fields, then of the form as a whole."
    )
    members.required("isTruncated", &isTruncated, "Whether there are more errors than are listed.")
  }
}

/// An error in a part of a text.
public struct TextProblem: Message, Sendable {
  /// The part of the form that has found an error.
  public enum Source: WireName, Sendable {
    /// The schema, a rule, a check, the answer to a run, or a formula that went wrong.
    case schema, rule, check, server, fault

    package static let schemaName: StaticString? = "ErrorSource"

    package var wireName: StaticString {
      switch self {
      case .schema: "schema"
      case .rule: "rule"
      case .check: "check"
      case .server: "server"
      case .fault: "fault"
      }
    }
  }

  /// The location in the values, as a JSON Pointer; in a list this is a position.
  public var path = ""
  /// The kind of the error, for programs.
  public var code = ""
  /// The source of the error; nil if reading the text finds it, and for a source that only a later daemon knows.
  public var source: Source?
  /// The severity; nil for a severity that only a later daemon knows.
  public var severity: ProblemSeverity?
  /// The error, in words.
  public var message = ""
  /// The values that the message contains, by name.
  public var params: JSONObject?
  /// The range of the text that it is about.
  public var range = TextRange()
  /// The range of the member's name.
  public var keyRange: TextRange?
  /// A change of the text that corrects the error; nil if none is known.
  public var fix: TextReplacement?
  /// The reasons why the closest alternative does not hold.
  public var causes: [TextCause] = []

  package init() {}

  package static let schemaName: StaticString? = "TextError"
  package static let summary: StaticString = "An error in a text."

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required(
      "path",
      &path,
      "The location in the values, as a JSON Pointer; elements of lists are given by position."
    )
    members.required(
      "code",
      &code,
      "The kind of error: the id of a rule or a check, a keyword of JSON Schema, `unknownName`, or a problem of the text itself."
    )
    members.optional(
      "source",
      &source,
      "The source of the error, as in documents. Absent if the text cannot be read there."
    )
    members.required(
      "severity",
      &severity,
      "An `error`: the text cannot be read there, or the value is not valid. A `warning`: the text is accepted, but probably not as intended."
    )
    members.required("message", &message, "The message, for people.")
    members.optional("params", &params, "The parameters of the message, by name.")
    members.required(
      "range",
      &range,
      "The error's range in the text: the value. If the value is missing: the name of the object that lacks it, or its opening bracket."
    )
    members.optional(
      "keyRange",
      &keyRange,
      "The range of the member's name. If the member is missing: the range of the name of the object that lacks it."
    )
    members.optional("fix", &fix, "What to write instead, if that is clear.")
    members.optional(
      "causes",
      &causes,
      "Why the value does not match the closest alternative, if it matches none of several."
    )
  }
}

/// Why an alternative does not hold.
public struct TextCause: Message, Sendable {
  /// The location in the values, as a JSON Pointer.
  public var path = ""
  /// The keyword of JSON Schema that does not hold.
  public var code = ""
  /// The range of the text that it is about.
  public var range = TextRange()
  /// The range of the member's name.
  public var keyRange: TextRange?

  package init() {}

  package static let schemaName: StaticString? = "TextCause"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("path", &path, "The location in the values, as a JSON Pointer.")
    members.required("code", &code, "The keyword of JSON Schema that the value violates.")
    members.required("range", &range, "The error's range in the text.")
    members.optional("keyRange", &keyRange, "The range of the member's name.")
  }

  package static let summary: StaticString = "Why a value does not match an alternative."
}

/// A text that replaces another.
public struct TextReplacement: Message, Sendable {
  /// The range that goes. It is empty if the text is only inserted.
  public var range = TextRange()
  /// The text that is written there.
  public var text = ""

  package init() {}

  package init(range: TextRange, text: String) {
    self.range = range
    self.text = text
  }

  package static let schemaName: StaticString? = "TextFix"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("range", &range, "The range that is replaced.")
    members.required("text", &text, "The new text.")
  }

  package static let summary: StaticString = "A replacement in a text."
}

extension TextRange: Message {
  package init() {
    self.init(start: TextPosition(), end: TextPosition())
  }

  package static let schemaName: StaticString? = "TextRange"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("start", &start, "The position of the first character.")
    members.required("end", &end, "The position after the last character.")
  }

  package static let summary: StaticString = "A range of a text."
}

extension TextPosition: Message {
  package init() {
    self.init(line: 0, character: 0)
  }

  package static let schemaName: StaticString? = "TextPosition"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("line", &line, "The line, from 0.")
    members.required("character", &character, "The characters of the line before the position.")
  }

  package static let summary: StaticString = "A position in a text."
}
