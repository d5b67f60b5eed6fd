/// The version of a session in a store that several daemons share. Each write and each claim adds one. A lookup after a
/// write with an unknown end adds ``lookUpStep``, so that lookups can be told from writes.
enum SessionVersion {
  /// Larger than the number of writes that a session will have.
  static let lookUpStep: Int64 = 1 << 32

  /// Whether two versions have the same writes, however often they were looked up.
  static func hasSameWrites(_ version: Int64, _ other: Int64) -> Bool { (version - other) % lookUpStep == 0 }
}

/// The sessions of this process in a store that several daemons share, as the store's thread has left them. A value.
struct OwnSessions {
  /// A session of this process.
  struct Entry {
    /// Its number in the table; 0: its first write has failed, and it may not be there.
    var number: Int64
    /// The version in which it was left. If it may not be there: how often its first write was tried.
    var version: Int64
    /// Whether the store lacks a part of it: only a whole write is accepted.
    var isOutOfStep = false

    var isThere: Bool { number != 0 }
  }

  private(set) var entries: [StoredSessionID: Entry] = [:]

  subscript(id: StoredSessionID) -> Entry? {
    get { entries[id] }
    set { entries[id] = newValue }
  }

  /// The version in which a session was left; nil: that is not known.
  func version(of id: StoredSessionID) -> Int64? { entries[id].flatMap { $0.isThere ? $0.version : nil } }

  /// The reason why a write cannot follow the writes before it; nil: it can.
  func objection(to write: SessionWrite) -> StoreFailure? {
    guard let entry = entries[write.formerID ?? write.id] else { return write.isFirst ? nil : .lost() }
    if write.isFirst { return nil }
    if !entry.isThere { return .wantsWhole() }
    return entry.isOutOfStep && !(write.isWhole && write.formerID == nil) ? .wantsWhole() : nil
  }

  /// A write has failed, or was not accepted: the next one must be whole.
  mutating func noteFailure(of id: StoredSessionID) { entries[id]?.isOutOfStep = true }

  mutating func rename(_ id: StoredSessionID, to new: StoredSessionID) {
    guard id != new, let entry = entries.removeValue(forKey: id) else { return }
    entries[new] = entry
  }
}

/// Writes that are committed together, one for each session. A value.
struct WriteGroup {
  /// All that is written of one session.
  struct Member {
    /// The identity under which the store has it.
    let formerID: StoredSessionID
    /// The identity that it has then.
    private(set) var id: StoredSessionID
    private(set) var form: String?
    private(set) var expiry: ExpiryTime?
    private(set) var isWhole: Bool
    /// Parts as in ``SessionWrite/parts``.
    private(set) var parts: [(number: Int64, bytes: [UInt8]?)]
    /// The positions of the jobs that want it.
    private(set) var jobs: [Int]

    init(_ write: SessionWrite, _ expiry: ExpiryTime?, job: Int) {
      formerID = write.formerID ?? write.id
      id = write.id
      form = write.facts?.form
      self.expiry = expiry
      isWhole = write.isWhole || write.isFirst
      // A whole write removes the other parts in any case.
      parts = isWhole ? write.parts.filter { $0.bytes != nil || $0.number < 0 } : write.parts
      jobs = [job]
    }

    /// The next write of the same session.
    mutating func add(_ write: SessionWrite, _ next: ExpiryTime?, job: Int) {
      id = write.id
      form = write.facts?.form ?? form
      expiry = next ?? expiry
      let replaces = write.isWhole || write.isFirst
      let isReplaced = Set(write.parts.map(\.number))
      parts.removeAll { isReplaced.contains($0.number) || replaces && $0.number >= 0 }
      isWhole = isWhole || replaces
      parts += isWhole ? write.parts.filter { $0.bytes != nil || $0.number < 0 } : write.parts
      jobs.append(job)
    }
  }

  private(set) var members: [Member] = []
  private var positions: [StoredSessionID: Int] = [:]
  private var bytes = 0

  /// One flight has at most so many sessions, because the server needs memory for it.
  private static let membersMax = 2_000
  private static let bytesMax = 8 << 20

  init() {}

  /// A group of those members, without the writes of other sessions.
  init(_ members: [Member]) {
    self.members = members
    for (position, member) in members.enumerated() { positions[member.id] = position }
  }

  var isFull: Bool { members.count >= Self.membersMax || bytes >= Self.bytesMax }

  /// Whether the session is among those that are written.
  func contains(_ id: StoredSessionID) -> Bool { positions[id] != nil }

  mutating func add(_ write: SessionWrite, _ expiry: ExpiryTime?, job: Int) {
    bytes += write.byteCount
    let former = write.formerID ?? write.id
    if let position = positions.removeValue(forKey: former) {
      members[position].add(write, expiry, job: job)
      positions[write.id] = position
    } else {
      positions[write.id] = members.count
      members.append(Member(write, expiry, job: job))
    }
  }

  /// The parameters of the statement.
  ///
  /// - Parameter own: has an entry for each member; for a first write, the entry has the number of this try.
  func arrays(_ own: OwnSessions) -> PostgresStoreStatements.WriteArrays {
    var arrays = PostgresStoreStatements.WriteArrays()
    for (index, member) in members.enumerated() {
      guard let entry = own[member.formerID] else { preconditionFailure("a session that is written has no entry") }
      let position = Int64(index)
      if entry.isThere {
        arrays.positions.append(position)
        arrays.numbers.append(entry.number)
        arrays.versions.append(entry.version)
        arrays.formerIDs.append(member.formerID.bytes)
        arrays.ids.append(member.id == member.formerID ? nil : member.id.bytes)
        arrays.forms.append(member.form)
        arrays.seconds.append(member.expiry?.secondsLeft)
        arrays.areWhole.append(member.isWhole)
      } else {
        arrays.firstPositions.append(position)
        arrays.firstIDs.append(member.id.bytes)
        arrays.firstVersions.append(entry.version)
        arrays.firstForms.append(member.form ?? "")
        arrays.firstSeconds.append(member.expiry?.secondsLeft ?? 0)
      }
      for (number, bytes) in member.parts {
        arrays.partPositions.append(position)
        arrays.partNumbers.append(number)
        arrays.partBytes.append(bytes)
      }
    }
    return arrays
  }
}

extension SessionWrite {
  /// The bytes of its parts together.
  var byteCount: Int { parts.reduce(0) { $0 + ($1.bytes?.count ?? 0) } }
}
