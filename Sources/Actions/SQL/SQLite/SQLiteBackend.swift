internal import Forms
internal import FoundationEssentials
internal import GRDB
internal import GRDBSQLite
internal import JSON

/// Statements of a SQLite file.
///
/// Those that only read have connections of their own, so that they wait neither for each other nor for one that writes: SQLite has one
/// writer at a time.
struct SQLiteBackend: SQLBackend {
  /// Statements at once that only read.
  static let readersMax = 4

  let dialect = SQLText.Dialect.sqlite
  let capacity = SQLCapacity.readers(readersMax)
  private let connections: SQLiteConnections

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
    do {
      return try await connections.withConnection { connection in
        if readsOnly {
          try await connection.read { try Self.rows(of: statement.source, parameters, in: $0) }
        } else {
          try await connection.write { try Self.rows(of: statement.source, parameters, in: $0) }
        }
      }
    } catch {
      throw SQLFailure(sqlite: error)
    }
  }

  func close() { connections.close() }

  private static func rows(of query: String, _ parameters: JSONObject, in database: Database) throws -> [JSON] {
    let statement = try database.makeStatement(sql: query)
    try statement.setArguments(arguments(parameters))
    var answer = AnswerRows()
    let cursor = try Row.fetchCursor(statement)
    while let row = try cursor.next() {
      // Judged where SQLite has it, before anything is copied.
      var bytes = 0
      for column in 0..<CInt(row.count) {
        // Asking a number for its bytes would make a text of it.
        let type = sqlite3_column_type(statement.sqliteStatement, column)
        guard type == SQLITE_TEXT || type == SQLITE_BLOB else { continue }
        bytes += Int(sqlite3_column_bytes(statement.sqliteStatement, column))
      }
      try answer.admit(bytes: bytes)
      var members = JSONObject()
      for (name, value) in row { members[name] = JSON(value) }
      answer.append(members)
    }
    return answer.rows
  }

  /// Named parameters: texts, numbers, truth values (0 and 1) and null as they are, arrays and objects as JSON text.
  private static func arguments(_ parameters: JSONObject) throws -> StatementArguments {
    var values: [String: (any DatabaseValueConvertible)?] = [:]
    for member in parameters {
      let value: (any DatabaseValueConvertible)? =
        switch member.value {
        case .null: nil
        case .bool(let flag): flag
        case .integer(let number): number
        case .real(let number): number
        case .decimal(let number): number.doubleValue
        case .string(let text): text
        case .array, .object: member.value.description
        }
      values.updateValue(value, forKey: member.name)
    }
    return StatementArguments(values)
  }
}

extension JSON {
  /// A column's value; a blob becomes its base64 text.
  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .double(let number): self = number.isFinite ? .real(number) : .null
    case .string(let text): self = .string(text)
    case .blob(let data): self = .string(data.base64EncodedString())
    }
  }
}
