internal import CSQLite

/// An open SQLite file.
///
/// A connection belongs to one thread at a time: SQLite takes no lock of its own (`SQLITE_OPEN_NOMUTEX`).
///
/// The file is closed when the connection and its last ``SQLiteStatement`` are released. Each statement holds its
/// connection, so no statement can outlive it.
///
/// "x" in double quotes names a column. SQLite's habit of reading an unknown name as a text is off.
package final class SQLiteConnection {
  /// The ways in which a connection may use its file.
  package enum Access: Sendable {
    /// It reads a file that is there.
    case reading
    /// It reads and writes a file that is there.
    case writing
    /// It reads and writes a file, and makes the file if there is none.
    case creating
  }

  /// An open connection. `deinit` alone closes it.
  let handle: OpaquePointer
  /// Called by SQLite through the pointer that ``onLogGrowth(_:)`` gave it.
  private var logGrowth: ((Int) -> Void)?

  /// Opens a file. SQLite reads it at the first statement, so a file of another kind is not noticed here.
  ///
  /// - Parameters:
  ///   - busyTimeout: how long a statement waits for the locks of other connections.
  ///   - valueBytesMax: the size of the largest text, blob or row. Larger ones fail with `SQLITE_TOOBIG`.
  /// - Throws: an error when the file is missing, or may not be opened.
  package init(
    path: String,
    _ access: Access,
    busyTimeout: Duration = .zero,
    valueBytesMax: Int? = nil
  ) throws(SQLiteError) {
    let flags =
      switch access {
      case .reading: SQLITE_OPEN_READONLY
      case .writing: SQLITE_OPEN_READWRITE
      case .creating: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let opened else { throw SQLiteError(SQLITE_NOMEM) }
    // A connection that could not be opened has to be closed, too: from here on `deinit` does that.
    handle = opened
    try check(code)
    csqlite_refuse_double_quoted_texts(handle)
    if let valueBytesMax { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, CInt(valueBytesMax)) }
    if busyTimeout > .zero { sqlite3_busy_timeout(handle, CInt(busyTimeout / .milliseconds(1))) }
  }

  deinit { sqlite3_close_v2(handle) }

  // MARK: Statements

  /// Runs the statements of a text. Rows are dropped.
  ///
  /// - Throws: the first error. The statements behind it are not run.
  package func run(_ statements: String) throws(SQLiteError) {
    try check(sqlite3_exec(handle, statements, nil, nil, nil))
  }

  /// The first value of a statement's first row; nil without a row.
  package func firstValue(of statement: String) throws(SQLiteError) -> SQLiteValue? {
    let statement = try SQLiteStatement(statement, in: self)
    return try statement.step() ? try statement.value(0) : nil
  }

  /// Runs `body` in one transaction that writes (`BEGIN IMMEDIATE`), and commits it.
  ///
  /// - Throws: the error of `body` or of the commit. The transaction is rolled back.
  package func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try run("BEGIN IMMEDIATE")
    do {
      let value = try body()
      try run("COMMIT")
      return value
    } catch {
      // After some errors SQLite has rolled back by itself.
      if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
      throw error
    }
  }

  /// Runs `body`. From the cancellation on, the statements of `body` fail with `SQLITE_INTERRUPT`. Later statements of
  /// the connection run as usual.
  ///
  /// - Throws: the error of `body`, or `SQLITE_INTERRUPT` before `body` runs if the cancellation was first.
  package func run<Value>(until cancellation: SQLiteCancellation, _ body: () throws -> Value) throws -> Value {
    if cancellation.isCancelled { throw SQLiteError(SQLITE_INTERRUPT) }
    // SQLite has the pointer only as long as `body` runs.
    let context = Unmanaged.passUnretained(cancellation).toOpaque()
    return try withExtendedLifetime(cancellation) {
      sqlite3_progress_handler(handle, Self.stepsBetweenChecks, isCancelled, context)
      defer { sqlite3_progress_handler(handle, 0, nil, nil) }
      return try body()
    }
  }

  /// A statement asks after this number of instructions whether it is cancelled. A row takes about ten instructions,
  /// and 50 ms if it calls a function that hashes a password.
  private static let stepsBetweenChecks: CInt = 16

  // MARK: The log

  /// Calls `body` after each commit in WAL mode with the number of pages in the log. The call comes before the commit
  /// returns, so `body` must not use the connection.
  package func onLogGrowth(_ body: @escaping (Int) -> Void) {
    logGrowth = body
    // The pointer stays valid: SQLite uses it only until the connection is closed.
    sqlite3_wal_hook(
      handle,
      { context, _, _, pages in
        if let context {
          Unmanaged<SQLiteConnection>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.logGrowth?(Int(pages)) }
        }
        return SQLITE_OK
      },
      Unmanaged.passUnretained(self).toOpaque()
    )
  }

  // MARK: Errors

  /// - Throws: the error of a result code that means failure, in the words of the call that was the last.
  func check(_ code: CInt) throws(SQLiteError) {
    if code != SQLITE_OK { throw error(code) }
  }

  /// The error of the call that was the last and has failed.
  func error(_ code: CInt) -> SQLiteError {
    // A call that is a misuse leaves the words of another one.
    SQLiteError(code, code == SQLITE_MISUSE ? nil : String(cString: sqlite3_errmsg(handle)))
  }
}

/// The context is the cancellation of ``SQLiteConnection/run(until:_:)``, which it outlives.
private let isCancelled: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { context in
  guard let context else { return 0 }
  return Unmanaged<SQLiteCancellation>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.isCancelled } ? 1 : 0
}
