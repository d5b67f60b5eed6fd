/// Whether a problem of a file or an error in a text is serious.
public enum ProblemSeverity: WireName, Sendable {
  /// The file is not used, the text cannot be read, or the value is not valid.
  case error
  /// It is accepted, but probably not as intended.
  case warning

  package static let schemaName: StaticString? = "Severity"

  package var wireName: StaticString {
    switch self {
    case .error: "error"
    case .warning: "warning"
    }
  }
}
