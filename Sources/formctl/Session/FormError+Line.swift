internal import Client

extension FormError {
  /// The error for people: `/email: This is required. [required]`.
  var line: String {
    let place = path.tokens.isEmpty ? field ?? "the form" : path.description
    return "\(isWarning ? "warning: " : "")\(place): \(message.map { "\($0) " } ?? "")[\(code)]"
  }
}
