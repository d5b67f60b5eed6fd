internal import PostgreSQL

/// A connection of a shared store was lost, or is back.
package struct StoreConnectionChange: Sendable {
  /// The purpose of a connection.
  package enum Role: String, Sendable {
    /// It renews the lease, and gets notifications.
    case lease
    /// It does everything else.
    case sessions
  }

  /// The purpose of the connection.
  package let role: Role
  /// The reason why it was lost, or cannot be made; nil: it is back.
  package let loss: StoreFailure?
}

/// The connection of one thread of a store that several daemons share. It is made again after each loss
/// (``connect(within:)``). Each transaction is one flight, and costs one round trip.
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
    let text: String
    let parameters: [PostgresValue]

    init(_ text: String, _ parameters: [PostgresValue] = []) {
      self.text = text
      self.parameters = parameters
    }
  }

  let settings: PostgresStoreSettings
  let statements: PostgresStoreStatements
  /// Gives up the current work. From any thread.
  let cancellation: PostgresCancellation
  /// Ends a wait of the connection's thread.
  let wakeUp: WakeUp
  private let role: StoreConnectionChange.Role
  private let onChange: @Sendable (StoreConnectionChange) -> Void
  /// Nil if there is none, or none that can be used.
  private var connection: PostgresConnection?
  /// Whether a loss was reported, so that it is not reported again until the connection is back.
  private var isLost = false

  /// - Parameter onChange: told of each loss and each return once, however often it is tried.
  init(
    _ settings: PostgresStoreSettings,
    for role: StoreConnectionChange.Role,
    _ onChange: @escaping @Sendable (StoreConnectionChange) -> Void
  ) throws(StoreFailure) {
    self.settings = settings
    statements = PostgresStoreStatements(settings: settings)
    self.role = role
    self.onChange = onChange
    do throws(PostgresFailure) {
      cancellation = try PostgresCancellation()
      wakeUp = try WakeUp()
    } catch {
      throw StoreFailure(error, settings.url)
    }
  }

  /// Connects, and makes the tables or brings them up to date if that is needed. A connection for the lease gets the
  /// notifications to this process, and those to all processes.
  ///
  /// - Parameter limit: the longest wait for the connection.
  /// - Throws: the reason why the store cannot be used, in words for the operator.
  func connect(within limit: Duration) throws(StoreFailure) {
    do throws(StoreFailure) {
      try open(within: limit)
    } catch {
      drop(because: error)
      throw error
    }
    if isLost { onChange(StoreConnectionChange(role: role, loss: nil)) }
    isLost = false
  }

  private func open(within limit: Duration) throws(StoreFailure) {
    do throws(PostgresFailure) {
      connection = try PostgresConnection(
        to: settings.url,
        password: settings.password,
        rowBytesMax: settings.rowBytesMax,
        until: .now + limit,
        cancellation
      )
    } catch {
      throw StoreFailure(error, settings.url)
    }
    do throws(Trouble) {
      try prepareTables()
      if role == .lease { try listen() }
    } catch {
      throw failure(error)
    }
  }

  /// Ends the connection.
  ///
  /// - Parameter loss: the reason why it was lost, or cannot be made; nil: the store itself ends it.
  func drop(because loss: StoreFailure? = nil) {
    connection = nil
    guard let loss, !isLost, loss.reason != .closed else { return }
    isLost = true
    onChange(StoreConnectionChange(role: role, loss: loss))
  }

  /// The reason why a transaction was not done, in words for the operator.
  func failure(_ trouble: Trouble) -> StoreFailure {
    switch trouble {
    case .failed(let error): StoreFailure(error, settings.url)
    case .lost(let failure): failure
    }
  }

  var isOpen: Bool { connection != nil }

  /// Whether a transaction can be tried, as far as is known here.
  func isAlive() -> Bool {
    guard let connection else { return false }
    if connection.isAlive() { return true }
    drop(because: StoreFailure(.other, "the server of the store \(settings.url.text) closed the connection"))
    return false
  }

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

  private func begin(within limit: Duration?, locks lockLimit: Duration? = nil) -> [PostgresConnection.Command] {
    func milliseconds(_ time: Duration) -> String { "\(max(1, Int64(time / .milliseconds(1))))" }
    let limit = limit ?? settings.patience
    let locks = lockLimit ?? min(limit, settings.lockPatience)
    return [
      .query("BEGIN ISOLATION LEVEL READ COMMITTED", []),
      .query(Self.limits, [milliseconds(limit), milliseconds(locks)]),
    ]
  }

  private static let limits = """
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
    guard let connection else { throw gone }
    // The server gives up earlier.
    let deadline = ContinuousClock.now + (limit ?? settings.patience) * 1.2
    let error: PostgresError?
    do throws(PostgresConnection.Loss) {
      error = try connection.fly(commands, cancellation, until: deadline, take: take).failure?.error
      if error != nil, connection.isInTransaction {
        _ = try connection.fly([.query("ROLLBACK", [])], cancellation, until: deadline) { _, _ in }
      }
    } catch {
      throw lost(error.failure)
    }
    guard let error else { return }
    throw cancellation.isCancelled ? lost(PostgresFailure(.cancelled, "")) : .failed(error)
  }

  private func lost(_ failure: PostgresFailure) -> Trouble {
    connection = nil
    return .lost(StoreFailure(failure, settings.url))
  }

  /// The earlier transaction was committed, and the connection was lost behind it.
  private var gone: Trouble { .lost(StoreFailure(.other, "the connection to the store \(settings.url.text) is lost")) }

  private func fail(at point: ConnectionInterruption.Point) throws(Trouble) {
    guard settings.interruption.losesConnection(point) else { return }
    connection = nil
    throw .lost(StoreFailure(.other, "a test cut the connection to the store \(settings.url.text)"))
  }

  // MARK: Notifications

  private func listen() throws(Trouble) {
    let channels = [PostgresStoreStatements.channel(of: settings.process), PostgresStoreStatements.channelOfAll]
    try fly(channels.map { .query("LISTEN \($0)", []) })
  }

  /// Waits for a notification or a signal (``wakeUp``).
  func waitForNotification() throws(Trouble) -> PostgresConnection.Waited {
    guard let connection else { throw gone }
    do throws(PostgresConnection.Loss) {
      return try connection.waitForNotification(wakeUp, until: nil)
    } catch {
      throw lost(error.failure)
    }
  }

  // MARK: Tables

  private func prepareTables() throws(Trouble) {
    var (isThere, isReadOnly) = (false, false)
    try fly([.rows(PostgresStoreTables.look, [])]) { _, row in
      if row.isSingleRow { (isThere, isReadOnly) = (row.flag(0, 0), row.flag(0, 1)) }
    }
    if isReadOnly { throw .lost(.readOnly(settings.url)) }
    let edition = isThere ? try readEdition(begin(within: nil), [.query("COMMIT", [])]) : 0
    if edition > PostgresStoreTables.edition {
      let store = "the store \(settings.url.text)"
      throw .lost(
        StoreFailure(
          .newer,
          "a newer formd has made the tables of \(store): run that version, or choose another database"
        )
      )
    }
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
      begin(within: nil, locks: settings.patience) + [
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
}
