/// The way in which texts are separated on a connection.
@usableFromInline package enum Framing: Sendable {
  /// One JSON text per line.
  case lines
  /// `Content-Length` headers before each text, as the Language Server Protocol has them (its "Base Protocol" section).
  case headers
}

/// Why a header block cannot be read; the raw value is the reason on the wire (-32700). The stream cannot be read on
/// from a known position, so the connection ends after the answer.
package enum HeaderError: String, Error, CaseIterable, Sendable {
  /// The block has no `Content-Length`.
  case contentLengthMissing = "contentLengthMissing"
  /// The block has two.
  case contentLengthDuplicate = "contentLengthDuplicate"
  /// It is not a plain decimal number that fits in 63 bits.
  case contentLengthInvalid = "contentLengthInvalid"
  /// A line of the block has no colon.
  case headerSyntax = "headerSyntax"
  /// The block is longer than ``MessageFramer/headerBytesMax``.
  case headerTooLong = "headerTooLong"
  /// The input ended inside a block or a body.
  case truncated = "truncated"
}
