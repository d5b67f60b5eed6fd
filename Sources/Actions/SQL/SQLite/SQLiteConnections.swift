internal import Files
internal import JSON
internal import NIOConcurrencyHelpers
internal import SQLite

/// Open connections to one SQLite file, each lent to one statement at a time. As many are opened as are wanted at once.
///
/// A connection goes on reading its file when another file is renamed over it. So a borrower gets a connection to the
/// file that the path names now. A connection on which a statement failed is not lent again.
final class SQLiteConnections: Sendable {
  /// Bytes of one text, blob or row that SQLite handles. An answer may have far fewer, but a row counts with the
  /// columns that the statement does not ask for.
  static let valueBytesMax = 16 << 20
  /// Bytes that all of SQLite takes in this process. Beyond the first number, SQLite gives up pages that it keeps for
  /// later. Beyond the second number, a statement fails.
  static let memorySoftBytesMax = 32 << 20
  static let memoryBytesMax = 128 << 20

  /// A connection that is not lent.
  ///
  /// `@unchecked Sendable`: it is in the pool, or with the one thread that took it out.
  private struct Free: @unchecked Sendable {
    let connection: SQLiteConnection
    /// Whether it refuses to change anything (`PRAGMA query_only`).
    var readsOnly: Bool
  }

  private struct Pool {
    /// The file of the ``free`` connections.
    var file: FileIdentity?
    var free: [Free] = []
    var isClosed = false
  }

  private let configuration: SQLiteConfiguration
  /// Not a `Mutex`: ThreadSanitizer does not see its lock, and so reports a race between two threads that lend a
  /// connection one after the other.
  private let pool = NIOLockedValueBox(Pool())

  /// Connections to that database; nothing is opened yet.
  init(_ configuration: SQLiteConfiguration) {
    self.configuration = configuration
    SQLiteMemory.limit(softBytes: Self.memorySoftBytesMax, hardBytes: Self.memoryBytesMax)
  }

  /// Runs `body` with a connection that is lent to it alone.
  ///
  /// - Parameter readsOnly: whether nothing can be changed in `body`.
  /// - Throws: the error of opening the file, or of `body`.
  func withConnection<Value>(readsOnly: Bool, _ body: (SQLiteConnection) throws -> Value) throws -> Value {
    // Asked before it is opened: a file that takes its place in between is seen the next time.
    let file = FileIdentity(path: configuration.path)
    let free = pool.withLockedValue { pool -> Free? in
      if pool.file != file {
        pool.file = file
        pool.free = []
      }
      return pool.free.popLast()
    }
    var lent = try free ?? opened()
    if lent.readsOnly != readsOnly {
      try lent.connection.run("PRAGMA query_only = \(readsOnly)")
      lent.readsOnly = readsOnly
    }
    let value = try body(lent.connection)
    pool.withLockedValue { [lent] pool in
      if pool.file == file, !pool.isClosed { pool.free.append(lent) }
    }
    return value
  }

  /// Closes the free connections. Lent connections are closed when they come back.
  func close() {
    pool.withLockedValue { pool in
      pool.isClosed = true
      pool.free = []
    }
  }

  private func opened() throws(SQLiteError) -> Free {
    let access = configuration.isWritable ? SQLiteConnection.Access.creating : .reading
    // An effect has 10 s by default. If the file is not in WAL mode, a statement that writes waits for those that read.
    let connection = try configuration.opened(access, busyTimeout: .seconds(10))
    // A file that is opened for reading needs no pragma: it cannot be changed.
    return Free(connection: connection, readsOnly: !configuration.isWritable)
  }
}

extension SQLiteConfiguration {
  /// A connection to the file, with the functions that queries have. It enforces foreign keys, which SQLite does not
  /// do by default.
  ///
  /// - Parameter busyTimeout: how long a statement waits for the locks of others.
  /// - Throws: SQLite's error when the file is missing, or not a database.
  func opened(_ access: SQLiteConnection.Access, busyTimeout: Duration) throws(SQLiteError) -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: path,
      access,
      busyTimeout: busyTimeout,
      valueBytesMax: SQLiteConnections.valueBytesMax
    )
    try connection.run("PRAGMA foreign_keys = ON")
    try connection.addPasswordFunctions()
    // SQLite looks into the file when it is first read.
    _ = try connection.firstValue(of: "SELECT 1 FROM sqlite_schema LIMIT 1")
    return connection
  }
}
