internal import CSQLite

/// A prepared statement. It holds its connection, and belongs to the same thread.
///
/// A statement is bound, then stepped through its rows, then reset. Parameters count from 1 and columns from 0. Methods
/// return copies, which stay valid.
package final class SQLiteStatement {
  private let connection: SQLiteConnection
  /// A prepared statement of ``connection``. `deinit` alone finalizes it.
  private let handle: OpaquePointer

  /// Prepares the one statement of a text. Blanks, comments and `;` may follow it.
  ///
  /// - Throws: an error when the text is not one statement.
  package init(_ text: String, in connection: SQLiteConnection) throws(SQLiteError) {
    // SQLite would not read on behind it.
    if text.utf8.contains(0) { throw SQLiteError(SQLITE_ERROR, "the statement has the character U+0000") }
    var isAlone = true
    var prepared: OpaquePointer?
    let code = text.withCString { text in
      var rest: UnsafePointer<CChar>? = text
      let code = sqlite3_prepare_v3(connection.handle, text, -1, 0, &prepared, &rest)
      if code == SQLITE_OK { isAlone = Self.isNothing(rest, connection) }
      return code
    }
    try connection.check(code)
    guard let prepared else { throw SQLiteError(SQLITE_ERROR, "there is no statement") }
    self.connection = connection
    handle = prepared
    if !isAlone { throw SQLiteError(SQLITE_MISUSE, "there may be only one statement") }
  }

  deinit { sqlite3_finalize(handle) }

  /// Whether a text has no statement, not even a wrong one.
  private static func isNothing(_ text: UnsafePointer<CChar>?, _ connection: SQLiteConnection) -> Bool {
    var rest = text
    while let text = rest, text.pointee != 0 {
      var statement: OpaquePointer?
      let code = sqlite3_prepare_v3(connection.handle, text, -1, 0, &statement, &rest)
      sqlite3_finalize(statement)
      if code != SQLITE_OK || statement != nil { return false }
      if rest == text { break }
    }
    return true
  }

  /// Whether the statement itself changes nothing in the file. A function that it calls could.
  package var onlyReads: Bool { sqlite3_stmt_readonly(handle) != 0 }

  // MARK: Parameters

  /// Binds a number.
  package func bind(_ number: Int64, at index: Int) throws(SQLiteError) {
    try connection.check(sqlite3_bind_int64(handle, CInt(index), number))
  }

  /// Binds a text.
  package func bind(_ text: String, at index: Int) throws(SQLiteError) {
    let code = text.withUTF8Pointer {
      sqlite3_bind_text64(handle, CInt(index), $0, sqlite3_uint64($1), csqlite_transient(), UInt8(SQLITE_UTF8))
    }
    try connection.check(code)
  }

  /// Binds a copy of bytes.
  package func bind(_ bytes: UnsafeRawBufferPointer, at index: Int) throws(SQLiteError) {
    try bind(bytes, at: index, csqlite_transient())
  }

  /// Binds a value of any type.
  package func bind(_ value: SQLiteValue, at index: Int) throws(SQLiteError) {
    switch value {
    case .null: try connection.check(sqlite3_bind_null(handle, CInt(index)))
    case .integer(let number): try bind(number, at: index)
    case .real(let number): try connection.check(sqlite3_bind_double(handle, CInt(index), number))
    case .text(let text): try bind(text, at: index)
    case .blob(let bytes):
      try bytes.withUnsafeBufferPointer { (bytes) throws(SQLiteError) in
        try bind(UnsafeRawBufferPointer(bytes), at: index)
      }
    }
  }

  /// Binds all parameters by their names, without the `:`, `@` or `$` before them. Other values are not used.
  ///
  /// - Throws: `SQLITE_MISUSE` when a parameter has no value, or no name.
  package func bind(_ values: [String: SQLiteValue]) throws(SQLiteError) {
    for index in 0..<Int(sqlite3_bind_parameter_count(handle)) {
      guard let name = sqlite3_bind_parameter_name(handle, CInt(index + 1)).map({ String(cString: $0) }) else {
        throw SQLiteError(SQLITE_MISUSE, "a parameter has no name")
      }
      guard let value = values[String(name.dropFirst())] else {
        throw SQLiteError(SQLITE_MISUSE, "the parameter \(name) has no value")
      }
      try bind(value, at: index + 1)
    }
  }

  /// - Parameter destructor: nil when the bytes do not move until they are unbound.
  private func bind(
    _ bytes: UnsafeRawBufferPointer,
    at index: Int,
    _ destructor: sqlite3_destructor_type?
  ) throws(SQLiteError) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else {
      // A null pointer would be NULL.
      return try connection.check(sqlite3_bind_zeroblob(handle, CInt(index), 0))
    }
    try connection.check(sqlite3_bind_blob64(handle, CInt(index), start, sqlite3_uint64(bytes.count), destructor))
  }

  // MARK: Running

  /// Goes to the next row. Returns whether there is one.
  ///
  /// - Throws: SQLite's error. The statement is reset then.
  package func step() throws(SQLiteError) -> Bool {
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = connection.error(code)
      sqlite3_reset(handle)
      throw error
    }
  }

  /// Runs the statement to its end, and resets it. Rows are dropped.
  package func run() throws(SQLiteError) {
    while try step() {}
    reset()
  }

  /// Runs the statement to its end with bytes for one of its parameters. The bytes are not copied, and the parameter is
  /// NULL afterwards.
  package func run(with bytes: [UInt8], at index: Int) throws(SQLiteError) {
    try bytes.withUnsafeBufferPointer { (bytes) throws(SQLiteError) in
      try bind(UnsafeRawBufferPointer(bytes), at: index, nil)
      // Run or failed, the statement is reset. So the bytes can be unbound before they go.
      defer { sqlite3_bind_null(handle, CInt(index)) }
      try run()
    }
  }

  /// Ends the run. The statement can be bound and run again. Parameters keep their values.
  package func reset() { sqlite3_reset(handle) }

  // MARK: The row

  /// The names of the columns.
  package var columnNames: [String] {
    (0..<sqlite3_column_count(handle)).map { column in
      sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
    }
  }

  /// The size of a text or a blob; 0 for any other value. Nothing is copied.
  package func byteCount(_ column: Int) -> Int {
    // SQLite would make a text of a number to count its bytes.
    switch sqlite3_column_type(handle, CInt(column)) {
    case SQLITE_TEXT, SQLITE_BLOB: Int(sqlite3_column_bytes(handle, CInt(column)))
    default: 0
    }
  }

  /// A number; 0 for NULL.
  package func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, CInt(column)) }

  /// The bytes of a text or a blob; none for NULL.
  ///
  /// - Throws: `SQLITE_NOMEM` when SQLite has no memory for them.
  package func bytes(_ column: Int) throws(SQLiteError) -> [UInt8] {
    // SQLite wants to be asked in this order.
    let start = sqlite3_column_blob(handle, CInt(column))
    return Array(try bytes(column, from: start))
  }

  /// A text.
  ///
  /// - Throws: `SQLITE_NOMEM` when SQLite has no memory for it in UTF-8.
  package func text(_ column: Int) throws(SQLiteError) -> String {
    // SQLite wants to be asked in this order.
    let start = sqlite3_column_text(handle, CInt(column))
    return String(decoding: try bytes(column, from: start), as: UTF8.self)
  }

  /// A value of whichever type it has.
  ///
  /// - Throws: `SQLITE_NOMEM` when SQLite has no memory for it.
  package func value(_ column: Int) throws(SQLiteError) -> SQLiteValue {
    switch sqlite3_column_type(handle, CInt(column)) {
    case SQLITE_INTEGER: .integer(integer(column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, CInt(column)))
    case SQLITE_TEXT: .text(try text(column))
    case SQLITE_BLOB: .blob(try bytes(column))
    default: .null
    }
  }

  /// The bytes of a column, valid until the next step. SQLite gives a null pointer for none, and when it has no memory.
  private func bytes(_ column: Int, from start: UnsafeRawPointer?) throws(SQLiteError) -> UnsafeRawBufferPointer {
    if start == nil, sqlite3_errcode(connection.handle) == SQLITE_NOMEM { throw SQLiteError(SQLITE_NOMEM) }
    return UnsafeRawBufferPointer(
      start: start,
      count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, CInt(column)))
    )
  }
}
