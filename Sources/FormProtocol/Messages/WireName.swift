package import JSON

/// An enumeration whose cases have names on the wire.
///
/// A case's name on the wire stands beside it, once, in ``wireName``; the name in Swift may change without a client noticing.
package protocol WireName: MemberValue, CaseIterable, Hashable, Sendable {
  /// The case on the wire.
  var wireName: StaticString { get }
}

extension WireName {
  /// The case of that name; nil when there is none.
  package init?(wireName name: String) {
    guard let found = Self.allCases.first(where: { $0.wireName.description.utf8.elementsEqual(name.utf8) }) else {
      return nil
    }
    self = found
  }

  package static var schema: JSONObject {
    ["type": "string", "enum": .array(allCases.map { .string($0.wireName.description) })]
  }

  package static var expectation: String {
    "one of: " + allCases.map(\.wireName.description).joined(separator: ", ")
  }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Self? {
    guard let name = String.read(node, &reader) else { return nil }
    guard let known = Self(wireName: name) else {
      reader.note(.value, expectation)
      return nil
    }
    return known
  }

  @inline(__always)
  package func write(into buffer: OutputBuffer) { buffer.write(name: wireName) }
}

extension OutputBuffer {
  /// Writes a name as a JSON string; it is ASCII without anything that must be escaped.
  @inline(__always)
  package func write(name: StaticString) {
    append(byte: UInt8(ascii: "\""))
    append(name)
    append(byte: UInt8(ascii: "\""))
  }
}
