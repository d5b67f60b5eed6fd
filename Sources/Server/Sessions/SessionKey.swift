internal import CCrypto
internal import SessionStore
internal import Texts

/// The key of a kept session: 128 random bits. A client with the key has the session, so the daemon keeps only a hash.
struct SessionKey {
  /// The key for the client: 32 hexadecimal digits.
  let text: String

  /// A key that nobody can guess.
  static func random() -> SessionKey { SessionKey(text: .randomHex(bits: 128)) }

  /// The first half of the SHA-256 (FIPS 180-4) of the text. A client may send any text as a key, and a search for a
  /// wrong key takes as long as a search for a right one.
  var hash: StoredSessionID {
    let text = Array(text.utf8)
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
    SHA256(text, text.count, &digest)
    guard let id = StoredSessionID(digest.prefix(StoredSessionID.byteCount)) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    return id
  }
}
