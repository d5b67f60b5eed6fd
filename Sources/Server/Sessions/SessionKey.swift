internal import Crypto
internal import SessionStore

/// What opens a kept session: 128 random bits. Whoever has it has the session, so the daemon itself keeps only a hash.
struct SessionKey {
  /// As the client is told: 32 digits, in hexadecimal.
  let text: String

  /// A key that nobody can guess.
  static func random() -> SessionKey {
    // The system's generator is cryptographic.
    var generator = SystemRandomNumberGenerator()
    let words = [generator.next(), generator.next()]
    return SessionKey(
      text: words.map { word in
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
      }.joined()
    )
  }

  /// The first half of the SHA-256 of the text, whatever a client has sent as a key: looking for a wrong one takes as long as for a right one.
  var hash: StoredSessionID {
    let hash = SHA256.hash(data: Array(text.utf8))
    guard let id = StoredSessionID(Array(hash.prefix(StoredSessionID.byteCount))) else {
      preconditionFailure("SHA-256 has 32 bytes")
    }
    return id
  }
}
