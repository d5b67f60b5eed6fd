internal import FormProtocol
package import JSON

/// An HTTP status: three digits, the first of them 1 to 5 (RFC 9110, section 15).
package struct ResponseStatus: CheckedValue, Hashable, Sendable {
  /// The number.
  package let code: Int

  /// The status with that number; nil if the number is not a status.
  package init?(_ code: Int) {
    guard Self.codes.contains(code) else { return nil }
    self.code = code
  }

  package var written: Int { code }

  private static let codes = 100...599

  package static var schema: JSONObject {
    [
      "type": "integer", "minimum": .integer(Int64(codes.lowerBound)), "maximum": .integer(Int64(codes.upperBound)),
    ]
  }
  package static var expectation: String { "an HTTP status, \(codes.lowerBound) to \(codes.upperBound)" }
}
