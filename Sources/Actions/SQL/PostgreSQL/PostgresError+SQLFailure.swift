internal import PostgreSQL
internal import Sessions

extension PostgresError {
  /// Whether a new plan could succeed, because the old one is gone (a pooler, `DISCARD`), or tables and types have
  /// changed since.
  var mayBeOfOldPlan: Bool {
    switch sqlState.prefix(2) {
    // No such statement; "cached plan must not change result type"; names and types that do not fit.
    case "26", "0A", "42": true
    // A text is not a value of the type that a parameter had.
    case "22": sqlState == "22P02" || sqlState == "22007"
    default: false
    }
  }

  /// The position of the parameter with a value that its type does not have, from 0: "unnamed portal with parameter $1
  /// = …".
  var parameter: Int? {
    guard sqlState.hasPrefix("22"), let context, let sign = context.firstIndex(of: "$") else { return nil }
    let before = context[..<sign]
    // Contexts contain statements of functions, too, in quotes.
    guard !before.contains("\""), !before.contains("\n"),
      let number = Int(context[sign...].dropFirst().prefix(while: \.isNumber))
    else { return nil }
    return number - 1
  }

  /// The failure without the server's text, which may quote values of parameters.
  var failure: SQLFailure {
    let names = [
      constraint.map { "constraint \"\($0)\"" }, table.map { "table \"\($0)\"" }, column.map { "column \"\($0)\"" },
    ]
    let about = names.compactMap { $0 }.joined(separator: ", ")
    return SQLFailure(
      sqlState: sqlState,
      constraint: constraint,
      reason: "SQLSTATE \(sqlState)" + (Self.meanings[sqlState].map { ": \($0)" } ?? "")
        + (about.isEmpty ? "" : "; \(about)")
    )
  }

  /// The failure in the server's words: used only before a value was sent to the server, or when the server ends the
  /// connection.
  ///
  /// - Parameter names: the names of the parameters, which the server knows by number.
  func failure(naming names: [String]) -> SQLFailure {
    var text = message
    for (index, name) in names.enumerated().reversed() { text = text.replacing("$\(index + 1)", with: ":\(name)") }
    return SQLFailure(sqlState: sqlState.isEmpty ? nil : sqlState, reason: "SQLSTATE \(sqlState): \(text)")
  }

  /// The meanings of the codes that forms meet (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
  private static let meanings = [
    "22001": "a text is too long for its column", "22003": "a number is out of range",
    "22007": "a text is not a date or time",
    "22008": "a date or time is out of range", "22012": "division by zero", "22023": "a parameter has an invalid value",
    "22021": "the database's encoding lacks a character", "22P02": "a text is not a value of its type",
    "22P05": "the database's encoding lacks a character", "23001": "another row refers to the row",
    PostgresError.notNullViolation: "a required value is missing",
    "23503": "the referenced row does not exist, or another row refers to this row",
    SQLFailure.uniqueViolation: "a value must be unique and exists already", "23514": "a check constraint is violated",
    "23P01": "an exclusion constraint is violated", "25006": "the transaction is read-only",
    "40001": "a conflict with another transaction", "40P01": "a deadlock", "42501": "the role lacks the privilege",
    "53100": "the disk is full", "53200": "out of memory", "55P03": "a lock was not available",
    PostgresError.queryCanceled: "the statement was cancelled",
    "57P01": "the server is shutting down, or the connection was ended",
    "P0001": "a function raised an error",
  ]
}

extension SQLFailure {
  /// A failure of the connection, as formulas see it.
  init(_ failure: PostgresFailure) {
    switch failure.kind {
    case .cancelled: self = .cancelled
    case .tooLarge: self = .tooLarge(failure.reason)
    case .refused: self.init(kind: .refused, reason: failure.reason)
    case .tls: self.init(kind: .tls, reason: failure.reason)
    case .timeout: self.init(kind: .timeout, reason: failure.reason)
    case .gone: self.init(kind: .gone, reason: failure.reason)
    case .error: self.init(sqlState: failure.sqlState, reason: failure.reason)
    }
  }
}

extension PostgresCancellation {
  /// A cancellation for a statement of a form.
  static func forStatement() throws(SQLFailure) -> PostgresCancellation {
    do throws(PostgresFailure) { return try PostgresCancellation() } catch { throw SQLFailure(error) }
  }
}
