/// The units in which a position counts the characters of a line. The raw values are the names that the Language Server
/// Protocol (3.17, `PositionEncodingKind`) gives them.
public enum PositionEncoding: String, Sendable, CaseIterable {
  /// Bytes of UTF-8.
  case utf8 = "utf-8"
  /// Units of UTF-16; a code point beyond U+FFFF has two.
  case utf16 = "utf-16"
  /// Code points.
  case utf32 = "utf-32"
}
