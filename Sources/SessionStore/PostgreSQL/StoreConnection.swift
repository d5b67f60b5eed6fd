internal import PostgreSQL

/// A connection of a store that several daemons share. Each transaction is one flight, and costs one round trip.
///
/// Settings belong to the transaction, and nothing is prepared, because a pooler may give each transaction another
/// connection.
final class StoreConnection {
  /// The reason why a transaction was not done, as far as is known.
  enum Trouble: Error {
    /// It has changed nothing.
    case failed(PostgresError)
    /// The connection is lost: it may have been done, or may be done later.
    case lost(StoreFailure)
  }

  /// One statement, with its parameters.
  struct Statement {
    var text: String
    var parameters: [PostgresValue]

    init(_ text: String, _ parameters: [PostgresValue] = []) {
      self.text = text
      self.parameters = parameters
    }
  }

  private let target: StoreTarget
  private let connection: PostgresConnection
  private let cancellation: PostgresCancellation
  /// Set when the connection is lost.
  private var hasEnded = false

  /// Connects, and makes the tables or brings them up to date if that is needed.
  ///
  /// - Parameter limit: the longest wait for the connection.
  /// - Throws: the reason why the store cannot be used, in words for the operator.
  init(
    to target: StoreTarget,
    within limit: Duration,
    _ cancellation: PostgresCancellation
  ) throws(StoreFailure) {
    self.target = target
    self.cancellation = cancellation
    do throws(PostgresFailure) {
      connection = try PostgresConnection(
        to: target.url,
        password: target.password,
        rowBytesMax: target.rowBytesMax,
        until: .now + limit,
        cancellation
      )
    } catch {
      throw StoreFailure(error, target.url)
    }
    do throws(Trouble) {
      try prepareTables()
    } catch {
      throw failure(error)
    }
  }

  /// The reason why a transaction was not done, in words for the operator.
  func failure(_ trouble: Trouble) -> StoreFailure {
    switch trouble {
    case .failed(let error): StoreFailure(error, target.url)
    case .lost(let failure): failure
    }
  }

  /// Whether a transaction can be tried, as far as is known here.
  func isAlive() -> Bool { !hasEnded && connection.isAlive() }

  // MARK: Transactions

  /// Does all of some statements, or nothing.
  ///
  /// - Parameters:
  ///   - limit: the server's time limit for each statement; nil: the usual one.
  ///   - take: gets each row, with its statement's position.
  func transact(
    _ purpose: ConnectionInterruption.Purpose,
    within limit: Duration? = nil,
    _ statements: [Statement],
    take: (_ statement: Int, _ row: PostgresResult) -> Void = { _, _ in }
  ) throws(Trouble) {
    try fail(at: .before(purpose))
    let commit = statements.count + Self.beginningCount
    var isCommitted = false
    do throws(Trouble) {
      try fly(begin(within: limit) + statements.map { .rows($0.text, $0.parameters) } + [.query("COMMIT", [])], limit) {
        command,
        result in
        if command == commit { isCommitted = true }
        guard command >= Self.beginningCount, command < commit, result.isSingleRow else { return }
        take(command - Self.beginningCount, result)
      }
    } catch {
      // If the connection is lost after the commit, it cannot be used any more, but all is done.
      guard isCommitted, case .lost = error else { throw error }
    }
    try fail(at: .behind(purpose))
  }

  private static let beginningCount = 2

  private func begin(within limit: Duration?) -> [PostgresConnection.Command] {
    let limit = limit ?? target.patience
    return begin(limit, locks: min(limit, target.lockPatience))
  }

  private func begin(_ limit: Duration, locks lockLimit: Duration) -> [PostgresConnection.Command] {
    func milliseconds(_ time: Duration) -> String { "\(max(1, Int64(time / .milliseconds(1))))" }
    return [
      .query("BEGIN ISOLATION LEVEL READ COMMITTED", []),
      .query(Self.settings, [milliseconds(limit), milliseconds(lockLimit)]),
    ]
  }

  private static let settings = """
    SELECT pg_catalog.set_config('statement_timeout', $1, true), \
    pg_catalog.set_config('idle_in_transaction_session_timeout', $1, true), \
    pg_catalog.set_config('lock_timeout', $2, true)
    """

  /// Sends commands and takes their results. A failure leaves no transaction open.
  private func fly(
    _ commands: [PostgresConnection.Command],
    _ limit: Duration? = nil,
    take: (_ command: Int, _ result: PostgresResult) -> Void = { _, _ in }
  ) throws(Trouble) {
    // The server gives up earlier.
    let deadline = ContinuousClock.now + (limit ?? target.patience) * 1.2
    let error: PostgresError?
    do throws(PostgresConnection.Loss) {
      error = try connection.fly(commands, cancellation, until: deadline, take: take).failure?.error
      if error != nil, connection.isInTransaction {
        _ = try connection.fly([.query("ROLLBACK", [])], cancellation, until: deadline) { _, _ in }
      }
    } catch {
      throw lost(error)
    }
    guard let error else { return }
    throw cancellation.isCancelled ? lost(PostgresConnection.Loss(PostgresFailure(.cancelled, ""))) : .failed(error)
  }

  private func lost(_ loss: PostgresConnection.Loss) -> Trouble {
    hasEnded = true
    return .lost(StoreFailure(loss.failure, target.url))
  }

  private func fail(at point: ConnectionInterruption.Point) throws(Trouble) {
    guard target.interruption.losesConnection(point) else { return }
    hasEnded = true
    throw .lost(StoreFailure(.other, "a test cut the connection to the store \(target.url.text)"))
  }

  // MARK: Notifications

  /// From now on this connection gets the notifications to this process, and those to all processes.
  func listen() throws(Trouble) {
    let channels = [PostgresStoreStatements.channel(of: target.instance), PostgresStoreStatements.channelOfAll]
    try fly(channels.map { .query("LISTEN \($0)", []) })
  }

  /// Waits for a notification, a signal or a time.
  func waitForNotification(
    _ wakeUp: WakeUp,
    until deadline: ContinuousClock.Instant?
  ) throws(Trouble) -> PostgresConnection.Waited {
    do throws(PostgresConnection.Loss) {
      return try connection.waitForNotification(wakeUp, until: deadline)
    } catch {
      throw lost(error)
    }
  }

  // MARK: Tables

  private func prepareTables() throws(Trouble) {
    var (isThere, isReadOnly) = (false, false)
    try fly([.rows(PostgresStoreTables.look, [])]) { _, row in
      if row.isSingleRow { (isThere, isReadOnly) = (row.flag(0, 0), row.flag(0, 1)) }
    }
    if isReadOnly { throw .lost(readOnly) }
    let edition = isThere ? try readEdition(begin(within: nil), [.query("COMMIT", [])]) : 0
    if edition > PostgresStoreTables.edition { throw .lost(newer) }
    if edition < PostgresStoreTables.edition { try makeTables() }
  }

  /// - Parameters:
  ///   - before: the commands that begin a transaction; none: one is open.
  ///   - behind: the commands that end it.
  private func readEdition(
    _ before: [PostgresConnection.Command] = [],
    _ behind: [PostgresConnection.Command] = []
  ) throws(Trouble) -> Int64 {
    var edition: Int64 = 0
    try fly(before + [.rows("SELECT number FROM formd_edition", [])] + behind) { command, row in
      if command == before.count, row.isSingleRow { edition = row.integer(0, 0) ?? 0 }
    }
    return edition
  }

  /// Several daemons may come at once, and one makes the tables: the other daemons wait for it as long as for any
  /// statement.
  private func makeTables() throws(Trouble) {
    var isThere = false
    try fly(
      begin(target.patience, locks: target.patience) + [
        .rows("SELECT pg_catalog.pg_advisory_xact_lock($1)", [.integer(PostgresStoreTables.lock)]),
        .rows(PostgresStoreTables.look, []),
      ]
    ) { command, row in
      if command == Self.beginningCount + 1, row.isSingleRow { isThere = row.flag(0, 0) }
    }
    let edition = isThere ? try readEdition() : 0
    var commands: [PostgresConnection.Command] = []
    if edition < PostgresStoreTables.edition {
      commands = PostgresStoreTables.editions[Int(edition)...].flatMap { $0 }.map { .query($0, []) }
      commands.append(.query("UPDATE formd_edition SET number = \(PostgresStoreTables.edition)", []))
    }
    try fly(commands + [.query("COMMIT", [])])
  }

  private var readOnly: StoreFailure {
    StoreFailure(
      .readOnly,
      "the store \(target.url.text) is read-only: give the URL of the primary server, or allow the role to write"
    )
  }

  private var newer: StoreFailure {
    StoreFailure(
      .newer,
      "a newer formd has made the tables of the store \(target.url.text): run that version, or choose another database"
    )
  }
}
