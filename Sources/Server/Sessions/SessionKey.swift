internal import Crypto

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

  /// The SHA-256 of the text, whatever a client has sent as a key: looking for a wrong one takes as long as for a right one.
  var hash: Hash {
    SHA256.hash(data: Array(text.utf8)).withUnsafeBytes { bytes in
      func word(_ index: Int) -> UInt64 { bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self) }
      return Hash(words: (word(0), word(1), word(2), word(3)))
    }
  }

  /// A key as the daemon knows it.
  struct Hash: Hashable {
    fileprivate let words: (UInt64, UInt64, UInt64, UInt64)

    static func == (left: Hash, right: Hash) -> Bool { left.words == right.words }

    func hash(into hasher: inout Hasher) {
      hasher.combine(words.0)
      hasher.combine(words.1)
      hasher.combine(words.2)
      hasher.combine(words.3)
    }
  }
}
