internal import JSON

/// An error that an answer gives to an address.
struct ServerError {
  /// The text for the user.
  var message: String
  /// The server's own name of the error: a text or a number. It is `params.code` of the error in the document.
  var code: JSON?

  var parameters: JSONObject { code.map { ["code": $0] } ?? [:] }
}

extension ServerError {
  /// The errors that are given to an address: a text, `{message, code}`, a list of these, or none. Nil if the value is
  /// something else.
  static func read(_ value: JSON) -> [ServerError]? {
    switch value {
    case .null: return []
    case .string(let text): return text.isEmpty ? [] : [ServerError(message: text)]
    case .object(let members):
      guard let text = members["message"]?.stringValue else { return nil }
      let code = members["code"].flatMap { $0.stringValue != nil || $0.integerValue != nil ? $0 : nil }
      return text.isEmpty ? [] : [ServerError(message: text, code: code)]
    case .array(let elements):
      let errors = elements.map(read)
      return errors.contains { $0 == nil } ? nil : errors.flatMap { $0 ?? [] }
    case .bool, .integer, .real, .decimal: return nil
    }
  }
}
