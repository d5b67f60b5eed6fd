/// An error that a server reports.
package struct PostgresError: Sendable {
  /// SQLSTATE (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
  package let sqlState: String
  /// Whether the connection ends with it.
  package let isFatal: Bool
  /// In the server's words and language. It may quote values.
  package let message: String
  /// The violated constraint, or its column if the constraint has no name (`NOT NULL`).
  package let constraint: String?
  /// The table that it is about.
  package let table: String?
  /// The column that it is about.
  package let column: String?
  /// The position in the statement, in the server's words. It may quote values.
  package let context: String?

  /// Reads the error of a result; an error of libpq itself has no code.
  init(_ result: PostgresResult) {
    // The letters of the protocol: https://www.postgresql.org/docs/current/protocol-error-fields.html
    sqlState = result.errorField("C") ?? ""
    isFatal = ["FATAL", "PANIC"].contains(result.errorField("V") ?? result.errorField("S") ?? "")
    message = result.errorField("M") ?? result.errorMessage
    (table, column) = (result.errorField("t"), result.errorField("c"))
    constraint = result.errorField("n") ?? (sqlState == Self.notNullViolation ? column : nil)
    context = result.errorField("W")
  }

  /// SQLSTATE of a missing value that must be there.
  package static let notNullViolation = "23502"
  /// SQLSTATE of a statement that was ended before its end.
  package static let queryCanceled = "57014"
  /// SQLSTATE of a statement that has waited too long for a lock.
  package static let lockNotAvailable = "55P03"
  private static let readOnlyTransaction = "25006"

  /// Whether the statement was ended before its end: by its time limit, or by a request.
  package var isCancellation: Bool { sqlState == Self.queryCanceled }
  /// Whether the statement has waited too long for a lock.
  package var isLockTimeout: Bool { sqlState == Self.lockNotAvailable }
  /// Whether the statement changes something, but must not.
  package var isWriteRefused: Bool { sqlState == Self.readOnlyTransaction }
}
