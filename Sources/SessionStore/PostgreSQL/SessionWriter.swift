internal import PostgreSQL

/// Writes the sessions of this process into a store that several daemons share, and knows the version in which each was
/// left. It belongs to the store's thread.
final class SessionWriter {
  /// A session of this process.
  struct Entry {
    /// Its number in the table; 0: its first write has failed, and it may not be there.
    var number: Int64
    /// The version in which it was left. If it may not be there: how often its first write was tried.
    ///
    /// Each write and each claim adds one. A lookup after a write with an unknown end adds
    /// ``PostgresStoreStatements/lookUpStep``, so that lookups can be told from writes.
    var version: Int64
    /// Whether the store lacks a part of it: only a whole write is accepted.
    var isOutOfStep = false

    var isThere: Bool { number != 0 }
  }

  private let connection: RetryingConnection
  private var statements: PostgresStoreStatements { connection.statements }
  /// The sessions of this process, in the state in which they were left.
  var entries: [StoredSessionID: Entry] = [:]
  /// Sessions with a write whose result is not known.
  private var doubtful: Set<StoredSessionID> = []

  /// The largest write in bytes. A message to a server has at most a gigabyte.
  package static let writeBytesMax = 256 << 20

  init(_ connection: RetryingConnection) { self.connection = connection }

  /// The version in which a session was left; nil: that is not known.
  func version(of id: StoredSessionID) -> Int64? { entries[id].flatMap { $0.isThere ? $0.version : nil } }

  /// The reason why a write cannot follow the writes before it; nil: it can.
  func objection(to write: SessionWrite) -> StoreFailure? {
    if write.byteCount > Self.writeBytesMax {
      return StoreFailure(.tooLarge, "a session is larger than the store allows: \(write.byteCount) bytes in one write")
    }
    guard let entry = entries[write.knownID] else { return write.isFirst ? nil : .notOwned }
    if write.isFirst { return nil }
    if !entry.isThere { return .wantsWhole }
    return entry.isOutOfStep && !(write.isWhole && write.formerID == nil) ? .wantsWhole : nil
  }

  /// A write has failed, or was not accepted: the next one must be whole.
  func noteFailure(of write: SessionWrite) { entries[write.knownID]?.isOutOfStep = true }

  /// Writes a group in one flight.
  ///
  /// - Parameter tell: called with the position of each job when its result is known; nil: it is done.
  func commit(_ group: WriteGroup, _ tell: (Int, StoreFailure?) -> Void) {
    func end(_ member: WriteGroup.Member, _ failure: StoreFailure?) {
      if failure != nil { entries[member.formerID]?.isOutOfStep = true }
      for job in member.jobs { tell(job, failure) }
    }
    var group = group
    /// Sessions in doubt are looked up before the store is well again.
    func giveUp(_ failure: StoreFailure) {
      connection.goAway(failure)
      for member in group.members { end(member, failure) }
    }
    var passing = 0
    while !group.members.isEmpty {
      // For first writes the number of tries is known.
      for member in group.members where entries[member.formerID]?.isThere != true {
        let tries = entries[member.formerID]?.version ?? 0
        entries[member.formerID] = Entry(number: 0, version: tries + 1)
      }
      var written: [Int: Int64] = [:]
      do throws(RetryingConnection.Failed) {
        try connection.transactOnce(.write) {
          for member in group.members { doubtful.formUnion([member.formerID, member.id]) }
          return [statements.write(group, entries)]
        } take: { _, row in
          written[Int(row.integer(0, 0) ?? -1)] = row.integer(0, 1)
        }
        for (position, member) in group.members.enumerated() {
          settle(member)
          if let number = written[position] {
            note(member, number)
            end(member, nil)
          } else {
            entries[member.formerID] = nil
            end(member, .notOwned)
          }
        }
        return
      } catch {
        switch error {
        case .connection:
          // Finished writes are reported, and the remaining writes are tried once more.
          do throws(StoreFailure) { group = try resolve(group, end) } catch { return giveUp(error) }
        case .passing(let failure):
          takeBack(group)
          passing += 1
          if passing <= RetryingConnection.passingMax { continue }
          return giveUp(failure)
        case .overdue(let failure), .away(let failure): return giveUp(failure)
        case .data(let failure):
          takeBack(group)
          if group.members.count == 1 {
            end(group.members[0], failure)
          } else {
            // Perhaps only one of the sessions is wrong.
            let middle = group.members.count / 2
            commit(WriteGroup(Array(group.members[..<middle])), tell)
            commit(WriteGroup(Array(group.members[middle...])), tell)
          }
          return
        }
      }
    }
  }

  /// The result of a write is known.
  private func settle(_ member: WriteGroup.Member) {
    doubtful.remove(member.formerID)
    doubtful.remove(member.id)
  }

  /// Certainly nothing of a group was done: its first writes do not count as tries.
  private func takeBack(_ group: WriteGroup) {
    for member in group.members {
      settle(member)
      guard let entry = entries[member.formerID], !entry.isThere else { continue }
      entries[member.formerID]?.version = entry.version - 1
    }
  }

  /// A write was done: updates the entry.
  private func note(_ member: WriteGroup.Member, _ number: Int64) {
    guard var entry = entries[member.formerID] else { return }
    if entry.isThere { entry.version += 1 }
    entry.number = number
    if member.isWhole { entry.isOutOfStep = false }
    entries[member.formerID] = entry
    rename(member)
  }

  private func rename(_ member: WriteGroup.Member) {
    guard member.id != member.formerID else { return }
    entries[member.id] = entries.removeValue(forKey: member.formerID)
  }

  /// A group's connection was lost: finds out the result of each of its members.
  ///
  /// - Returns: the members that were not done.
  private func resolve(
    _ group: WriteGroup,
    _ end: (WriteGroup.Member, StoreFailure?) -> Void
  ) throws(StoreFailure) -> WriteGroup {
    let asked = group.members.flatMap { $0.id == $0.formerID ? [$0.id] : [$0.formerID, $0.id] }
      .filter { doubtful.contains($0) }
    // The connection was lost before anything was sent.
    if asked.isEmpty { return group }
    let found = try connection.transact(.lookUp, [statements.lookUp(asked)], into: [StoredSessionID: Entry]()) {
      Self.take(&$0, $2)
    }
    var remaining: [WriteGroup.Member] = []
    for member in group.members {
      settle(member)
      guard let entry = entries[member.formerID] else { continue }
      let present = found[member.id] ?? found[member.formerID]
      let isRenamed = member.id == member.formerID || found[member.id] != nil
      if let present, entry.isThere, Self.hasSameWrites(present.version, entry.version + 1), isRenamed {
        entries[member.formerID]?.version = present.version - 1
        note(member, present.number)
        end(member, nil)
      } else if let present, entry.isThere, Self.hasSameWrites(present.version, entry.version) {
        entries[member.formerID]?.version = present.version
        remaining.append(member)
      } else if let present, !entry.isThere {
        entries[member.formerID] = present
        if Self.hasSameWrites(present.version, entry.version) {
          rename(member)
          end(member, nil)
        } else {
          // This is an earlier try of another first write: this write replaces it.
          remaining.append(member)
        }
      } else if entry.isThere {
        entries[member.formerID] = nil
        end(member, .notOwned)
      } else {
        // It is not there. If this try still reaches the server, the next try replaces it.
        remaining.append(member)
      }
    }
    return WriteGroup(remaining)
  }

  /// Adds a session that was looked up.
  private static func take(_ found: inout [StoredSessionID: Entry], _ row: PostgresResult) {
    guard let id = row.session else { return }
    found[id] = Entry(number: row.integer(0, 1) ?? 0, version: row.integer(0, 2) ?? 0)
  }

  /// Whether two versions have the same writes, however often they were looked up.
  private static func hasSameWrites(_ version: Int64, _ other: Int64) -> Bool {
    (version - other) % PostgresStoreStatements.lookUpStep == 0
  }

  /// Finds out the state of sessions in doubt. Their writers got a failure. So their current state stays until they are
  /// written whole.
  func resolveDoubts(_ link: StoreConnection) throws(StoreConnection.Trouble) {
    if doubtful.isEmpty { return }
    var found: [StoredSessionID: Entry] = [:]
    try link.transact(.lookUp, [statements.lookUp(Array(doubtful))]) { Self.take(&found, $1) }
    for id in doubtful {
      if var present = found[id] {
        present.isOutOfStep = true
        entries[id] = present
      } else if entries[id]?.isThere == true {
        entries[id] = nil
      }
    }
    doubtful = []
  }
}
