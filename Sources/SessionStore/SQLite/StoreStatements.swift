internal import SQLite

/// The prepared statements of a store in a file, and methods that run them. Used only on the store's thread.
final class StoreStatements {
  private let beginning: SQLiteStatement
  private let committing: SQLiteStatement
  private let rollingBack: SQLiteStatement
  private let finding: SQLiteStatement
  private let inserting: SQLiteStatement
  private let updating: SQLiteStatement
  private let renaming: SQLiteStatement
  private let removing: SQLiteStatement
  private let puttingPart: SQLiteStatement
  private let removingPart: SQLiteStatement
  private let removingParts: SQLiteStatement
  private let readingFacts: SQLiteStatement
  private let readingParts: SQLiteStatement
  private let findingExpired: SQLiteStatement
  private let counting: SQLiteStatement
  private let probing: SQLiteStatement
  private let clearing: SQLiteStatement

  /// The numbers of sessions that were written recently.
  private var numbers: [StoredSessionID: Int64] = [:]
  /// When there are more, all are forgotten at once; they are found again in the table.
  private static let numbersMax = 16_384
  /// So much must be writable for the store to be well: a few turns.
  private static let probeBytes = 16_384

  init(_ connection: SQLiteConnection) throws(SQLiteError) {
    func prepare(_ text: String) throws(SQLiteError) -> SQLiteStatement { try SQLiteStatement(text, in: connection) }
    beginning = try prepare("BEGIN IMMEDIATE")
    committing = try prepare("COMMIT")
    rollingBack = try prepare("ROLLBACK")
    finding = try prepare("SELECT number FROM sessions WHERE id = ?")
    inserting = try prepare("INSERT INTO sessions (id, form, expiry) VALUES (?, ?, ?) RETURNING number")
    updating = try prepare("UPDATE sessions SET form = ?, expiry = ? WHERE number = ?")
    renaming = try prepare("UPDATE sessions SET id = ? WHERE number = ?")
    removing = try prepare("DELETE FROM sessions WHERE number = ?")
    puttingPart = try prepare(
      """
      INSERT INTO parts (session, number, bytes) VALUES (?, ?, ?)
        ON CONFLICT (session, number) DO UPDATE SET bytes = excluded.bytes
      """
    )
    removingPart = try prepare("DELETE FROM parts WHERE session = ? AND number = ?")
    removingParts = try prepare("DELETE FROM parts WHERE session = ? AND number >= ?")
    readingFacts = try prepare("SELECT number, form, expiry FROM sessions WHERE id = ?")
    readingParts = try prepare("SELECT number, bytes FROM parts WHERE session = ? ORDER BY number")
    findingExpired = try prepare("SELECT id FROM sessions WHERE expiry <= ? ORDER BY expiry LIMIT ?")
    counting = try prepare("SELECT count(*) FROM sessions")
    probing = try prepare("INSERT INTO probe VALUES (zeroblob(\(Self.probeBytes)))")
    clearing = try prepare("DELETE FROM probe")
  }

  // MARK: Transactions

  /// Begins a transaction; ``commit()`` or ``rollBack()`` follows.
  func begin() throws(SQLiteError) { try beginning.run() }

  func commit() throws(SQLiteError) { try committing.run() }

  /// Undoes all changes since ``begin()``. SQLite may have done it itself.
  func rollBack() {
    numbers = [:]
    try? rollingBack.run()
  }

  // MARK: Sessions

  /// Does one write.
  ///
  /// - Returns: false if the session is not there, and the write is not complete enough to make it: nothing was done.
  func apply(_ write: borrowing SessionWrite) throws(SQLiteError) -> Bool {
    let number: Int64
    if let known = try self.number(of: write.id) {
      number = known
      if let facts = write.facts { try update(number, facts) }
      if write.isWhole { try removeParts(of: number, from: 0) }
    } else {
      guard write.isFirst, let facts = write.facts else { return false }
      number = try insert(write.id, facts)
    }
    for (part, bytes) in write.parts {
      if let bytes { try put(bytes, part, of: number) } else { try remove(part, of: number) }
    }
    return true
  }

  /// Whether the file has a session, expired or not.
  func contains(_ id: StoredSessionID) throws(SQLiteError) -> Bool { try number(of: id) != nil }

  /// A session; nil when it is not there, or has expired.
  func read(_ id: StoredSessionID, at now: Int64) throws(SQLiteError) -> StoredSession? {
    try readingFacts.bind(id, at: 1)
    defer { readingFacts.reset() }
    guard try readingFacts.step() else { return nil }
    let facts = StoredFacts(form: try readingFacts.text(1), expiry: readingFacts.integer(2))
    guard facts.expiry > now else { return nil }
    var session = StoredSession(facts: facts, parts: [])
    try readingParts.bind(readingFacts.integer(0), at: 1)
    defer { readingParts.reset() }
    while try readingParts.step() { session.parts.append((readingParts.integer(0), try readingParts.bytes(1))) }
    return session
  }

  /// Returns whether it was there.
  func remove(_ id: StoredSessionID) throws(SQLiteError) -> Bool {
    guard let number = try number(of: id) else { return false }
    try remove(number)
    numbers[id] = nil
    return true
  }

  /// Returns whether it was there.
  func rename(_ id: StoredSessionID, to new: StoredSessionID) throws(SQLiteError) -> Bool {
    guard let number = try number(of: id) else { return false }
    try renaming.bind(new, at: 1)
    try renaming.bind(number, at: 2)
    try renaming.run()
    numbers[id] = nil
    numbers[new] = number
    return true
  }

  /// The expired sessions, the oldest first.
  func expired(by now: Int64, atMost countMax: Int) throws(SQLiteError) -> [StoredSessionID] {
    try findingExpired.bind(now, at: 1)
    try findingExpired.bind(Int64(countMax), at: 2)
    defer { findingExpired.reset() }
    var expired: [StoredSessionID] = []
    while try findingExpired.step() {
      if let id = StoredSessionID(try findingExpired.bytes(0)) { expired.append(id) }
    }
    return expired
  }

  /// How many sessions there are, including expired ones.
  func count() throws(SQLiteError) -> Int {
    defer { counting.reset() }
    return try counting.step() ? Int(counting.integer(0)) : 0
  }

  /// Writes something, to see whether that works.
  func probe() throws(SQLiteError) {
    try begin()
    try probing.run()
    try commit()
    try begin()
    try clearing.run()
    try commit()
  }

  // MARK: Rows of the tables

  private func number(of id: StoredSessionID) throws(SQLiteError) -> Int64? {
    if let number = numbers[id] { return number }
    try finding.bind(id, at: 1)
    defer { finding.reset() }
    guard try finding.step() else { return nil }
    remember(finding.integer(0), of: id)
    return finding.integer(0)
  }

  private func remember(_ number: Int64, of id: StoredSessionID) {
    if numbers.count >= Self.numbersMax { numbers = [:] }
    numbers[id] = number
  }

  private func insert(_ id: StoredSessionID, _ facts: StoredFacts) throws(SQLiteError) -> Int64 {
    try inserting.bind(id, at: 1)
    try inserting.bind(facts.form, at: 2)
    try inserting.bind(facts.expiry, at: 3)
    guard try inserting.step() else { preconditionFailure("a session that was inserted has no number") }
    let number = inserting.integer(0)
    try inserting.run()
    remember(number, of: id)
    return number
  }

  private func update(_ number: Int64, _ facts: StoredFacts) throws(SQLiteError) {
    try updating.bind(facts.form, at: 1)
    try updating.bind(facts.expiry, at: 2)
    try updating.bind(number, at: 3)
    try updating.run()
  }

  private func put(_ bytes: [UInt8], _ part: Int64, of session: Int64) throws(SQLiteError) {
    try puttingPart.bind(session, at: 1)
    try puttingPart.bind(part, at: 2)
    try puttingPart.run(with: bytes, at: 3)
  }

  private func remove(_ part: Int64, of session: Int64) throws(SQLiteError) {
    try removingPart.bind(session, at: 1)
    try removingPart.bind(part, at: 2)
    try removingPart.run()
  }

  private func removeParts(of session: Int64, from part: Int64) throws(SQLiteError) {
    try removingParts.bind(session, at: 1)
    try removingParts.bind(part, at: 2)
    try removingParts.run()
  }

  private func remove(_ number: Int64) throws(SQLiteError) {
    try removeParts(of: number, from: .min)
    try removing.bind(number, at: 1)
    try removing.run()
  }
}

extension SQLiteStatement {
  /// Binds an identity.
  fileprivate func bind(_ id: StoredSessionID, at index: Int) throws(SQLiteError) {
    try id.withBytes { (bytes) throws(SQLiteError) in try bind(bytes, at: index) }
  }
}
