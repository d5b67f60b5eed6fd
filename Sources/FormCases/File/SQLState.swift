internal import FormProtocol
package import JSON

/// An error code of a database, from ISO/IEC 9075-2, section 24: `response.sqlState`.
package struct SQLState: CheckedValue, Hashable, Sendable {
  /// The five characters.
  package let code: String

  /// The error code in that text; nil if the text is not one.
  package init?(_ code: String) {
    guard code.utf8.count == 5, code.utf8.allSatisfy(Self.mayStandInCode) else { return nil }
    self.code = code
  }

  package var written: String { code }

  private static func mayStandInCode(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  package static var schema: JSONObject { ["type": "string", "pattern": "^[0-9A-Z]{5}$"] }
  package static var expectation: String { "an SQLSTATE: five digits or upper-case letters, such as \"23505\"" }
}
