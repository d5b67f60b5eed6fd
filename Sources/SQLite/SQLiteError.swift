internal import CSQLite

/// Why SQLite does not do what it was asked to. The error never holds a value that was bound to a statement.
package struct SQLiteError: Error, Equatable, CustomStringConvertible {
  /// The extended result code, such as `SQLITE_CONSTRAINT_UNIQUE`.
  package let extendedCode: CInt
  /// The reason in words, without the code.
  package let message: String

  /// The primary result code, such as `SQLITE_CONSTRAINT`.
  package var code: CInt { extendedCode & 0xff }

  package var description: String { "SQLite error \(code): \(message)" }

  /// An error with that code. Without a message, it has SQLite's general words for the code.
  package init(_ code: CInt, _ message: String? = nil) {
    extendedCode = code
    self.message = message ?? String(cString: sqlite3_errstr(code))
  }
}
