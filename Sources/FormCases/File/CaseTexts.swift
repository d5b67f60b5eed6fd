internal import CEL
package import FormProtocol
internal import Forms
package import JSON

/// A length of virtual time, as form definitions write it: `300ms`, `10s`, `2m`, `1h`; at most a day.
package struct CaseDuration: MemberValue, Hashable, Sendable {
  /// As it is written.
  package let text: String
  /// How long that is.
  package let duration: Duration

  /// Reads such a text; nil for any other.
  package init?(_ text: String) {
    guard let duration = Forms.duration(from: text) else { return nil }
    self.text = text
    self.duration = duration
  }

  package static var schema: JSONObject {
    ["type": "string", "pattern": "^([0-9]+\\.?[0-9]*|\\.[0-9]+)(ms|s|m|h)$", "examples": ["300ms", "10s", "2m"]]
  }
  package static var expectation: String { "a duration such as \"300ms\", \"10s\" or \"2m\", at most \"24h\"" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> CaseDuration? {
    guard let text = String.read(node, &reader) else { return nil }
    guard let duration = CaseDuration(text) else {
      reader.note(.value, expectation)
      return nil
    }
    return duration
  }

  package func write(into buffer: OutputBuffer) { buffer.write(text) }
}

/// A time of day and date, as RFC 3339 writes it: `2026-11-22T12:00:00Z`.
package struct CaseTime: MemberValue, Hashable, Sendable {
  /// As it is written.
  package let text: String

  /// Reads such a text; nil for any other.
  package init?(_ text: String) {
    guard Timestamp(rfc3339: text) != nil else { return nil }
    self.text = text
  }

  package static var schema: JSONObject {
    ["type": "string", "format": "date-time", "examples": ["2026-11-22T12:00:00Z"]]
  }
  package static var expectation: String { "a time as RFC 3339 writes it, such as \"2026-11-22T12:00:00Z\"" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> CaseTime? {
    guard let text = String.read(node, &reader) else { return nil }
    guard let time = CaseTime(text) else {
      reader.note(.value, expectation)
      return nil
    }
    return time
  }

  package func write(into buffer: OutputBuffer) { buffer.write(text) }
}

/// A time zone's name: `Europe/Zurich`, `UTC`, `+02:00`.
package struct CaseZone: MemberValue, Hashable, Sendable {
  /// As it is written.
  package let text: String

  /// Reads such a name; nil for one that this machine does not know.
  package init?(_ text: String) {
    guard Zone(named: text) != nil else { return nil }
    self.text = text
  }

  package static var schema: JSONObject { ["type": "string", "examples": ["Europe/Zurich", "UTC", "+02:00"]] }
  package static var expectation: String { "a time zone that this machine knows, such as \"Europe/Zurich\" or \"UTC\"" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> CaseZone? {
    guard let text = String.read(node, &reader) else { return nil }
    guard let zone = CaseZone(text) else {
      reader.note(.value, expectation)
      return nil
    }
    return zone
  }

  package func write(into buffer: OutputBuffer) { buffer.write(text) }
}
