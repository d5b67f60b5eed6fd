/// Which characters a part of a URL percent-encodes: URL Standard, section 1.3. Everything beyond ASCII always is.
enum PercentEncodeSet {
  case c0Control
  case fragment
  case query
  case specialQuery
  case path
  case userinfo

  func contains(_ byte: UInt8) -> Bool {
    if byte < 0x20 || byte > 0x7E { return true }
    switch self {
    case .c0Control: return false
    case .fragment: return Self.fragmentCharacters.contains(byte)
    case .query: return Self.queryCharacters.contains(byte)
    case .specialQuery: return byte == UInt8(ascii: "'") || Self.queryCharacters.contains(byte)
    case .path: return Self.pathCharacters.contains(byte)
    case .userinfo: return Self.userinfoCharacters.contains(byte)
    }
  }

  private static let fragmentCharacters = Array(" \"<>`".utf8)
  private static let queryCharacters = Array(" \"#<>".utf8)
  private static let pathCharacters = queryCharacters + Array("?^`{}".utf8)
  private static let userinfoCharacters = pathCharacters + Array("/:;=@[\\]|".utf8)

  /// Appends `scalar`, encoded if it is in this set.
  func append(_ scalar: Unicode.Scalar, to output: inout String) {
    var bytes: [UInt8] = []
    for byte in String(scalar).utf8 {
      if contains(byte) { PercentEncoding.append(byte, to: &bytes) } else { bytes.append(byte) }
    }
    output += String(decoding: bytes, as: UTF8.self)
  }
}
