internal import Client

extension FormError {
  /// The error for people: `/email: This is required. [required]`.
  var line: String {
    let location = path.tokens.isEmpty ? field ?? "the form" : path.description
    return "\(isWarning ? "warning: " : "")\(location): \(message.map { "\($0) " } ?? "")[\(code)]"
  }
}
