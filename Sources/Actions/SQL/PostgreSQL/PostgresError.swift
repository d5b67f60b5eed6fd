internal import CPostgres
internal import Sessions

/// What a server says is wrong.
struct PostgresError {
  /// SQLSTATE.
  let sqlState: String
  /// Whether the connection ends with it.
  let isFatal: Bool
  /// In the server's words and language. It may quote values.
  let message: String
  /// What was violated, or its column where it has no name (`NOT NULL`).
  let constraint: String?
  private let table: String?
  private let column: String?
  private let context: String?

  /// Reads the error of a result; libpq's own has no code.
  init(_ result: OpaquePointer) {
    func field(_ code: Unicode.Scalar) -> String? {
      PQresultErrorField(result, CInt(code.value)).map { String(cString: $0) }
    }
    // The letters are those of the protocol: https://www.postgresql.org/docs/current/protocol-error-fields.html
    sqlState = field("C") ?? ""
    isFatal = ["FATAL", "PANIC"].contains(field("V") ?? field("S") ?? "")
    message = field("M") ?? PQresultErrorMessage(result).map { String(cString: $0) } ?? ""
    (table, column) = (field("t"), field("c"))
    constraint = field("n") ?? (sqlState == Self.notNullViolation ? field("c") : nil)
    context = field("W")
  }

  private static let notNullViolation = "23502"
  private static let queryCanceled = "57014"
  private static let readOnlyTransaction = "25006"

  /// Whether the statement was ended before its end: by its time, or by somebody.
  var isCancellation: Bool { sqlState == Self.queryCanceled }
  /// Whether the statement changes something, and must not.
  var isWriteRefused: Bool { sqlState == Self.readOnlyTransaction }

  /// Whether another plan could do better than the one that was prepared some time ago: it is gone (a pooler, `DISCARD`), or tables and types
  /// have changed since.
  var mayBeOfOldPlan: Bool {
    switch sqlState.prefix(2) {
    // No such statement; "cached plan must not change result type"; names and types that do not fit.
    case "26", "0A", "42": true
    // A text is no value of the type that a parameter had.
    case "22": sqlState == "22P02" || sqlState == "22007"
    default: false
    }
  }

  /// The position of the parameter whose value is none of its type, from 0: "unnamed portal with parameter $1 = …".
  var parameter: Int? {
    guard sqlState.hasPrefix("22"), let context, let sign = context.firstIndex(of: "$") else { return nil }
    let before = context[..<sign]
    // Statements of functions stand in contexts, too, in quotes.
    guard !before.contains("\""), !before.contains("\n"),
      let number = Int(context[sign...].dropFirst().prefix(while: \.isNumber))
    else { return nil }
    return number - 1
  }

  /// What failed, without the server's words: those may quote values of parameters.
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

  /// What failed, in the server's words: only before a value was sent to it, or when it ends the connection.
  ///
  /// - Parameter names: those of the parameters, which the server knows by number.
  func failure(naming names: [String]) -> SQLFailure {
    var text = message
    for (index, name) in names.enumerated().reversed() { text = text.replacing("$\(index + 1)", with: ":\(name)") }
    return SQLFailure(sqlState: sqlState.isEmpty ? nil : sqlState, reason: "SQLSTATE \(sqlState): \(text)")
  }

  /// What the codes say that forms meet (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
  private static let meanings = [
    "22001": "a text is too long for its column", "22003": "a number is out of range",
    "22007": "that is no date or time",
    "22008": "a date or time is out of range", "22012": "division by zero", "22023": "a parameter's value is none",
    "22021": "a character that the database's encoding lacks", "22P02": "a text is no value of its type",
    "22P05": "a character that the database's encoding lacks", "23001": "something refers to the row",
    notNullViolation: "a value must be there",
    "23503": "the row that is referred to is not there, or one refers to this",
    SQLFailure.uniqueViolation: "a value must be unique and is there already", "23514": "a check fails",
    "23P01": "an exclusion is violated", "25006": "a statement that changes something may only read",
    "40001": "another transaction was in the way", "40P01": "a deadlock", "42501": "the role may not do that",
    "53100": "the disk is full", "53200": "out of memory", "55P03": "a lock could not be had",
    queryCanceled: "the statement was cancelled", "57P01": "the server is shutting down, or the connection was ended",
    "P0001": "a function raised an error",
  ]
}
