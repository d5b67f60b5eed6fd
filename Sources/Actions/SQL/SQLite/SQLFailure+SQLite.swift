internal import GRDB

extension SQLFailure {
  /// What went wrong when a statement was run in a SQLite file.
  init(sqlite error: any Error) {
    switch error {
    case let failure as SQLFailure: self = failure
    case is CancellationError: self = .cancelled
    case let error as DatabaseError where [.SQLITE_TOOBIG, .SQLITE_NOMEM].contains(error.resultCode):
      self = .tooLarge("a value of more than \(SQLiteConnections.valueBytesMax) bytes, or too much memory")
    case let error as DatabaseError:
      self.init(
        sqlState: Self.sqlState(of: error),
        constraint: Self.constraint(of: error),
        // Not `description`: it may quote the arguments, which may be secret.
        reason: "SQLite error \(error.resultCode.rawValue): \(error.message ?? "unknown")"
      )
    default: self.init(reason: "\(error)")
    }
  }

  /// The code of SQLSTATE that says the same; nil where none does.
  private static func sqlState(of error: DatabaseError) -> String? {
    switch error.extendedResultCode {
    case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID: return uniqueViolation
    case .SQLITE_CONSTRAINT_NOTNULL: return "23502"
    case .SQLITE_CONSTRAINT_FOREIGNKEY: return "23503"
    case .SQLITE_CONSTRAINT_CHECK: return "23514"
    default: break
    }
    return switch error.resultCode {
    case .SQLITE_CONSTRAINT: "23000"
    case .SQLITE_READONLY: "25006"
    case .SQLITE_FULL: "53100"
    case .SQLITE_BUSY, .SQLITE_LOCKED: "55P03"
    default: nil
    }
  }

  /// SQLite says what was violated behind a colon: `UNIQUE constraint failed: users.email`.
  private static func constraint(of error: DatabaseError) -> String? {
    guard error.resultCode == .SQLITE_CONSTRAINT, let message = error.message,
      let separator = message.firstRange(of: "constraint failed: ")
    else { return nil }
    return String(message[separator.upperBound...])
  }
}
