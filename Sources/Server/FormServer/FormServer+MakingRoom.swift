internal import Configuration
internal import HeapModule
internal import Logging
internal import Sessions
internal import Times

/// Kept sessions that no client has give way to clients.
///
/// A session is idle if it has no client, and no action runs in it. Without a store an idle session ends. With a store
/// it only leaves the memory, in its last committed state.
extension FormServer {
  /// The idle sessions that count for one connection, or counted for it last (``KeptSession/payer``).
  private struct IdleSessions: Comparable {
    var sessions: [LiveSession] = []
    var bytes = 0
    /// Whether the session that has been idle for longest is the last.
    var isSorted = false

    mutating func add(_ session: LiveSession) {
      sessions.append(session)
      bytes += session.contentAndEventBytes + session.structureBytes
    }

    /// Takes out the session that has been idle for longest.
    mutating func popOldest() -> LiveSession? {
      if !isSorted { sessions.sort { $0.idleSince > $1.idleSince } }
      isSorted = true
      guard let oldest = sessions.popLast() else { return nil }
      bytes -= oldest.contentAndEventBytes + oldest.structureBytes
      return oldest
    }

    static func < (left: IdleSessions, right: IdleSessions) -> Bool { left.bytes < right.bytes }
    static func == (left: IdleSessions, right: IdleSessions) -> Bool { left.bytes == right.bytes }
  }

  /// The part of a limit that is free afterwards, so that the next client need not search again.
  private static let reserveShare = 16
  /// One search may end sessions for so long. Its caller may be refused then, and the next client goes on.
  private static let roomSearchNanosecondsMax: Int64 = 4 * SliceOrder.sliceNanoseconds
  /// The time after a search that found nothing more to end. All kept sessions are looked at in a search.
  private static let roomSearchPause = Duration.seconds(1)

  /// Ends idle sessions if so many bytes more exceed a limit: sessions whose time is over, then sessions of the payer
  /// with the most bytes, the longest idle first.
  ///
  /// - Parameters:
  ///   - values: the bytes for which there must be room in ``Limit/valueBytesMax`` and ``Limit/memoryMax``.
  ///   - furtherBytes: further bytes, which count only for ``Limit/memoryMax``.
  func makeRoom(forValues values: Int = 0, furtherBytes: Int = 0) {
    var missing: Int {
      max(memory.values + values - valueBytesMax, memory.total + values + furtherBytes - memoryMax)
    }
    if missing <= 0 { return }
    makeRoom(missing: { missing })
  }

  @inline(never)
  private func makeRoom(missing: () -> Int) {
    let start = environment.now()
    if keptSessions.count == 0 { return }
    if let last = lastVainSearch, start - last < Self.roomSearchPause { return }
    var over: [LiveSession] = []
    var byPayer: [Int64: IdleSessions] = [:]
    for session in keptSessions.all {
      guard let kept = session.kept, kept.expiry != nil else { continue }
      if kept.isOver(at: start) {
        over.append(session)
      } else {
        byPayer[kept.payer, default: IdleSessions()].add(session)
      }
    }
    var largest = Heap(byPayer.values)
    byPayer = [:]
    let reserve = min(valueBytesMax, memoryMax) / Self.reserveShare
    let bytesBefore = memory.total
    var count = 0
    for session in over { session.giveWay() }
    while missing() + reserve > 0, var idle = largest.popMax() {
      guard let session = idle.popOldest() else { continue }
      session.giveWay()
      count += 1
      largest.insert(idle)
      if nanoseconds(since: start) >= Self.roomSearchNanosecondsMax { break }
    }
    lastVainSearch = largest.isEmpty && missing() > 0 ? start : nil
    if count == 0 { return }
    logger.warning(
      "kept sessions without clients have given way, because memory is full",
      metadata: ["sessions": "\(count)", "bytes": "\(bytesBefore - memory.total)"]
    )
  }
}

extension LiveSession {
  /// Since when the session is idle; it must be idle.
  fileprivate var idleSince: Instant {
    guard let kept, let expiry = kept.expiry else { preconditionFailure("session \(number) is not idle") }
    return expiry.deadline + (.zero - kept.keep)
  }

  /// The session, which is idle, leaves the memory.
  fileprivate func giveWay() {
    if storesFirst {
      // Earlier changes go first.
      server.handOverToStore()
      end(server.storedSessions?.leaseEnd == nil ? .forgotten : .released)
    } else {
      end(.removed)
    }
  }
}
