internal import FoundationEssentials
internal import GRDB
internal import GRDBSQLite
internal import JSON
internal import NIOCore
internal import Sessions

/// A SQLite database that definitions may query by its name.
///
/// The file is opened at the first query: a database that is not there yet is a failed effect, not a daemon that does not start. Queries
/// that only read have connections of their own, so that they wait neither for each other nor for one that writes.
final class SQLDatabase: Sendable {
  /// Rows of one answer; a form shows fewer.
  static let rowsMax = 1000
  /// Bytes of texts and blobs of one answer, as much as an HTTP body may have.
  static let bytesMax = HTTPServiceConfiguration.bodyBytesMaxDefault
  /// Queries at once that only read.
  static let readersMax = 4

  private let configuration: DatabaseConfiguration
  private let connections: SQLConnections
  private let reading: EffectGate
  /// SQLite has one writer at a time.
  private let writing: EffectGate

  /// The database of that name and configuration; nothing is opened yet.
  init(_ configuration: DatabaseConfiguration, named name: String) {
    self.configuration = configuration
    connections = SQLConnections(configuration)
    reading = EffectGate(to: "database \(name)", runningMax: Self.readersMax)
    writing = EffectGate(to: "database \(name)", runningMax: 1)
  }

  /// Runs one statement when it is the client's turn, and finishes the run with its rows; cancelling the run interrupts the statement.
  func perform(
    _ request: EffectRequest.SQLRequest,
    run: EffectRun,
    for client: Int,
    on eventLoop: any EventLoop
  ) {
    let onlyReads = !configuration.isWritable || Self.onlyReads(request.query)
    (onlyReads ? reading : writing).enter(run, for: client, on: eventLoop) { [self] leave in
      let bound = NIOLoopBound(run, eventLoop: eventLoop)
      let task = Task {
        let response = await answer(request, onlyReads: onlyReads)
        leave()
        eventLoop.execute { bound.value.finish(response) }
      }
      run.onStop { task.cancel() }
    }
  }

  /// Lets the file go; nothing is waited for.
  func close() {
    connections.close()
  }

  private func answer(_ request: EffectRequest.SQLRequest, onlyReads: Bool) async -> EffectResponse {
    do {
      let rows = try await connections.withConnection { connection in
        if onlyReads {
          try await connection.read { try Self.rows(of: request, in: $0) }
        } else {
          try await connection.write { try Self.rows(of: request, in: $0) }
        }
      }
      return EffectResponse(kind: .ok, rows: rows)
    } catch is TooLarge {
      return EffectResponse(kind: .tooLarge, reason: "more than \(Self.rowsMax) rows or \(Self.bytesMax) bytes")
    } catch let error as DatabaseError where [.SQLITE_TOOBIG, .SQLITE_NOMEM].contains(error.resultCode) {
      return EffectResponse(
        kind: .tooLarge,
        reason: "a value of more than \(SQLConnections.valueBytesMax) bytes, or too much memory"
      )
    } catch let error as DatabaseError {
      // Not `description`: it may quote the arguments, which may be secret.
      return .error("SQLite error \(error.resultCode.rawValue): \(error.message ?? "unknown")")
    } catch let error as UnfitStatement {
      return .error(error.description)
    } catch is CancellationError {
      return .error("cancelled")
    } catch {
      return .error("\(error)")
    }
  }

  private struct TooLarge: Error {}

  private struct UnfitStatement: Error, CustomStringConvertible {
    var description: String
  }

  /// A definition may read and change the rows of its database, and nothing else: not reach other files (`ATTACH`, `VACUUM INTO`), not
  /// leave anything on the connection that other sessions share (temporary tables, which would hide real ones; transactions;
  /// `PRAGMA`).
  private static let statements: Set<String> = ["SELECT", "VALUES", "WITH", "INSERT", "REPLACE", "UPDATE", "DELETE"]

  /// The first word of a statement, behind white space and comments, in upper case.
  static func firstWord(of sql: String) -> String {
    var rest = Array(sql.utf8)[...]
    while let byte = rest.first {
      if byte == UInt8(ascii: " ") || (9...13).contains(byte) {
        rest.removeFirst()
      } else if rest.starts(with: "--".utf8) {
        rest = rest[(rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex)...]
      } else if rest.starts(with: "/*".utf8) {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest.removeFirst() }
        rest = rest.dropFirst(2)
      } else {
        break
      }
    }
    let isLetter = { (byte: UInt8) in (byte | 0x20) >= UInt8(ascii: "a") && (byte | 0x20) <= UInt8(ascii: "z") }
    return String(decoding: rest.prefix(while: isLetter), as: UTF8.self).uppercased()
  }

  /// Whether a statement certainly changes nothing: it begins with no word that changes something, and behind a `WITH` there is none
  /// anywhere. (A connection that reads refuses what changes something all the same.)
  static func onlyReads(_ sql: String) -> Bool {
    switch firstWord(of: sql) {
    case "SELECT", "VALUES": true
    case "WITH":
      !sql.uppercased().split { !$0.isLetter }.contains { ["INSERT", "REPLACE", "UPDATE", "DELETE"].contains($0) }
    default: false
    }
  }

  /// Throws what to say of a statement that a definition may not run.
  static func refuseOtherStatements(than query: String) throws {
    guard statements.contains(firstWord(of: query)) else {
      throw UnfitStatement(description: "a form's query is one of \(statements.sorted().joined(separator: ", "))")
    }
  }

  private static func rows(of request: EffectRequest.SQLRequest, in database: Database) throws -> [JSON] {
    try refuseOtherStatements(than: request.query)
    let statement = try database.makeStatement(sql: request.query)
    try statement.setArguments(arguments(request.parameters))
    var rows: [JSON] = []
    var bytes = 0
    let cursor = try Row.fetchCursor(statement)
    while let row = try cursor.next() {
      // Judged where SQLite has it, before anything is copied.
      for column in 0..<CInt(row.count) {
        // Asking a number for its bytes would make a text of it.
        let type = sqlite3_column_type(statement.sqliteStatement, column)
        guard type == SQLITE_TEXT || type == SQLITE_BLOB else { continue }
        bytes += Int(sqlite3_column_bytes(statement.sqliteStatement, column))
      }
      guard rows.count < rowsMax, bytes <= bytesMax else { throw TooLarge() }
      var members = JSONObject()
      for (name, value) in row { members[name] = JSON(value) }
      rows.append(.object(members))
    }
    return rows
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
