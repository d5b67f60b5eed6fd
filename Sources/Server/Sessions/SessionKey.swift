internal import CCrypto
internal import SessionStore
internal import Texts

/// What opens a kept session: 128 random bits. Whoever has it has the session, so the daemon itself keeps only a hash.
struct SessionKey {
  /// As the client is told: 32 digits, in hexadecimal.
  let text: String

  /// A key that nobody can guess.
  static func random() -> SessionKey { SessionKey(text: .randomHex(bits: 128)) }

  /// The first half of the SHA-256 (FIPS 180-4) of the text, whatever a client has sent as a key: looking for a wrong key takes as long as
  /// looking for a right one.
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
