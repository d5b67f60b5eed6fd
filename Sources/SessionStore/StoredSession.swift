/// The identity of a kept session in a store: the first 128 bits of the SHA-256 of its key, as many as the key has. A
/// reader of the store cannot open a session with it.
package struct StoredSessionID: Hashable, Sendable {
  /// The 16 bytes, eight in each number.
  private let words: (UInt64, UInt64)

  /// How many bytes an identity has.
  package static let byteCount = 16

  /// The identity of those bytes; nil if they are not 16.
  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.byteCount else { return nil }
    var words = (UInt64(0), UInt64(0))
    withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
    self.words = words
  }

  /// The identity of those bytes in hexadecimal; nil if they are not 16.
  init?(hex: String) {
    let digits = hex.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }.map { UInt8($0) }
    guard digits.count == hex.utf8.count, digits.count == 2 * Self.byteCount else { return nil }
    self.init(stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] })
  }

  /// The first eight bytes, as a number.
  package var prefix: UInt64 { words.0 }

  /// Calls with the bytes, which are valid only during the call.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBytes(of: words, body)
  }

  package static func == (left: StoredSessionID, right: StoredSessionID) -> Bool { left.words == right.words }

  package func hash(into hasher: inout Hasher) {
    // SHA-256 has spread the bits already.
    hasher.combine(words.0)
  }
}

/// The facts that a store has of a session beside its parts.
package struct StoredFacts: Hashable, Sendable {
  /// The name of its form.
  package var form: String
  /// When it expires, in seconds since 1970.
  package var expiry: Int64

  /// Facts of those parts.
  package init(form: String, expiry: Int64) {
    self.form = form
    self.expiry = expiry
  }
}

/// A session as a store has it.
package struct StoredSession: Sendable {
  package var facts: StoredFacts
  /// Its parts by number, in ascending order.
  package var parts: [(number: Int64, bytes: [UInt8])]

  package init(facts: StoredFacts, parts: [(number: Int64, bytes: [UInt8])]) {
    self.facts = facts
    self.parts = parts
  }
}

/// The changes of one session to write. The store writes all of them, or none.
package struct SessionWrite: Sendable {
  /// The identity under which the store has the session from this write on.
  package var id: StoredSessionID
  /// The identity under which the store has the session, if it differs: from now on it is ``id``.
  package var formerID: StoredSessionID?
  /// The identity under which the store has the session.
  package var knownID: StoredSessionID { formerID ?? id }
  /// Whether it is the first write of a session, which the store does not have. It is whole, and has ``facts``.
  package var isFirst: Bool
  /// The changed facts; nil: none. The first write of a session has them.
  package var facts: StoredFacts?
  /// Whether to remove the parts with numbers from 0 on that are not among ``parts``. The first write of a session is
  /// whole, and so is the first write after a failed one. Parts with negative numbers stay in any case.
  package var isWhole: Bool
  /// Parts by number, with their bytes; nil: the part is removed. No number occurs twice.
  package var parts: [(number: Int64, bytes: [UInt8]?)]

  package init(
    _ id: StoredSessionID,
    formerID: StoredSessionID? = nil,
    isFirst: Bool = false,
    facts: StoredFacts? = nil,
    isWhole: Bool = false,
    parts: [(number: Int64, bytes: [UInt8]?)]
  ) {
    self.id = id
    self.formerID = formerID
    self.isFirst = isFirst
    self.facts = facts
    self.isWhole = isWhole
    self.parts = parts
  }
}
