internal import GRDB
internal import GRDBSQLite
internal import JSON
internal import Synchronization

/// Open connections to one SQLite file, each lent to one statement at a time. As many are opened as are wanted at once.
///
/// A connection goes on reading a file that another was renamed over. So whoever borrows one gets it to the file that the path names now,
/// and one on which a statement failed is not lent again.
final class SQLiteConnections: Sendable {
  /// Bytes of one text, blob or row that SQLite handles: far above what an answer may have, since a row counts with the columns that
  /// nobody asked for.
  static let valueBytesMax = 16 << 20
  /// Bytes that all of SQLite takes in this process. Beyond the first it gives up pages that it keeps for later, beyond the second a
  /// statement fails.
  static let memorySoftBytesMax = 32 << 20
  static let memoryBytesMax = 128 << 20

  private struct Pool {
    /// What the path named when ``free`` were opened.
    var file: FileIdentity?
    var free: [DatabaseQueue] = []
    var isClosed = false
  }

  private let configuration: SQLiteConfiguration
  private let pool = Mutex(Pool())

  /// Connections to that database; nothing is opened yet.
  init(_ configuration: SQLiteConfiguration) {
    self.configuration = configuration
    sqlite3_soft_heap_limit64(sqlite3_int64(Self.memorySoftBytesMax))
    sqlite3_hard_heap_limit64(sqlite3_int64(Self.memoryBytesMax))
  }

  /// What `body` makes with a connection that nobody else has meanwhile.
  ///
  /// - Throws: what opening the file or `body` throws.
  func withConnection<Value: Sendable>(_ body: (DatabaseQueue) async throws -> Value) async throws -> Value {
    // Asked before it is opened: a file that takes its place in between is seen the next time.
    let file = FileIdentity(path: configuration.path)
    let free = pool.withLock { pool -> DatabaseQueue? in
      if pool.file != file {
        pool.file = file
        pool.free = []
      }
      return pool.free.popLast()
    }
    let connection = try free ?? opened()
    let value = try await body(connection)
    pool.withLock { pool in
      if pool.file == file, !pool.isClosed { pool.free.append(connection) }
    }
    return value
  }

  /// Closes what is not lent; what is lent is closed when it comes back.
  func close() {
    pool.withLock { pool in
      pool.isClosed = true
      pool.free = []
    }
  }

  private func opened() throws -> DatabaseQueue {
    // As long as an effect has by default: one that writes waits for those that read, where the file is not in WAL mode.
    try configuration.opened(readonly: !configuration.isWritable, waiting: 10)
  }
}

extension SQLiteConfiguration {
  /// A connection to the file, with the functions that queries have.
  ///
  /// - Parameter seconds: how long a statement waits for the locks of others.
  /// - Throws: what SQLite says when there is no such file, or it is no database.
  func opened(readonly: Bool, waiting seconds: Double) throws -> DatabaseQueue {
    var settings = Configuration()
    settings.readonly = readonly
    settings.busyMode = .timeout(seconds)
    settings.publicStatementArguments = false
    settings.prepareDatabase { database in
      sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_LENGTH, CInt(SQLiteConnections.valueBytesMax))
      database.add(function: .verifyPassword)
      database.add(function: .hashPassword)
    }
    return try DatabaseQueue(path: path, configuration: settings)
  }
}
