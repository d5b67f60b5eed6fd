internal import Dispatch
internal import Files
internal import JSON
internal import PostgreSQL
internal import Synchronization

/// Renews the lease of this process in a store that several daemons share. It has a thread and a connection of its own,
/// on which it gets notifications, too.
///
/// `@unchecked Sendable`: the mutex guards the shared state. Everything else belongs to the thread that ``start()``
/// starts.
final class LeaseKeeper: @unchecked Sendable {
  typealias Completion = @Sendable (Result<LeaseRenewal, StoreFailure>) -> Void

  private struct Asked {
    var renewals: [(lease: Duration, completion: Completion)] = []
    var isClosed = false
  }

  private let target: StoreTarget
  private let onNotification: @Sendable (StoredSessionID?) -> Void
  private let asked = Mutex(Asked())
  private let wakeUp: WakeUp
  private let cancellation: PostgresCancellation
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Nil while there is none.
  private var link: StoreConnection?
  private var report: ConnectionReport
  /// The time at which a server that cannot be reached is tried again, to get its notifications.
  private var nextTry = ContinuousClock.now
  /// Whether the result of a renewal was lost: the server may have done it, and its findings are not known.
  private var wantsOwned = false
  /// Whether the lease was renewed before.
  private var hasRenewed = false
  /// Renewals since the last check of the rows of dead processes.
  private var renewals = 0

  /// How often transactions are tried that conflict, or that lose their connection.
  private static let triesMax = 5
  /// After so many renewals the rows of dead processes are checked.
  private static let forgettingInterval = 100

  init(
    _ target: StoreTarget,
    _ report: ConnectionReport,
    _ onNotification: @escaping @Sendable (StoredSessionID?) -> Void
  ) throws(StoreFailure) {
    self.target = target
    self.report = report
    self.onNotification = onNotification
    do throws(PostgresFailure) {
      wakeUp = try WakeUp()
      cancellation = try PostgresCancellation()
    } catch {
      throw StoreFailure(error, target.url)
    }
  }

  func start() { DetachedThread.start { self.work() } }

  /// Renews the lease. From any thread.
  func renew(for lease: Duration, _ completion: @escaping Completion) {
    let isClosed = asked.withLock { asked in
      if !asked.isClosed { asked.renewals.append((lease, completion)) }
      return asked.isClosed
    }
    if isClosed { return completion(.failure(StoreFailure(.closed, "the store is closed"))) }
    wakeUp.signal()
  }

  /// Does the requested renewals, and ends. Waits for that without a limit: on another thread than this one's.
  func close() {
    asked.withLock { $0.isClosed = true }
    wakeUp.signal()
    hasEnded.wait()
    hasEnded.signal()
  }

  /// The current work is given up.
  func cancel() { cancellation.cancel() }

  // MARK: The thread

  private func work() {
    while true {
      wakeUp.clear()
      let (renewals, isClosed) = asked.withLock { asked in
        defer { asked.renewals = [] }
        return (asked.renewals, asked.isClosed)
      }
      for (lease, completion) in renewals { completion(renew(for: lease)) }
      if isClosed { break }
      wait()
    }
    link = nil
    hasEnded.signal()
  }

  /// Waits for the next request; reports notifications.
  private func wait() {
    if link == nil, ContinuousClock.now >= nextTry {
      _ = connected(within: target.patience)
    }
    guard let link else { return wakeUp.wait(until: nextTry) }
    do throws(StoreConnection.Trouble) {
      guard case .notified(let texts) = try link.waitForNotification(wakeUp, until: nil) else { return }
      for id in Set(texts.map { StoredSessionID(hex: $0) }) { onNotification(id) }
    } catch {
      report.lost(link.failure(error))
      self.link = nil
      nextTry = .now
    }
  }

  private func connected(within limit: Duration) -> Result<StoreConnection, StoreFailure> {
    if let link {
      if link.isAlive() { return .success(link) }
      report.lost(target.endedByServer)
    }
    link = nil
    nextTry = .now + target.retryInterval
    do throws(StoreFailure) {
      let link = try StoreConnection(to: target, within: limit, cancellation)
      do throws(StoreConnection.Trouble) { try link.listen() } catch { throw link.failure(error) }
      self.link = link
      report.connected()
      // Notifications that came while no connection listened are lost.
      onNotification(nil)
      return .success(link)
    } catch {
      report.lost(error)
      return .failure(error)
    }
  }

  private func renew(for lease: Duration) -> Result<LeaseRenewal, StoreFailure> {
    // No caller waits longer than the lease.
    let limit = max(min(lease, target.patience), .milliseconds(100))
    var isEnrolling = false
    var failure = StoreFailure(.other, "the store \(target.url.text) fails")
    for _ in 0..<Self.triesMax {
      let link: StoreConnection
      switch connected(within: limit) {
      case .failure(let failure): return .failure(failure)
      case .success(let connected): link = connected
      }
      do throws(StoreConnection.Trouble) {
        if isEnrolling {
          try link.transact(.enrollment, within: limit, PostgresStoreStatements.enroll(target, lease: lease))
          isEnrolling = false
        }
        if let renewal = try renew(for: lease, within: limit, link) {
          forgetDeadSometimes(link)
          return .success(renewal)
        }
        isEnrolling = true
        // The row of this process is gone: others may have taken all of its sessions.
        wantsOwned = wantsOwned || hasRenewed
      } catch {
        failure = link.failure(error)
        switch error {
        case .failed(let error): if !error.isPassing { return .failure(failure) }
        case .lost:
          report.lost(failure)
          self.link = nil
        }
        if cancellation.isCancelled { break }
      }
    }
    return .failure(failure)
  }

  /// - Returns: nil if this process has no row.
  private func renew(
    for lease: Duration,
    within limit: Duration,
    _ link: StoreConnection
  ) throws(StoreConnection.Trouble) -> LeaseRenewal? {
    var (isThere, isLate) = (false, false)
    var owned: Set<StoredSessionID> = []
    var renewal = LeaseRenewal()
    let statements = PostgresStoreStatements.renew(target, for: lease, wantsOwned: wantsOwned)
    let wantedOwned = wantsOwned
    wantsOwned = true
    try link.transact(.renewal, within: limit, statements) { statement, row in
      switch statement {
      case 1: (isThere, isLate) = (true, row.flag(0, 1))
      case 2: if let id = row.bytes(0, 0).flatMap({ StoredSessionID($0) }) { owned.insert(id) }
      case 3:
        guard let id = row.bytes(0, 0).flatMap({ StoredSessionID($0) }) else { return }
        let takes = row.integer(0, 2) ?? 0
        renewal.requests.append(SessionRequest(id: id, asker: row.text(0, 1), number: abs(takes), takes: takes > 0))
      default: break
      }
    }
    guard isThere else {
      wantsOwned = wantedOwned
      return nil
    }
    wantsOwned = false
    hasRenewed = true
    if isLate { renewal.owned = owned }
    return renewal
  }

  private func forgetDeadSometimes(_ link: StoreConnection) {
    defer { renewals += 1 }
    guard renewals.isMultiple(of: Self.forgettingInterval) else { return }
    do throws(StoreConnection.Trouble) {
      try link.transact(.renewal, [PostgresStoreStatements.forgetDead(target)])
    } catch {
      // They are checked again later. If the connection is lost, its next use notices that.
    }
  }
}
