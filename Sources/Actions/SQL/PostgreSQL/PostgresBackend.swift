internal import Forms
internal import JSON
internal import NIOConcurrencyHelpers
internal import PostgreSQL
internal import Sessions
internal import Times

/// Statements of a PostgreSQL database: a few connections, each lent to one statement at a time, and as many threads,
/// since libpq waits. As many connections are opened as are wanted at once, and kept.
///
/// A connection that the server or the network has ended is replaced when the next statement wants it. A statement
/// whose connection is lost is run once more on a fresh one. If its commit may have been done, the statement is `gone`.
final class PostgresBackend: SQLBackend {
  let dialect = SQLText.Dialect.postgreSQL
  let capacity: SQLCapacity

  /// A session that is not lent.
  ///
  /// `@unchecked Sendable`: it is in the pool, or with the one thread that took it out.
  private struct Free: @unchecked Sendable {
    let session: PostgresSession
  }

  private struct Pool: Sendable {
    /// The session that was used last is taken first, so that unneeded sessions stay idle.
    var free: [Free] = []
    var isClosed = false
  }

  private let configuration: PostgreSQLConfiguration
  /// Not a `Mutex`: ThreadSanitizer does not see its lock. So it does not see the order between the threads that lend
  /// one session after another.
  private let pool = NIOLockedValueBox(Pool())
  private let threads: StatementThreads

  /// The database at that address; nothing is opened yet.
  init(_ configuration: PostgreSQLConfiguration) {
    self.configuration = configuration
    capacity = .shared(configuration.connections)
    threads = StatementThreads(count: configuration.connections)
  }

  func rows(
    of statement: SQLStatement,
    _ parameters: JSONObject,
    readsOnly: Bool,
    until deadline: ContinuousClock.Instant
  ) async throws(SQLFailure) -> [JSON] {
    let cancellation = try PostgresCancellation.forStatement()
    let job = PostgresSession.Job(
      statement: statement,
      parameters: parameters,
      readsOnly: readsOnly,
      mayWrite: configuration.isWritable,
      deadline: deadline,
      cancellation: cancellation
    )
    return try await threads.rows { () throws(SQLFailure) in
      try self.rows(of: job)
    } cancel: {
      cancellation.cancel()
    }
  }

  func close() {
    pool.withLockedValue { pool in
      pool.isClosed = true
      pool.free = []
    }
    threads.close()
  }

  // MARK: On one of the threads

  private func rows(of job: PostgresSession.Job) throws(SQLFailure) -> [JSON] {
    var isSecondTry = false
    while true {
      let session = if !isSecondTry, let free = takeFree() { free } else { try connect(job) }
      do throws(PostgresSession.Trouble) {
        let rows = try session.rows(of: job)
        giveBack(session)
        return rows
      } catch {
        switch error {
        case .failed(let failure):
          giveBack(session)
          throw failure
        case .lost(let failure, let isUndone):
          guard isUndone, failure.kind == .gone, !isSecondTry, !job.cancellation.isCancelled else { throw failure }
          isSecondTry = true
        }
      }
    }
  }

  private func connect(_ job: PostgresSession.Job) throws(SQLFailure) -> PostgresSession {
    try PostgresSession(to: configuration, until: job.deadline, job.cancellation)
  }

  /// A session that is not lent and can be used; unusable sessions are closed.
  private func takeFree() -> PostgresSession? {
    while let free = pool.withLockedValue({ $0.free.popLast() }) {
      if free.session.isAlive() { return free.session }
    }
    return nil
  }

  private func giveBack(_ session: PostgresSession) {
    let free = Free(session: session)
    pool.withLockedValue { pool in
      if !pool.isClosed { pool.free.append(free) }
    }
  }
}
