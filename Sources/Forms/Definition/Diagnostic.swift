public import JSON

/// What is wrong with a form definition, where, and what to do about it.
public struct Diagnostic: Sendable, Hashable {
  /// How bad it is.
  public enum Severity: String, Sendable {
    /// The form is refused.
    case error
    /// The form works, but probably not as meant.
    case warning
  }

  /// The file, if the definition came from one.
  public var file: String?
  /// The place in the definition.
  public var pointer: JSONPointer
  /// The place in the text.
  public var place: TextPlace
  /// What kind of fault it is, for programs: `unknownKey`, `wrongType`, `expression`, `cycle`, ...
  public var code: String
  /// One sentence that says what is wrong.
  public var message: String
  /// What to write instead, or what to do.
  public var remedy: String?
  /// How bad it is.
  public var severity: Severity = .error

  /// The diagnostic as a JSON object: `file`, `path`, `line`, `column`, `severity`, `code`, `message`, `remedy`.
  public var json: JSON {
    var object = JSONObject()
    if let file { object["file"] = .string(file) }
    object["path"] = .string(pointer.description)
    object["line"] = .integer(Int64(place.line))
    object["column"] = .integer(Int64(place.column))
    object["severity"] = .string(severity.rawValue)
    object["code"] = .string(code)
    object["message"] = .string(message)
    if let remedy { object["remedy"] = .string(remedy) }
    return .object(object)
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `file:line:column: error: message` and the remedy in a line of its own, as compilers print it.
  public var description: String {
    let position = file.map { "\($0):\(place)" } ?? "\(place)"
    let location = pointer.tokens.isEmpty ? "" : " [\(pointer)]"
    let advice = remedy.map { "\n    \($0)" } ?? ""
    return "\(position): \(severity.rawValue): \(message)\(location)\(advice)"
  }
}
