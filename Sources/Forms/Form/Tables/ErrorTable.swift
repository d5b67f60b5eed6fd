package import JSON

/// The number of an error that was prepared when the form was loaded.
package struct ErrorNumber: Hashable, Sendable {
  /// Where the error is among the form's prepared errors.
  package let rawValue: Int32

  /// The number of the error there.
  @inlinable @inline(__always)
  package init(_ rawValue: Int) {
    self.rawValue = Int32(rawValue)
  }
}

/// The origin of an error; the raw value is its `source` in the document.
public enum ErrorSource: String, Sendable {
  /// The schema, a rule, a check, the answer to a run, or a formula that went wrong.
  case schema, rule, check, server, fault
}

/// An error whose text is known when the form is loaded, so that writing it usually needs no allocation.
package final class PreparedError: Sendable {
  /// The schema keyword, or the id of the rule or check.
  package let code: String
  /// An error, or only a warning. An error of a server does not block either.
  package let severity: Severity
  /// The origin of the error.
  package let source: ErrorSource
  /// The error's text.
  package let message: LocalizedText

  package init(code: String, severity: Severity, source: ErrorSource, message: LocalizedText) {
    self.code = code
    self.severity = severity
    self.source = source
    self.message = message
  }

  /// Writes its JSON in the document, with the text of that locale index.
  package func write(locale: Int, into buffer: OutputBuffer) {
    writeErrorJSON(
      code: code,
      path: "",
      severity: severity,
      source: source,
      message: message[locale],
      parameters: [:],
      into: buffer
    )
  }
}

/// Writes an error in the form that the document has.
///
/// - Parameter path: the error's location inside its field's value, as a JSON Pointer; empty for the value itself.
package func writeErrorJSON(
  code: String,
  path: String,
  severity: Severity,
  source: ErrorSource,
  message: String,
  parameters: JSONObject,
  into buffer: OutputBuffer
) {
  buffer.append("{\"code\":")
  buffer.write(code)
  if !path.isEmpty {
    buffer.append(",\"path\":")
    buffer.write(path)
  }
  buffer.append(",\"severity\":")
  buffer.write(severity.rawValue)
  buffer.append(",\"source\":")
  buffer.write(source.rawValue)
  buffer.append(",\"message\":")
  buffer.write(message)
  buffer.append(",\"params\":")
  buffer.write(JSON.object(parameters))
  buffer.append("}")
}

/// The prepared errors of a form while it is compiled.
struct ErrorTable {
  private(set) var all: [PreparedError] = []

  mutating func add(_ error: PreparedError) -> ErrorNumber {
    all.append(error)
    return ErrorNumber(all.count - 1)
  }
}

extension [PreparedError] {
  /// The error of that number.
  @inline(__always)
  package subscript(number: ErrorNumber) -> PreparedError { self[Int(number.rawValue)] }
}
