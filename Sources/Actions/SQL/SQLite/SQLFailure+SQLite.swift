internal import CSQLite
internal import SQLite

extension SQLFailure {
  /// The failure of a statement that was run in a SQLite file.
  init(sqlite error: any Error) {
    switch error {
    case let failure as SQLFailure: self = failure
    case let error as SQLiteError: self.init(error)
    default: self.init(reason: "\(error)")
    }
  }

  private init(_ error: SQLiteError) {
    switch error.code {
    case SQLITE_INTERRUPT: self = .cancelled
    case SQLITE_TOOBIG, SQLITE_NOMEM:
      self = .tooLarge("a value of more than \(SQLiteConnections.valueBytesMax) bytes, or too much memory")
    default:
      self.init(
        sqlState: Self.sqlState(of: error),
        constraint: Self.constraint(of: error),
        reason: error.description
      )
    }
  }

  /// The code of SQLSTATE with this meaning; nil without one.
  private static func sqlState(of error: SQLiteError) -> String? {
    switch error.extendedCode {
    case CSQLITE_CONSTRAINT_UNIQUE, CSQLITE_CONSTRAINT_PRIMARYKEY, CSQLITE_CONSTRAINT_ROWID: return uniqueViolation
    case CSQLITE_CONSTRAINT_NOTNULL: return "23502"
    case CSQLITE_CONSTRAINT_FOREIGNKEY: return "23503"
    case CSQLITE_CONSTRAINT_CHECK: return "23514"
    default: break
    }
    return switch error.code {
    case SQLITE_CONSTRAINT: "23000"
    case SQLITE_READONLY: "25006"
    case SQLITE_FULL: "53100"
    case SQLITE_BUSY, SQLITE_LOCKED: "55P03"
    default: nil
    }
  }

  /// SQLite names the violated constraint after a colon: `UNIQUE constraint failed: users.email`.
  private static func constraint(of error: SQLiteError) -> String? {
    guard error.code == SQLITE_CONSTRAINT, let separator = error.message.firstRange(of: "constraint failed: ")
    else { return nil }
    return String(error.message[separator.upperBound...])
  }
}
