internal import JSON

/// One error or warning of a session's document.
struct DocumentError {
  /// The field that has the error; nil for the form as a whole.
  var field: String?
  /// The error as the document holds it.
  var error: JSON

  /// Every error and warning of a document, those of the fields first.
  static func all(of document: JSON) -> [DocumentError] {
    let fields = document["fields"]?.objectValue ?? [:]
    return fields.flatMap { field in
      (field.value["errors"]?.arrayValue ?? []).map { DocumentError(field: field.name, error: $0) }
    } + (document["errors"]?.arrayValue ?? []).map { DocumentError(field: nil, error: $0) }
  }

  /// Where in the values, as a JSON Pointer; empty for the form as a whole.
  var path: String { error["path"]?.stringValue ?? "" }

  /// Whether the value is accepted all the same.
  var isWarning: Bool { error["severity"]?.stringValue == "warning" }

  /// `/email: This is required. [required]`
  var line: String {
    let message = error["message"]?.stringValue.map { "\($0) " } ?? ""
    return "\(isWarning ? "warning: " : "")\(path.isEmpty ? field ?? "the form" : path): \(message)[\(code)]"
  }

  /// The error for programs, with its field.
  var json: JSON {
    guard let field, case .object(let members) = error else { return error }
    var object: JSONObject = ["field": .string(field)]
    for member in members { object[member.name] = member.value }
    return .object(object)
  }

  private var code: String { error["code"]?.stringValue ?? "?" }
}
