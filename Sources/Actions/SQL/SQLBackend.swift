internal import Forms
internal import JSON

/// The runner of the statements of a database: for SQLite or for PostgreSQL. ``SQLDatabase`` has everything that both
/// have in common.
///
/// Both runners keep these rules, so that a form does not see which one it has:
/// - A statement is a transaction of its own.
/// - A statement that only reads cannot change the database.
/// - Parameters are bound and never pasted in.
/// - An answer is bounded by ``AnswerRows``.
/// - A failure has a code of SQLSTATE.
protocol SQLBackend: Sendable {
  /// The rules by which its statements are read.
  var dialect: SQLText.Dialect { get }
  /// How many statements it runs at once.
  var capacity: SQLCapacity { get }

  /// Runs one statement and returns its rows, an object each. When the task is cancelled, the statement is cancelled.
  ///
  /// - Parameters:
  ///   - readsOnly: whether it must not change anything.
  ///   - deadline: the time after which the rows are not wanted any more.
  /// - Throws: the reason why there are no rows. The statement's changes are undone then, unless the kind is `gone` or
  ///   `timeout`: then that is unknown.
  func rows(
    of statement: SQLStatement,
    _ parameters: JSONObject,
    readsOnly: Bool,
    until deadline: ContinuousClock.Instant
  ) async throws(SQLFailure) -> [JSON]

  /// Closes connections that are not lent; does not wait.
  func close()
}

/// How many statements a database runs at once.
enum SQLCapacity {
  /// So many that read, and one that writes beside them.
  case readers(Int)
  /// So many of any kind.
  case shared(Int)
}
