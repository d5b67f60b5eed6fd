internal import Forms
internal import JSON

/// What runs the statements of a database: SQLite's or PostgreSQL's way. ``SQLDatabase`` is all that both have in common.
///
/// Of what both can do the same holds, so that a form does not see which it is: a statement is a transaction of its own, one that only
/// reads is run where nothing can be changed, parameters are bound and never pasted in, an answer is bounded as ``AnswerRows`` says,
/// and what is wrong has a code of SQLSTATE.
protocol SQLBackend: Sendable {
  /// By whose rules its statements are read.
  var dialect: SQLText.Dialect { get }
  /// How many statements it runs at once.
  var capacity: SQLCapacity { get }

  /// Runs one statement and returns its rows, an object each. When the task is cancelled, the statement is.
  ///
  /// - Parameters:
  ///   - readsOnly: whether it must not change anything.
  ///   - deadline: when nobody waits for the rows any more.
  /// - Throws: why there are none. What the statement changed is undone then, unless the kind is `gone` or `timeout`: then nobody knows.
  func rows(
    of statement: SQLStatement,
    _ parameters: JSONObject,
    readsOnly: Bool,
    until deadline: ContinuousClock.Instant
  ) async throws(SQLFailure) -> [JSON]

  /// Lets connections go that nobody has; nothing is waited for.
  func close()
}

/// How many statements a database runs at once.
enum SQLCapacity {
  /// So many that read, and one that writes beside them.
  case readers(Int)
  /// So many, whatever they do.
  case shared(Int)
}
