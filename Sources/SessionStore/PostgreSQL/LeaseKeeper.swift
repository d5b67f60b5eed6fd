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

  private let connection: StoreConnection
  private let onNotification: @Sendable (StoredSessionID?) -> Void
  private let asked = Mutex(Asked())
  private let hasEnded = DispatchSemaphore(value: 0)

  private var settings: PostgresStoreSettings { connection.settings }
  private var statements: PostgresStoreStatements { connection.statements }
  private var wakeUp: WakeUp { connection.wakeUp }
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

  init(_ connection: StoreConnection, _ onNotification: @escaping @Sendable (StoredSessionID?) -> Void) {
    self.connection = connection
    self.onNotification = onNotification
  }

  func start() { DetachedThread.start { self.work() } }

  /// Renews the lease. From any thread.
  func renew(for lease: Duration, _ completion: @escaping Completion) {
    let isClosed = asked.withLock { asked in
      if !asked.isClosed { asked.renewals.append((lease, completion)) }
      return asked.isClosed
    }
    if isClosed { return completion(.failure(.closed)) }
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
  func cancel() { connection.cancellation.cancel() }

  // MARK: The thread

  private func work() {
    while true {
      wakeUp.clear()
      let (renewals, isClosed) = asked.withLock { asked in
        defer { asked.renewals = [] }
        return (asked.renewals, asked.isClosed)
      }
      for (lease, completion) in renewals {
        completion(Result { () throws(StoreFailure) in try renew(for: lease) })
      }
      if isClosed { break }
      wait()
    }
    connection.drop()
    hasEnded.signal()
  }

  /// Waits for the next request; reports notifications.
  private func wait() {
    if !connection.isOpen, ContinuousClock.now >= nextTry { try? connect(within: settings.patience) }
    guard connection.isOpen else { return wakeUp.wait(until: nextTry) }
    do throws(StoreConnection.Trouble) {
      guard case .notified(let texts) = try connection.waitForNotification() else { return }
      for id in Set(texts.map { StoredSessionID(hex: $0) }) { onNotification(id) }
    } catch {
      connection.drop(because: connection.failure(error))
      nextTry = .now
    }
  }

  private func connect(within limit: Duration) throws(StoreFailure) {
    if connection.isAlive() { return }
    nextTry = .now + settings.retryInterval
    try connection.connect(within: limit)
    // Notifications that came while no connection listened are lost.
    onNotification(nil)
  }

  private func renew(for lease: Duration) throws(StoreFailure) -> LeaseRenewal {
    // No caller waits longer than the lease.
    let limit = max(min(lease, settings.patience), .milliseconds(100))
    var isEnrolling = false
    var failure = StoreFailure(.other, "the store \(settings.url.text) fails")
    for _ in 0..<Self.triesMax {
      try connect(within: limit)
      do throws(StoreConnection.Trouble) {
        if isEnrolling { try connection.transact(.enrollment, within: limit, statements.enroll(lease: lease)) }
        isEnrolling = false
        if let renewal = try renew(for: lease, within: limit) {
          forgetDeadSometimes()
          return renewal
        }
        isEnrolling = true
        // The row of this process is gone: others may have taken all of its sessions.
        wantsOwned = wantsOwned || hasRenewed
      } catch {
        failure = connection.failure(error)
        switch error {
        case .failed(let error): if !error.isPassing { throw failure }
        case .lost: connection.drop(because: failure)
        }
        if connection.cancellation.isCancelled { break }
      }
    }
    throw failure
  }

  /// - Returns: nil if this process has no row.
  private func renew(for lease: Duration, within limit: Duration) throws(StoreConnection.Trouble) -> LeaseRenewal? {
    var (isThere, isLate) = (false, false)
    var owned: Set<StoredSessionID> = []
    var renewal = LeaseRenewal()
    let wantedOwned = wantsOwned
    wantsOwned = true
    try connection.transact(.renewal, within: limit, statements.renew(for: lease, wantsOwned: wantedOwned)) {
      statement,
      row in
      switch statement {
      case 1: (isThere, isLate) = (true, row.flag(0, 1))
      case 2: if let id = row.session { owned.insert(id) }
      case 3:
        guard let id = row.session else { return }
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

  private func forgetDeadSometimes() {
    defer { renewals += 1 }
    guard renewals.isMultiple(of: Self.forgettingInterval) else { return }
    // If it fails, they are checked again later. If the connection is lost, its next use makes another one.
    try? connection.transact(.renewal, [statements.forgetDead()])
  }
}
