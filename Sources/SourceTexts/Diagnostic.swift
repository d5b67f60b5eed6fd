public import JSON

/// A problem of a file or a text, with its position and its remedy.
public struct Diagnostic: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable {
    /// The text at the position is refused.
    case error
    /// It works, but probably not as meant.
    case warning
  }

  /// The file, if the text came from one.
  public var file: String?
  /// The location in the value.
  public var pointer: JSONPointer
  /// The position to look at in the text; nil without a text, or if the problem is about the file as a whole.
  public var position: LineColumn?
  /// The stretch of the text that it is about: a value, a name, a part of a formula. ``position`` may be within it, as
  /// at an operator's sign.
  public var span: TextSpan?
  /// The kind of the problem, for programs: `unknownKey`, `wrongType`, `expression`, `cycle`, ...
  public var code: String
  /// One sentence that describes the problem.
  public var message: String
  /// The replacement to write, or the action to take.
  public var remedy: String?
  /// The text to write in place of ``span``, if that corrects the problem; nil if only the author knows.
  public var replacement: String?
  /// How bad it is.
  public var severity: Severity
  /// Other values of the same text that are a part of the problem, each with a remark: the first of two ids, the
  /// formulas of a cycle.
  public var related: [Related] = []

  /// Another value that is a part of the problem.
  public struct Related: Sendable, Hashable {
    /// The location in the value.
    public var pointer: JSONPointer
    /// A remark about it: `the first one`.
    public var message: String

    public init(_ pointer: JSONPointer, _ message: String) {
      self.pointer = pointer
      self.message = message
    }
  }

  /// A diagnostic of those parts; without a position, the position is the beginning of the span.
  public init(
    file: String? = nil,
    pointer: JSONPointer = .root,
    position: LineColumn? = nil,
    span: TextSpan? = nil,
    code: String,
    message: String,
    remedy: Remedy? = nil,
    severity: Severity = .error
  ) {
    self.file = file
    self.pointer = pointer
    self.position = position ?? span?.position
    self.span = span
    self.code = code
    self.message = message
    self.remedy = remedy?.text
    replacement = remedy?.replacement
    self.severity = severity
  }

  /// The problem that a file's text is not JSON; the code is `json`.
  ///
  /// - Parameter line: the line of the file on which the text begins.
  public init(_ error: JSONReadError, file: String?, line: Int = 1) {
    let position = LineColumn(line: line + error.position.line - 1, column: error.position.column)
    self.init(file: file, position: position, code: "json", message: error.message)
  }

  /// A problem of a text in its language.
  public init(_ problem: SyntaxProblem, of text: SourceText, file: String?) {
    self.init(
      file: file,
      span: TextSpan(problem.range, of: text),
      code: problem.code.rawValue,
      message: problem.message
    )
    replacement = problem.replacement
  }

  /// The diagnostic as a JSON object: `file`, `path`, `line`, `column`, `range`, `severity`, `code`, `message`,
  /// `remedy`; members that are nil are omitted.
  ///
  /// - Parameter encoding: the units of the characters in `range`.
  public func json(encoding: PositionEncoding = .utf16) -> JSON {
    var object = JSONObject()
    if let file { object["file"] = .string(file) }
    object["path"] = .string(pointer.description)
    if let position {
      object["line"] = .integer(Int64(position.line))
      object["column"] = .integer(Int64(position.column))
    }
    if let span { object["range"] = span.range(in: encoding).json }
    object["severity"] = .string(severity.rawValue)
    object["code"] = .string(code)
    object["message"] = .string(message)
    if let remedy { object["remedy"] = .string(remedy) }
    return .object(object)
  }
}

extension Diagnostic {
  /// `error: message [/pointer]`, and the remedy in a line of its own: the format of a compiler's messages behind the
  /// position.
  package var words: String {
    let location = pointer.tokens.isEmpty ? "" : " [\(pointer)]"
    let advice = remedy.map { "\n    \($0)" } ?? ""
    return "\(severity.rawValue): \(message)\(location)\(advice)"
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `file:line:column: error: message [/pointer]`, and the remedy in a line of its own, as compilers print it.
  public var description: String {
    let prefix = [file, position?.description].compactMap { $0.map { "\($0):" } }.joined()
    return prefix.isEmpty ? words : "\(prefix) \(words)"
  }
}
