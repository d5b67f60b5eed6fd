internal import PostgreSQL

/// Writes the sessions of this process into a store that several daemons share, and knows the version in which each was
/// left. It belongs to the store's thread.
final class SessionWriter {
  private let access: RetryingConnection
  /// The sessions of this process, in the state in which they were left.
  var own = OwnSessions()
  /// Sessions with a write whose result is not known.
  private var doubtful: Set<StoredSessionID> = []

  /// The largest write in bytes. A message to a server has at most a gigabyte.
  package static let writeBytesMax = 256 << 20

  init(_ access: RetryingConnection) { self.access = access }

  /// The reason why a write cannot follow the writes before it; nil: it can.
  func objection(to write: SessionWrite) -> StoreFailure? {
    if write.byteCount > Self.writeBytesMax {
      return StoreFailure(.tooLarge, "a session is larger than the store allows: \(write.byteCount) bytes in one write")
    }
    return own.objection(to: write)
  }

  /// A write has failed, or was not accepted: the next one must be whole.
  func noteFailure(of write: SessionWrite) { own.noteFailure(of: write.formerID ?? write.id) }

  /// Writes a group in one flight.
  ///
  /// - Parameter tell: called with the position of each job when its result is known; nil: it is done.
  func commit(_ group: WriteGroup, _ tell: (Int, StoreFailure?) -> Void) {
    func end(_ member: WriteGroup.Member, _ failure: StoreFailure?) {
      if failure != nil { own.noteFailure(of: member.formerID) }
      for job in member.jobs { tell(job, failure) }
    }
    var group = group
    var passing = 0
    while !group.members.isEmpty {
      // For first writes the number of tries is known.
      for member in group.members where own[member.formerID]?.isThere != true {
        let tries = own[member.formerID]?.version ?? 0
        own[member.formerID] = OwnSessions.Entry(number: 0, version: tries + 1)
      }
      var written: [Int: Int64] = [:]
      do throws(RetryingConnection.Failed) {
        try access.transactOnce(.write) {
          for member in group.members { doubtful.formUnion([member.formerID, member.id]) }
          return [PostgresStoreStatements.write(access.target, group.arrays(own))]
        } take: { _, row in
          written[Int(row.integer(0, 0) ?? -1)] = row.integer(0, 1)
        }
        for (position, member) in group.members.enumerated() {
          settle(member)
          if let number = written[position] {
            note(member, number)
            end(member, nil)
          } else {
            own[member.formerID] = nil
            end(member, .lost())
          }
        }
        return
      } catch {
        switch error {
        case .connection:
          // Finished writes are reported, and the remaining writes are tried once more.
          let remaining = resolve(group, end)
          guard let remaining else { return }
          group = remaining
        case .passing(let failure):
          takeBack(group)
          passing += 1
          if passing <= RetryingConnection.passingMax { continue }
          access.goAway(failure)
          for member in group.members { end(member, failure) }
          return
        case .overdue(let failure):
          // The sessions stay in doubt: the failure lasts as long as they cannot be looked up.
          access.goAway(failure)
          for member in group.members { end(member, failure) }
          return
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
        case .away(let failure):
          for member in group.members { end(member, failure) }
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
      guard let entry = own[member.formerID], !entry.isThere else { continue }
      own[member.formerID]?.version = entry.version - 1
    }
  }

  /// A write was done: updates the entry.
  private func note(_ member: WriteGroup.Member, _ number: Int64) {
    guard var entry = own[member.formerID] else { return }
    if entry.isThere { entry.version += 1 }
    entry.number = number
    if member.isWhole { entry.isOutOfStep = false }
    own[member.formerID] = entry
    own.rename(member.formerID, to: member.id)
  }

  /// A group's connection was lost: finds out the result of each of its members.
  ///
  /// - Returns: the members that were not done; nil: the store is away, and all completions were called.
  private func resolve(
    _ group: WriteGroup,
    _ end: (WriteGroup.Member, StoreFailure?) -> Void
  ) -> WriteGroup? {
    let asked = group.members.flatMap { $0.id == $0.formerID ? [$0.id] : [$0.formerID, $0.id] }
      .filter { doubtful.contains($0) }
    // The connection was lost before anything was sent.
    if asked.isEmpty { return group }
    switch lookUp(asked) {
    case .failure(let failure):
      // Sessions in doubt are looked up before the store is well again.
      access.goAway(failure)
      for member in group.members { end(member, failure) }
      return nil
    case .success(let found):
      var remaining: [WriteGroup.Member] = []
      for member in group.members {
        settle(member)
        guard let entry = own[member.formerID] else { continue }
        let present = found[member.id] ?? found[member.formerID]
        let isRenamed = member.id == member.formerID || found[member.id] != nil
        if let present, entry.isThere, SessionVersion.hasSameWrites(present.version, entry.version + 1), isRenamed {
          own[member.formerID]?.version = present.version - 1
          note(member, present.number)
          end(member, nil)
        } else if let present, entry.isThere, SessionVersion.hasSameWrites(present.version, entry.version) {
          own[member.formerID]?.version = present.version
          remaining.append(member)
        } else if let present, !entry.isThere {
          let isDone = SessionVersion.hasSameWrites(present.version, entry.version)
          own[member.formerID] = OwnSessions.Entry(number: present.number, version: present.version)
          if isDone {
            own.rename(member.formerID, to: member.id)
            end(member, nil)
          } else {
            // This is an earlier try of another first write: this write replaces it.
            remaining.append(member)
          }
        } else if entry.isThere {
          own[member.formerID] = nil
          end(member, .lost())
        } else {
          // It is not there. If this try still reaches the server, the next try replaces it.
          remaining.append(member)
        }
      }
      return WriteGroup(remaining)
    }
  }

  /// Looks up the state of this process's sessions, so that no earlier statement can be done any more.
  private func lookUp(
    _ ids: [StoredSessionID]
  ) -> Result<[StoredSessionID: (number: Int64, version: Int64)], StoreFailure> {
    var found: [StoredSessionID: (number: Int64, version: Int64)] = [:]
    let result = access.transact(.lookUp) {
      [PostgresStoreStatements.lookUp($0, ids)]
    } take: { _, row in
      if let bytes = row.bytes(0, 0), let id = StoredSessionID(bytes) {
        found[id] = (row.integer(0, 1) ?? 0, row.integer(0, 2) ?? 0)
      }
    }
    return result.map { found }
  }

  /// Finds out the state of sessions in doubt. Their writers got a failure. So their current state stays until they are
  /// written whole.
  func resolveDoubts(_ link: StoreConnection) throws(StoreConnection.Trouble) {
    if doubtful.isEmpty { return }
    var found: [StoredSessionID: (number: Int64, version: Int64)] = [:]
    try link.transact(.lookUp, [PostgresStoreStatements.lookUp(access.target, Array(doubtful))]) { _, row in
      if let bytes = row.bytes(0, 0), let id = StoredSessionID(bytes) {
        found[id] = (row.integer(0, 1) ?? 0, row.integer(0, 2) ?? 0)
      }
    }
    for id in doubtful {
      if let present = found[id] {
        own[id] = OwnSessions.Entry(number: present.number, version: present.version, isOutOfStep: true)
      } else if own[id]?.isThere == true {
        own[id] = nil
      }
    }
    doubtful = []
  }
}
