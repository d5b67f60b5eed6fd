internal import Sessions

/// Why a statement has no rows.
struct SQLFailure: Error {
  /// As formulas see it.
  var kind = EffectResponse.Kind.error
  /// The database's code; of kind `error` only. SQLite's errors have those of the same meaning.
  var sqlState: String?
  /// What was violated, as the database calls it.
  var constraint: String?
  /// For the log: never a parameter's value, never a password.
  var reason: String

  /// The statement answers with more than an answer may hold.
  static func tooLarge(_ what: String) -> SQLFailure { SQLFailure(kind: .tooLarge, reason: what) }

  /// Nobody waits for the statement any more.
  static let cancelled = SQLFailure(reason: "cancelled")

  /// SQLSTATE of a value that must be unique and is there already.
  static let uniqueViolation = "23505"
}

extension EffectResponse {
  /// What formulas see of a statement that failed.
  init(_ failure: SQLFailure) {
    self.init(
      kind: failure.kind,
      sqlState: failure.kind == .error ? failure.sqlState : nil,
      constraint: failure.constraint.map { String($0.prefix(256)) },
      // `response.reason` has at most 1,024 code points.
      reason: String(String.UnicodeScalarView(failure.reason.unicodeScalars.prefix(1024)))
    )
  }
}
