internal import Forms
internal import JSON
internal import SQLite
internal import Texts

/// Statements of a SQLite file.
///
/// Statements that only read have connections of their own. So they wait neither for each other nor for a statement
/// that writes: SQLite has one writer at a time.
struct SQLiteBackend: SQLBackend {
  /// Statements at once that only read.
  static let readersMax = 4

  let dialect = SQLText.Dialect.sqlite
  let capacity = SQLCapacity.readers(readersMax)
  private let connections: SQLiteConnections
  private let threads = StatementThreads(count: readersMax + 1)

  /// The database in that file; nothing is opened yet.
  init(_ configuration: SQLiteConfiguration) {
    connections = SQLiteConnections(configuration)
  }

  func rows(
    of statement: SQLStatement,
    _ parameters: JSONObject,
    readsOnly: Bool,
    until deadline: ContinuousClock.Instant
  ) async throws(SQLFailure) -> [JSON] {
    let cancellation = SQLiteCancellation()
    let values = Self.values(parameters)
    return try await threads.rows { [connections] () throws(SQLFailure) in
      do {
        return try connections.withConnection(readsOnly: readsOnly) { connection in
          let rows = {
            try connection.run(until: cancellation) { try Self.rows(of: statement.source, values, in: connection) }
          }
          // A statement that only reads is a transaction by itself. A statement that writes may answer with rows, too:
          // without a transaction around it, SQLite would keep the change when the rows are refused half-way.
          return readsOnly ? try rows() : try connection.transaction(rows)
        }
      } catch {
        throw SQLFailure(sqlite: error)
      }
    } cancel: {
      cancellation.cancel()
    }
  }

  func close() {
    connections.close()
    threads.close()
  }

  private static func rows(
    of query: String,
    _ parameters: [String: SQLiteValue],
    in connection: SQLiteConnection
  ) throws -> [JSON] {
    let statement = try SQLiteStatement(query, in: connection)
    try statement.bind(parameters)
    let names = statement.columnNames
    var answer = AnswerRows()
    while try statement.step() {
      // Checked at the size that SQLite has, before anything is copied.
      try answer.admit(bytes: names.indices.reduce(0) { $0 + statement.byteCount($1) })
      var members = JSONObject()
      for (column, name) in names.enumerated() { members[name] = JSON(try statement.value(column)) }
      answer.append(members)
    }
    return answer.rows
  }

  /// Named parameters. Booleans are 0 and 1, and arrays and objects are JSON texts.
  private static func values(_ parameters: JSONObject) -> [String: SQLiteValue] {
    var values: [String: SQLiteValue] = [:]
    for member in parameters {
      values[member.name] =
        switch member.value {
        case .null: .null
        case .bool(let flag): .integer(flag ? 1 : 0)
        case .integer(let number): .integer(number)
        case .real(let number): .real(number)
        case .decimal(let number): .real(number.doubleValue)
        case .string(let text): .text(text)
        case .array, .object: .text(member.value.description)
        }
    }
    return values
  }
}

extension JSON {
  /// A column's value; a blob becomes its base64 text.
  fileprivate init(_ value: SQLiteValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = number.isFinite ? .real(number) : .null
    case .text(let text): self = .string(text)
    case .blob(let bytes): self = .string(Base64.encode(bytes))
    }
  }
}
