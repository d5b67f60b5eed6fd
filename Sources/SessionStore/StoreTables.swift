internal import GRDB

/// What a store does with its tables: prepared statements, and what each is for. Used on the store's thread alone.
final class StoreTables {
  private let beginning: StoreStatement
  private let committing: StoreStatement
  private let rollingBack: StoreStatement
  private let finding: StoreStatement
  private let inserting: StoreStatement
  private let updating: StoreStatement
  private let renaming: StoreStatement
  private let removing: StoreStatement
  private let puttingPart: StoreStatement
  private let removingPart: StoreStatement
  private let removingParts: StoreStatement
  private let readingFacts: StoreStatement
  private let readingParts: StoreStatement
  private let findingExpired: StoreStatement
  private let probing: StoreStatement
  private let clearing: StoreStatement
  private let counting: StoreStatement
  private let measuring: StoreStatement

  /// The numbers of sessions that were written lately.
  private var numbers: [StoredSessionID: Int64] = [:]
  /// More are forgotten all at once; they are found again in the table.
  private static let numbersMax = 16_384
  /// So much must be writable for the store to be well: a few turns.
  private static let probeBytes = 16_384

  init(_ database: Database) throws {
    beginning = try StoreStatement("BEGIN IMMEDIATE", database)
    committing = try StoreStatement("COMMIT", database)
    rollingBack = try StoreStatement("ROLLBACK", database)
    finding = try StoreStatement("SELECT number FROM sessions WHERE id = ?", database)
    inserting = try StoreStatement(
      "INSERT INTO sessions (id, form, expiry) VALUES (?, ?, ?) RETURNING number",
      database
    )
    updating = try StoreStatement("UPDATE sessions SET form = ?, expiry = ? WHERE number = ?", database)
    renaming = try StoreStatement("UPDATE sessions SET id = ? WHERE number = ?", database)
    removing = try StoreStatement("DELETE FROM sessions WHERE number = ?", database)
    puttingPart = try StoreStatement(
      """
      INSERT INTO parts (session, number, bytes) VALUES (?, ?, ?)
        ON CONFLICT (session, number) DO UPDATE SET bytes = excluded.bytes
      """,
      database
    )
    removingPart = try StoreStatement("DELETE FROM parts WHERE session = ? AND number = ?", database)
    removingParts = try StoreStatement("DELETE FROM parts WHERE session = ? AND number >= ?", database)
    readingFacts = try StoreStatement("SELECT number, form, expiry FROM sessions WHERE id = ?", database)
    readingParts = try StoreStatement("SELECT number, bytes FROM parts WHERE session = ? ORDER BY number", database)
    findingExpired = try StoreStatement(
      "SELECT id FROM sessions WHERE expiry <= ? ORDER BY expiry LIMIT ?",
      database
    )
    probing = try StoreStatement("INSERT INTO probe VALUES (zeroblob(\(Self.probeBytes)))", database)
    clearing = try StoreStatement("DELETE FROM probe", database)
    counting = try StoreStatement("SELECT form, count(*) FROM sessions GROUP BY form", database)
    measuring = try StoreStatement("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", database)
  }

  // MARK: Transactions

  /// Begins one; ``commit()`` or ``rollBack()`` follows.
  func begin() throws(StepFailure) { try beginning.run() }

  func commit() throws(StepFailure) { try committing.run() }

  /// Takes back what was done since ``begin()``. SQLite may have done it itself.
  func rollBack() {
    numbers = [:]
    try? rollingBack.run()
  }

  // MARK: Sessions

  /// Does one write.
  ///
  /// - Returns: false where the session is not there, and the write does not say all that makes one: nothing was done.
  func apply(_ write: borrowing SessionWrite) throws(StepFailure) -> Bool {
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

  /// Whether a session is there.
  func contains(_ id: StoredSessionID) throws(StepFailure) -> Bool { try number(of: id) != nil }

  /// A session; nil when it is not there, or its time is over.
  func read(_ id: StoredSessionID, at now: Int64) throws(StepFailure) -> StoredSession? {
    readingFacts.bind(id, at: 1)
    defer { readingFacts.reset() }
    guard try readingFacts.step() else { return nil }
    let facts = StoredFacts(form: readingFacts.text(1), expiry: readingFacts.number(2))
    guard facts.expiry > now else { return nil }
    var session = StoredSession(facts: facts, parts: [])
    readingParts.bind(readingFacts.number(0), at: 1)
    defer { readingParts.reset() }
    while try readingParts.step() { session.parts.append((readingParts.number(0), readingParts.bytes(1))) }
    return session
  }

  /// Returns whether it was there.
  func remove(_ id: StoredSessionID) throws(StepFailure) -> Bool {
    guard let number = try number(of: id) else { return false }
    try remove(number)
    numbers[id] = nil
    return true
  }

  /// Returns whether it was there.
  func rename(_ id: StoredSessionID, to new: StoredSessionID) throws(StepFailure) -> Bool {
    guard let number = try number(of: id) else { return false }
    renaming.bind(new, at: 1)
    renaming.bind(number, at: 2)
    try renaming.run()
    numbers[id] = nil
    numbers[new] = number
    return true
  }

  /// The sessions whose time is over, the oldest first.
  func expired(by now: Int64, atMost countMax: Int) throws(StepFailure) -> [StoredSessionID] {
    findingExpired.bind(now, at: 1)
    findingExpired.bind(Int64(countMax), at: 2)
    defer { findingExpired.reset() }
    var expired: [StoredSessionID] = []
    while try findingExpired.step() {
      if let id = StoredSessionID(findingExpired.bytes(0)) { expired.append(id) }
    }
    return expired
  }

  /// Writes something, to see whether that works.
  func probe() throws(StepFailure) {
    try begin()
    try probing.run()
    try commit()
    try begin()
    try clearing.run()
    try commit()
  }

  func counts() throws(StepFailure) -> StoreCounts {
    var counts = StoreCounts()
    while try counting.step() {
      counts.sessionsByForm[counting.text(0)] = Int(counting.number(1))
      counts.sessions += Int(counting.number(1))
    }
    counting.reset()
    if try measuring.step() { counts.fileBytes = Int(measuring.number(0)) }
    measuring.reset()
    return counts
  }

  // MARK: Rows of the tables

  private func number(of id: StoredSessionID) throws(StepFailure) -> Int64? {
    if let number = numbers[id] { return number }
    finding.bind(id, at: 1)
    defer { finding.reset() }
    guard try finding.step() else { return nil }
    remember(finding.number(0), of: id)
    return finding.number(0)
  }

  private func remember(_ number: Int64, of id: StoredSessionID) {
    if numbers.count >= Self.numbersMax { numbers = [:] }
    numbers[id] = number
  }

  private func insert(_ id: StoredSessionID, _ facts: StoredFacts) throws(StepFailure) -> Int64 {
    inserting.bind(id, at: 1)
    inserting.bind(facts.form, at: 2)
    inserting.bind(facts.expiry, at: 3)
    guard try inserting.step() else { throw StepFailure(code: 21, message: "no number was given") }
    let number = inserting.number(0)
    try inserting.run()
    remember(number, of: id)
    return number
  }

  private func update(_ number: Int64, _ facts: StoredFacts) throws(StepFailure) {
    updating.bind(facts.form, at: 1)
    updating.bind(facts.expiry, at: 2)
    updating.bind(number, at: 3)
    try updating.run()
  }

  private func put(_ bytes: [UInt8], _ part: Int64, of session: Int64) throws(StepFailure) {
    try bytes.withUnsafeBufferPointer { bytes throws(StepFailure) in
      puttingPart.bind(session, at: 1)
      puttingPart.bind(part, at: 2)
      puttingPart.bind(UnsafeRawBufferPointer(bytes), at: 3)
      try puttingPart.run()
    }
  }

  private func remove(_ part: Int64, of session: Int64) throws(StepFailure) {
    removingPart.bind(session, at: 1)
    removingPart.bind(part, at: 2)
    try removingPart.run()
  }

  private func removeParts(of session: Int64, from part: Int64) throws(StepFailure) {
    removingParts.bind(session, at: 1)
    removingParts.bind(part, at: 2)
    try removingParts.run()
  }

  private func remove(_ number: Int64) throws(StepFailure) {
    try removeParts(of: number, from: .min)
    removing.bind(number, at: 1)
    try removing.run()
  }
}
