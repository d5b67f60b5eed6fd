internal import Sessions

/// The reason why a statement has no rows.
struct SQLFailure: Error {
  /// The kind that formulas see.
  var kind = EffectResponse.Kind.error
  /// The database's code; for kind `error` only. SQLite's errors get the codes of equal meaning.
  var sqlState: String?
  /// The violated constraint, by the database's name for it.
  var constraint: String?
  /// For the log: never a parameter's value, never a password.
  var reason: String

  /// The statement answers with more than an answer may hold.
  static func tooLarge(_ what: String) -> SQLFailure { SQLFailure(kind: .tooLarge, reason: what) }

  /// The statement is not wanted any more.
  static let cancelled = SQLFailure(reason: "cancelled")

  /// SQLSTATE of a value that must be unique but is there already.
  static let uniqueViolation = "23505"
}

extension EffectResponse {
  /// The failure that formulas see.
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
