package import JSON

/// How params name a row of a list.
public enum RowReference: MemberValue, Hashable, Sendable {
  /// The row at that position, from 0.
  case position(Int)
  /// The row of that identity, which is the number that the session gave it: `"#7"` on the wire.
  case identity(Int64)

  package static var schema: JSONObject {
    ["anyOf": [["type": "integer", "minimum": 0], ["type": "string", "pattern": "^#[1-9][0-9]*$"]]]
  }

  package static var expectation: String { "a position, such as 0, or a row's identity, such as \"#7\"" }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> RowReference? {
    if let position = node.integer {
      if position >= 0 { return .position(Int(position)) }
    } else if let text = node.string {
      if let identity = Self.identity(text) { return .identity(identity) }
    } else {
      return reader.expect(nil, Self.self)
    }
    reader.note(.value, expectation)
    return nil
  }

  package func write(into buffer: OutputBuffer) {
    switch self {
    case .position(let position): buffer.write(position)
    case .identity(let identity): buffer.write("#\(identity)")
    }
  }

  /// Reads a position (`0`) or an identity (`#7`) in the spelling of addresses; nil for anything else.
  public init?(_ text: String) {
    if let position = JSONPointer.arrayIndex(text) {
      self = .position(position)
    } else if let identity = Self.identity(text) {
      self = .identity(identity)
    } else {
      return nil
    }
  }

  /// The number after the `#`; nil if it is not written in the daemon's way.
  private static func identity(_ text: String) -> Int64? {
    guard text.utf8.first == UInt8(ascii: "#"), let number = Int64(text.dropFirst()), number > 0 else { return nil }
    return "#\(number)".utf8.elementsEqual(text.utf8) ? number : nil
  }
}
