internal import GRDB
internal import GRDBSQLite

/// A prepared statement of a store: numbers and bytes go in and come out without being copied on the way.
///
/// It is used on the store's thread alone, within its connection's turn, and does not outlive its ``StoreTables``.
struct StoreStatement {
  private let statement: Statement
  private let handle: OpaquePointer

  init(_ sql: String, _ database: Database) throws {
    statement = try database.makeStatement(sql: sql)
    guard let handle = statement.sqliteStatement as OpaquePointer? else {
      throw DatabaseError(resultCode: .SQLITE_MISUSE)
    }
    self.handle = handle
  }

  /// Binds a number; parameters count from 1.
  func bind(_ number: Int64, at index: CInt) { sqlite3_bind_int64(handle, index, number) }

  /// Binds an identity; SQLite copies it.
  func bind(_ id: StoredSessionID, at index: CInt) {
    id.withBytes { _ = sqlite3_bind_blob64(handle, index, $0.baseAddress, sqlite3_uint64($0.count), Self.isCopied) }
  }

  /// Binds bytes, which must stay where they are until the statement has run.
  func bind(_ bytes: UnsafeRawBufferPointer, at index: CInt) {
    if bytes.isEmpty {
      sqlite3_bind_zeroblob(handle, index, 0)
    } else {
      sqlite3_bind_blob64(handle, index, bytes.baseAddress, sqlite3_uint64(bytes.count), nil)
    }
  }

  /// Binds a text; SQLite copies it.
  func bind(_ text: String, at index: CInt) {
    var text = text
    text.withUTF8 { bytes in
      // Not the null pointer, which SQLite reads as NULL.
      bytes.withMemoryRebound(to: CChar.self) { characters in
        _ = sqlite3_bind_text(handle, index, characters.baseAddress, CInt(characters.count), Self.isCopied)
      }
    }
  }

  /// SQLITE_TRANSIENT, which is a cast that Swift does not import.
  private static var isCopied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  /// Takes one step. Returns whether there is a row.
  ///
  /// - Throws: what SQLite says; the statement is ready to be bound again then.
  func step() throws(StepFailure) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let message = sqlite3_db_handle(handle).flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "unknown"
      sqlite3_reset(handle)
      throw StepFailure(code: code, message: message)
    }
  }

  /// Runs it to its end, for what it does.
  func run() throws(StepFailure) {
    while try step() {}
    reset()
  }

  /// Ready to be bound again.
  func reset() { sqlite3_reset(handle) }

  /// A number of the row; columns count from 0.
  func number(_ column: CInt) -> Int64 { sqlite3_column_int64(handle, column) }

  /// The bytes of the row.
  func bytes(_ column: CInt) -> [UInt8] {
    // Asked in this order, as SQLite wants it.
    let start = sqlite3_column_blob(handle, column)
    let count = Int(sqlite3_column_bytes(handle, column))
    return Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// A text of the row.
  func text(_ column: CInt) -> String { String(decoding: bytes(column), as: UTF8.self) }
}

/// What SQLite says when a step fails.
struct StepFailure: Error {
  let code: CInt
  let message: String
}
