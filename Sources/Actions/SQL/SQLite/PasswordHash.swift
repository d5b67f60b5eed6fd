internal import CCrypto
internal import Texts

/// The stored form of a password: `scrypt$N$r$p$SALT$HASH`, cost parameters in decimal, salt and hash in base64 with
/// padding (RFC 4648, section 4); the hash is scrypt (RFC 7914) of the password's UTF-8.
struct PasswordHash: Sendable {
  /// The cost N of scrypt: a power of two.
  var rounds: Int
  /// The block size r of scrypt: it multiplies memory and time.
  var blockSize: Int
  /// The parallelization p of scrypt: it multiplies the time.
  var parallelism: Int
  /// Random, per password.
  var salt: [UInt8]
  /// The hash that scrypt made of the password.
  var hash: [UInt8]

  /// Memory that verifying may take, 128 * N * r: a stored text must not be able to exhaust the machine.
  static let memoryMax = 64 << 20
  private static let parallelismMax = 16
  private static let hashBytesRange = 16...128

  /// Reads the stored form; nil when it is another, or asks for more than the limits allow.
  init?(stored: String) {
    let parts = stored.utf8.split(separator: UInt8(ascii: "$"), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
      let parallelism = Int(parts[3]), let salt = Base64.decode(padded: parts[4]),
      let hash = Base64.decode(padded: parts[5])
    else { return nil }
    guard rounds >= 2, rounds & (rounds - 1) == 0, blockSize >= 1, (1...Self.parallelismMax).contains(parallelism),
      Self.hashBytesRange.contains(hash.count)
    else { return nil }
    let (block, overflow) = blockSize.multipliedReportingOverflow(by: 128)
    let (memory, overflowToo) = block.multipliedReportingOverflow(by: rounds)
    guard !overflow, !overflowToo, memory <= Self.memoryMax else { return nil }
    self.rounds = rounds
    self.blockSize = blockSize
    self.parallelism = parallelism
    self.salt = salt
    self.hash = hash
  }

  /// Hashes a password with a fresh salt and today's cost (16 MiB, about 50 ms); nil when scrypt fails.
  init?(hashing password: String) {
    rounds = 16384
    blockSize = 8
    parallelism = 1
    var generator = SystemRandomNumberGenerator()
    salt = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    hash = []
    guard let derived = derive(password, bytes: 32) else { return nil }
    hash = derived
  }

  /// The stored form.
  var stored: String {
    "scrypt$\(rounds)$\(blockSize)$\(parallelism)$\(Base64.encode(salt))$\(Base64.encode(hash))"
  }

  /// Whether the password is the one that was hashed; takes equally long for a wrong one.
  func matches(_ password: String) -> Bool {
    guard let derived = derive(password, bytes: hash.count), derived.count == hash.count else { return false }
    var difference: UInt8 = 0
    for (left, right) in zip(derived, hash) { difference |= left ^ right }
    return difference == 0
  }

  private func derive(_ password: String, bytes: Int) -> [UInt8]? {
    let password = Array(password.utf8)
    var key = [UInt8](repeating: 0, count: bytes)
    let isDerived = password.withUnsafeBytes { password in
      EVP_PBE_scrypt(
        password.bindMemory(to: CChar.self).baseAddress,
        password.count,
        salt,
        salt.count,
        UInt64(rounds),
        UInt64(blockSize),
        UInt64(parallelism),
        // The parameters were checked against `memoryMax`. OpenSSL needs a little more.
        UInt64(2 * Self.memoryMax),
        &key,
        bytes
      )
    }
    return isDerived == 1 ? key : nil
  }
}
