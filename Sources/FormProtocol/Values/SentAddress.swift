package import JSON

/// The address of a field, as a client sends it. For most inputs, to make a text of it would take longer than to find
/// the field.
///
/// Sendable: only the params of a ``PlainText`` have their address in place. One thread serves them while the text of
/// the request is there, and nobody keeps them.
package enum SentAddress: @unchecked Sendable {
  /// A text.
  case text(String)
  /// ASCII, where the text of the request has it.
  case inPlace(UnsafeBufferPointer<UInt8>)

  /// The address as a text.
  package var text: String {
    switch self {
    case .text(let text): text
    case .inPlace(let bytes): String(decoding: bytes, as: UTF8.self)
    }
  }
}

extension SentAddress: MemberValue {
  package static var schema: JSONObject { String.schema }
  package static var expectation: String { String.expectation }

  package static func read(_ node: JSONNode, _ reader: inout MessageReader) -> SentAddress? {
    String.read(node, &reader).map { .text($0) }
  }

  @inline(__always)
  package static func read(_ reader: inout PlainReader) -> SentAddress? { reader.string().map { .inPlace($0) } }

  package func write(into buffer: OutputBuffer) { buffer.write(text) }
}
