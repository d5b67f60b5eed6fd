internal import PostgreSQL

/// The way of a shared store's thread to its server. Transactions are tried until they are done or refused, or the
/// store is away.
///
/// It belongs to that thread, except ``cancel()``.
final class RetryingConnection {
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

  private let connection: StoreConnection
  private var availability: Availability
  /// Whether this process has a row, as far as is known here.
  private var isEnrolled = false
  /// Transactions in a row that were lost with their connections: the time of the first, and their number; nil: none.
  private var losses: (first: ContinuousClock.Instant, count: Int)?

  /// So often a server is tried before the store is away.
  private static let triesMax = 3
  /// How often conflicting transactions are tried.
  static let passingMax = 10

  init(_ connection: StoreConnection, _ onStateChange: @escaping @Sendable (StoreState) -> Void) {
    self.connection = connection
    availability = Availability(retryInterval: connection.settings.retryInterval, onStateChange)
  }

  var statements: PostgresStoreStatements { connection.statements }
  private var settings: PostgresStoreSettings { connection.settings }

  /// The current work is given up. From any thread.
  func cancel() { connection.cancellation.cancel() }

  /// No more work comes.
  func close() { connection.drop() }

  // MARK: Transactions

  /// Does statements that may be done more than once, until they are done.
  ///
  /// - Parameters:
  ///   - lease: of this process, if it has none yet.
  ///   - start: the result of a try that takes no row.
  ///   - repeatedStart: takes its place if an earlier try may have been done; nil: that makes no difference.
  ///   - take: adds each row to the result, with its statement's position.
  func transact<Value>(
    _ purpose: ConnectionInterruption.Purpose,
    lease: Duration? = nil,
    _ statements: [StoreConnection.Statement],
    into start: Value,
    orRepeated repeatedStart: Value? = nil,
    take: (_ value: inout Value, _ statement: Int, _ row: PostgresResult) -> Void
  ) throws(StoreFailure) -> Value {
    var passing = 0
    var (isSent, mayBeDone) = (false, false)
    while true {
      var value = mayBeDone ? repeatedStart ?? start : start
      do throws(Failed) {
        isSent = false
        try transactOnce(purpose, lease: lease) {
          isSent = true
          return statements
        } take: {
          take(&value, $0, $1)
        }
        return value
      } catch {
        switch error {
        case .connection: mayBeDone = mayBeDone || isSent
        case .passing(let failure):
          passing += 1
          if passing <= Self.passingMax { continue }
          goAway(failure)
          throw failure
        case .overdue(let failure):
          // Perhaps only this transaction must wait.
          if !isWell() { goAway(failure) }
          throw failure
        case .data(let failure), .away(let failure): throw failure
        }
      }
    }
  }

  /// Does statements without a result that may be done more than once, until they are done.
  func transact(
    _ purpose: ConnectionInterruption.Purpose,
    _ statements: [StoreConnection.Statement]
  ) throws(StoreFailure) {
    try transact(purpose, statements, into: ()) { _, _, _ in }
  }

  /// Does statements once.
  ///
  /// - Parameter statements: called when they are about to be sent. From then on it is unknown whether they were done,
  ///   until the server answers.
  func transactOnce(
    _ purpose: ConnectionInterruption.Purpose,
    lease: Duration? = nil,
    _ statements: () -> [StoreConnection.Statement],
    take: (_ statement: Int, _ row: PostgresResult) -> Void
  ) throws(Failed) {
    try connect()
    if !isEnrolled {
      try attempt(.enrollment, self.statements.enroll(lease: lease))
      isEnrolled = true
    }
    try attempt(purpose, statements(), take: take)
  }

  private func attempt(
    _ purpose: ConnectionInterruption.Purpose,
    _ statements: [StoreConnection.Statement],
    take: (_ statement: Int, _ row: PostgresResult) -> Void = { _, _ in }
  ) throws(Failed) {
    let start = ContinuousClock.now
    do throws(StoreConnection.Trouble) {
      try connection.transact(purpose, statements, take: take)
      losses = nil
    } catch {
      switch error {
      case .failed(let error): throw refused(error, after: .now - start)
      // The next try would read the same row.
      case .lost(let failure) where failure.reason == .tooLarge:
        connection.drop()
        throw .data(failure)
      case .lost(let failure): throw lost(failure)
      }
    }
  }

  private func refused(_ error: PostgresError, after time: Duration) -> Failed {
    if error.saysNobody { isEnrolled = false }
    let failure = StoreFailure(error, settings.url)
    if error.isLockTimeout || error.isCancellation && time >= settings.patience { return .overdue(failure) }
    // An operator has cancelled it before its time was over.
    if error.isPassing || error.isCancellation { return .passing(failure) }
    if error.concernsData { return .data(failure) }
    goAway(failure)
    return .away(failure)
  }

  /// A server that accepts connections and always loses them, or sends nothing on them, cannot be used.
  private func lost(_ failure: StoreFailure) -> Failed {
    connection.drop(because: failure)
    let (first, count) = losses ?? (.now, 0)
    losses = (first, count + 1)
    if connection.cancellation.isCancelled || ContinuousClock.now - first > settings.patience * 2 {
      losses = nil
      goAway(failure)
      return .away(failure)
    }
    if (count + 1).isMultiple(of: Self.triesMax) { connection.wakeUp.wait(until: .now + settings.retryInterval) }
    return .connection
  }

  /// Makes a connection if there is none that can be used, as far as is known. A server that was lost is tried a few
  /// times before the store is away.
  private func connect() throws(Failed) {
    if connection.isAlive() { return }
    var tries = 0
    while true {
      do throws(StoreFailure) {
        return try connection.connect(within: settings.patience)
      } catch {
        tries += 1
        // The operator has to act, or the store is closed: waiting does not help.
        if tries == Self.triesMax || error.reason == .newer || error.reason == .closed
          || connection.cancellation.isCancelled
        {
          goAway(error)
          throw .away(error)
        }
        connection.wakeUp.wait(until: .now + settings.retryInterval)
      }
    }
  }

  /// Looks whether a connection that was not used for a while is lost, and makes another one.
  func look() {
    guard failure == nil else { return }
    do throws(Failed) {
      try connect()
    } catch {
      // The store is away now, and ``timeToTry`` says when it is tried again.
    }
  }

  // MARK: Away, and back

  /// The reason why nothing can be done; nil if work is possible, as far as is known.
  var failure: StoreFailure? { availability.failure }

  /// The time until the store is to be tried again; nil: it is not away.
  var timeToTry: Duration? { availability.timeToTry }

  /// From now on nothing can be done, until ``recover(settling:)`` has found that the store is well.
  func goAway(_ failure: StoreFailure) {
    // The next server may be another one.
    connection.drop()
    availability.change(to: .away(failure))
  }

  /// Whether the server accepts writes, over the current connection.
  private func isWell() -> Bool {
    do throws(StoreConnection.Trouble) {
      try connection.transact(.probe, statements.probe())
      return true
    } catch {
      return false
    }
  }

  /// Tries whether the store is well: it can be reached and written.
  ///
  /// - Parameter settle: does the work that must come before everything else.
  func recover(settling settle: (StoreConnection) throws(StoreConnection.Trouble) -> Void) {
    availability.tries()
    do throws(StoreFailure) {
      try connection.connect(within: settings.patience)
      do throws(StoreConnection.Trouble) {
        try connection.transact(.probe, statements.probe())
        try settle(connection)
      } catch {
        throw connection.failure(error)
      }
      availability.change(to: .well)
    } catch {
      connection.drop()
      availability.change(to: .away(error))
    }
  }
}
