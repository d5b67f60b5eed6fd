package import JSON

/// An enumeration whose cases have names on the wire.
///
/// ``wireName`` is the only declaration with a case's name on the wire; the name in Swift may change without a client
/// noticing.
///
/// A later daemon may send names that this program does not know. A client reads such a name as absent: a member that a
/// client reads is an optional, or has a default that fits any name.
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
    let known = Self(wireName: name)
    if known == nil, reader.strictness == .strict { reader.note(.value, expectation) }
    return known
  }

  @inline(__always)
  package func write(into buffer: OutputBuffer) { buffer.write(name: wireName) }
}

/// A name that is always written. It is nil if it was read and only a later daemon knows it.
extension Optional: MemberValue, DescribedValue where Wrapped: WireName {
  package static var schema: JSONObject { Wrapped.schema }
  package static var schemaName: StaticString? { Wrapped.schemaName }

  package static var expectation: String { Wrapped.expectation }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> Self? {
    Wrapped.read(node, &reader).map(Optional.some)
  }

  @inline(__always)
  package func write(into buffer: OutputBuffer) {
    if let self { self.write(into: buffer) } else { buffer.write(JSON.null) }
  }
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
