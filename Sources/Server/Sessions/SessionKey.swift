internal import Crypto
internal import SessionStore
internal import Texts

/// What opens a kept session: 128 random bits. Whoever has it has the session, so the daemon itself keeps only a hash.
struct SessionKey {
  /// As the client is told: 32 digits, in hexadecimal.
  let text: String

  /// A key that nobody can guess.
  static func random() -> SessionKey { SessionKey(text: .randomHex(bits: 128)) }

  /// The first half of the SHA-256 of the text, whatever a client has sent as a key: looking for a wrong one takes as long as for a right one.
  var hash: StoredSessionID {
    let hash = SHA256.hash(data: Array(text.utf8))
    guard let id = StoredSessionID(Array(hash.prefix(StoredSessionID.byteCount))) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    return id
  }
}
