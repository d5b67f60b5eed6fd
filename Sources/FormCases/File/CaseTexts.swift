internal import CEL
internal import FormProtocol
internal import Forms
package import JSON
internal import Times

/// A length of virtual time, as form definitions write it: `300ms`, `10s`, `2m`, `1h`; at most a day.
package struct CaseDuration: CheckedValue, Hashable, Sendable {
  /// The text in the file.
  package let written: String
  /// The length.
  package let duration: Duration

  /// Reads such a text; nil for any other text.
  package init?(_ written: String) {
    guard let duration = Forms.duration(from: written) else { return nil }
    self.written = written
    self.duration = duration
  }

  package static var schema: JSONObject {
    ["type": "string", "pattern": "^([0-9]+\\.?[0-9]*|\\.[0-9]+)(ms|s|m|h)$", "examples": ["300ms", "10s", "2m"]]
  }
  package static var expectation: String { "a duration such as \"300ms\", \"10s\" or \"2m\", at most \"24h\"" }
}

/// A time of day and date, as RFC 3339 writes it: `2026-11-22T12:00:00Z`.
package struct CaseTime: CheckedValue, Hashable, Sendable {
  /// The text in the file.
  package let written: String

  /// Reads such a text; nil for any other text.
  package init?(_ written: String) {
    guard Timestamp(rfc3339: written) != nil else { return nil }
    self.written = written
  }

  package static var schema: JSONObject {
    ["type": "string", "format": "date-time", "examples": ["2026-11-22T12:00:00Z"]]
  }
  package static var expectation: String { "a time as in RFC 3339, such as \"2026-11-22T12:00:00Z\"" }
}

/// A time zone's name: `Europe/Zurich`, `UTC`, `+02:00`.
package struct CaseZone: CheckedValue, Hashable, Sendable {
  /// The text in the file.
  package let written: String

  /// Reads such a name; nil for a zone that this machine does not know.
  package init?(_ written: String) {
    guard Zone(named: written) != nil else { return nil }
    self.written = written
  }

  package static var schema: JSONObject { ["type": "string", "examples": ["Europe/Zurich", "UTC", "+02:00"]] }
  package static var expectation: String { "a time zone that this machine knows, such as \"Europe/Zurich\" or \"UTC\"" }
}
