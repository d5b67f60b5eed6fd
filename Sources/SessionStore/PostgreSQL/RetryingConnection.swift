internal import PostgreSQL

/// The way of a shared store's thread to its server. It has one connection, made again if it is lost. Transactions are
/// tried until they are done or refused, or the store is away.
///
/// It belongs to that thread, except ``cancel()``.
final class RetryingConnection {
  typealias Link = StoreConnection

  /// The reason why a transaction has not been done, or why its result is unknown.
  enum Failed: Error {
    /// The connection was lost.
    case connection
    /// It has changed nothing, but the next try may succeed.
    case passing(StoreFailure)
    /// It has changed nothing: it has waited too long for a lock, or taken too long.
    case overdue(StoreFailure)
    /// It has changed nothing, because the server does not accept the data.
    case data(StoreFailure)
    /// The store is away; it has changed nothing, or the result is unknown.
    case away(StoreFailure)
  }

  let target: StoreTarget
  private let onStateChange: @Sendable (StoreState) -> Void
  private let cancellation: PostgresCancellation
  /// Never signalled: it is used to wait for a time.
  private let pause: WakeUp

  private(set) var state = StoreState.well
  /// Nil if there is none, or none that can be used.
  private var link: Link?
  private var report: ConnectionReport
  /// Whether this process has a row, as far as is known here.
  private var isEnrolled = false
  /// The time at which a store that is away tries again.
  private var nextTry = ContinuousClock.now
  /// Transactions in a row that were lost with their connections: the time of the first, and their number; nil: none.
  private var losses: (first: ContinuousClock.Instant, count: Int)?

  /// So often a server is tried before the store is away.
  private static let triesMax = 3
  /// How often conflicting transactions are tried.
  static let passingMax = 10

  init(
    _ target: StoreTarget,
    _ report: ConnectionReport,
    _ onStateChange: @escaping @Sendable (StoreState) -> Void
  ) throws(StoreFailure) {
    self.target = target
    self.report = report
    self.onStateChange = onStateChange
    do throws(PostgresFailure) {
      cancellation = try PostgresCancellation()
      pause = try WakeUp()
    } catch {
      throw StoreFailure(error, target.url)
    }
  }

  /// The current work is given up. From any thread.
  func cancel() { cancellation.cancel() }

  /// No more work comes.
  func close() { link = nil }

  // MARK: Transactions

  /// Does statements that may be done more than once, until they are done.
  ///
  /// - Parameters:
  ///   - lease: of this process, if it has none yet.
  ///   - begin: called before each try, with whether an earlier try may have done it.
  ///   - take: gets each row, with its statement's position.
  func transact(
    _ purpose: ConnectionInterruption.Purpose,
    lease: Duration? = nil,
    _ statements: (StoreTarget) -> [Link.Statement],
    begin: (_ mayBeDone: Bool) -> Void = { _ in },
    take: (_ statement: Int, _ row: PostgresResult) -> Void = { _, _ in }
  ) -> Result<Void, StoreFailure> {
    var passing = 0
    var (isSent, mayBeDone) = (false, false)
    while true {
      do throws(Failed) {
        isSent = false
        try transactOnce(purpose, lease: lease) {
          begin(mayBeDone)
          isSent = true
          return statements(target)
        } take: {
          take($0, $1)
        }
        return .success(())
      } catch {
        switch error {
        case .connection: mayBeDone = mayBeDone || isSent
        case .passing(let failure):
          passing += 1
          if passing <= Self.passingMax { continue }
          goAway(failure)
          return .failure(failure)
        case .overdue(let failure):
          // Perhaps only this transaction must wait.
          if !isWell() { goAway(failure) }
          return .failure(failure)
        case .data(let failure), .away(let failure): return .failure(failure)
        }
      }
    }
  }

  /// Does statements once.
  ///
  /// - Parameter statements: called when they are about to be sent. From then on it is unknown whether they were done,
  ///   until the server answers.
  func transactOnce(
    _ purpose: ConnectionInterruption.Purpose,
    lease: Duration? = nil,
    _ statements: () -> [Link.Statement],
    take: (_ statement: Int, _ row: PostgresResult) -> Void
  ) throws(Failed) {
    let link = try connected()
    if !isEnrolled {
      try attempt(link, .enrollment, PostgresStoreStatements.enroll(target, lease: lease))
      isEnrolled = true
    }
    try attempt(link, purpose, statements(), take: take)
  }

  private func attempt(
    _ link: Link,
    _ purpose: ConnectionInterruption.Purpose,
    _ statements: [Link.Statement],
    take: (_ statement: Int, _ row: PostgresResult) -> Void = { _, _ in }
  ) throws(Failed) {
    let start = ContinuousClock.now
    do throws(Link.Trouble) {
      try link.transact(purpose, statements, take: take)
      losses = nil
    } catch {
      switch error {
      case .failed(let error): throw refused(error, after: .now - start)
      // The next try would read the same row.
      case .lost(let failure) where failure.reason == .tooLarge:
        self.link = nil
        throw .data(failure)
      case .lost(let failure): throw lost(failure)
      }
    }
  }

  private func refused(_ error: PostgresError, after time: Duration) -> Failed {
    if error.saysNobody { isEnrolled = false }
    let failure = StoreFailure(error, target.url)
    if error.isLockTimeout || error.isCancellation && time >= target.patience { return .overdue(failure) }
    // An operator has cancelled it before its time was over.
    if error.isPassing || error.isCancellation { return .passing(failure) }
    if error.concernsData { return .data(failure) }
    goAway(failure)
    return .away(failure)
  }

  /// A server that accepts connections and always loses them, or sends nothing on them, cannot be used.
  private func lost(_ failure: StoreFailure) -> Failed {
    report.lost(failure)
    link = nil
    let (first, count) = losses ?? (.now, 0)
    losses = (first, count + 1)
    if cancellation.isCancelled || ContinuousClock.now - first > target.patience * 2 {
      losses = nil
      goAway(failure)
      return .away(failure)
    }
    if (count + 1).isMultiple(of: Self.triesMax) { pause.wait(until: .now + target.retryInterval) }
    return .connection
  }

  /// A connection that can be used, as far as is known. A server that was lost is tried a few times before the store is
  /// away.
  private func connected() throws(Failed) -> Link {
    if let link {
      if link.isAlive() { return link }
      report.lost(target.endedByServer)
    }
    link = nil
    var tries = 0
    while true {
      do throws(StoreFailure) {
        let link = try newLink()
        self.link = link
        return link
      } catch {
        tries += 1
        if tries == Self.triesMax || error.isFinal || cancellation.isCancelled {
          goAway(error)
          throw .away(error)
        }
        pause.wait(until: .now + target.retryInterval)
      }
    }
  }

  /// Looks whether a connection that was not used for a while is lost, and makes another one.
  func look() {
    guard state == .well else { return }
    do throws(Failed) {
      _ = try connected()
    } catch {
      // The store is away now, and ``timeToTry`` says when it is tried again.
    }
  }

  // MARK: Away, and back

  /// The reason why nothing can be done; nil if work is possible, as far as is known.
  var failure: StoreFailure? { if case .away(let failure) = state { failure } else { nil } }

  /// The time until the store is to be tried again; nil: it is not away.
  var timeToTry: Duration? { state == .well ? nil : max(.zero, ContinuousClock.now.duration(to: nextTry)) }

  /// From now on nothing can be done, until ``recover(settling:)`` has found that the store is well.
  func goAway(_ failure: StoreFailure) {
    // The next server may be another one.
    link = nil
    change(to: .away(failure))
  }

  /// Whether the server accepts writes, over the current connection.
  private func isWell() -> Bool {
    guard let link else { return false }
    do throws(Link.Trouble) {
      try link.transact(.probe, PostgresStoreStatements.probe(target))
      return true
    } catch {
      return false
    }
  }

  /// Tries whether the store is well: it can be reached and written.
  ///
  /// - Parameter settle: does the work that must come before everything else.
  func recover(settling settle: (Link) throws(Link.Trouble) -> Void) {
    nextTry = .now + target.retryInterval
    do throws(StoreFailure) {
      let link = try newLink()
      do throws(Link.Trouble) {
        try link.transact(.probe, PostgresStoreStatements.probe(target))
        try settle(link)
      } catch {
        throw link.failure(error)
      }
      self.link = link
      change(to: .well)
    } catch {
      change(to: .away(error))
    }
  }

  private func newLink() throws(StoreFailure) -> Link {
    do throws(StoreFailure) {
      let link = try Link(to: target, within: target.patience, cancellation)
      report.connected()
      return link
    } catch {
      report.lost(error)
      throw error
    }
  }

  private func change(to new: StoreState) {
    nextTry = .now + target.retryInterval
    if new == state { return }
    state = new
    onStateChange(new)
  }
}

extension StoreFailure {
  /// Whether waiting does not help, because the operator has to act.
  fileprivate var isFinal: Bool { reason == .newer || reason == .closed }
}
