internal import CSQLite

/// The memory that all connections of this process take together.
package enum SQLiteMemory {
  /// Limits the memory.
  ///
  /// - Parameters:
  ///   - softBytes: above this number, SQLite gives up pages that it keeps for later.
  ///   - hardBytes: a statement that needs more fails with `SQLITE_NOMEM`.
  package static func limit(softBytes: Int, hardBytes: Int) {
    sqlite3_soft_heap_limit64(sqlite3_int64(softBytes))
    sqlite3_hard_heap_limit64(sqlite3_int64(hardBytes))
  }
}
