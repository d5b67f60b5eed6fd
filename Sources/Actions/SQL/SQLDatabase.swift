internal import FoundationEssentials
internal import GRDB
internal import JSON
internal import NIOCore
internal import Sessions
internal import Synchronization

/// A SQLite database that definitions may query by its name.
///
/// The file is opened at the first query, and again at the next when that failed: a database that is not there yet is a failed
/// effect, not a daemon that does not start.
final class SQLDatabase: Sendable {
  /// Rows of one answer; a form shows fewer.
  static let rowsMax = 1000
  /// Bytes of texts and blobs of one answer, as much as an HTTP body may have.
  static let bytesMax = HTTPServiceConfiguration.bodyBytesMaxDefault

  private let configuration: DatabaseConfiguration
  /// Nil until the first query, and after ``close()``.
  private let queue = Mutex<DatabaseQueue?>(nil)

  /// The database of that configuration; nothing is opened yet.
  init(_ configuration: DatabaseConfiguration) {
    self.configuration = configuration
  }

  /// Runs one statement and finishes the run with its rows; cancelling the run interrupts the statement.
  func perform(_ request: EffectRequest.SQLRequest, run: EffectRun, on eventLoop: any EventLoop) {
    let bound = NIOLoopBound(run, eventLoop: eventLoop)
    let task = Task {
      let response = await answer(request)
      eventLoop.execute { bound.value.finish(response) }
    }
    run.onStop { task.cancel() }
  }

  /// Closes the file; a statement under way ends first.
  func close() {
    let open = queue.withLock { queue in
      defer { queue = nil }
      return queue
    }
    // Fails when a statement is still being used; the process ends anyway.
    try? open?.close()
  }

  private func answer(_ request: EffectRequest.SQLRequest) async -> EffectResponse {
    do {
      let queue = try opened()
      let rows =
        if configuration.isWritable {
          try await queue.write { try Self.rows(of: request, in: $0) }
        } else {
          try await queue.read { try Self.rows(of: request, in: $0) }
        }
      return EffectResponse(kind: .ok, rows: rows)
    } catch is TooLarge {
      return EffectResponse(kind: .tooLarge, reason: "more than \(Self.rowsMax) rows or \(Self.bytesMax) bytes")
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

  private func opened() throws -> DatabaseQueue {
    try queue.withLock { queue in
      if let queue { return queue }
      var settings = Configuration()
      settings.readonly = !configuration.isWritable
      settings.busyMode = .timeout(2)
      settings.publicStatementArguments = false
      settings.prepareDatabase { database in
        database.add(function: .verifyPassword)
        database.add(function: .hashPassword)
      }
      let fresh = try DatabaseQueue(path: configuration.path, configuration: settings)
      queue = fresh
      return fresh
    }
  }

  private struct TooLarge: Error {}

  private struct UnfitStatement: Error {
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

  private static func rows(of request: EffectRequest.SQLRequest, in database: Database) throws -> [JSON] {
    guard statements.contains(firstWord(of: request.query)) else {
      throw UnfitStatement(description: "a form's query is one of \(statements.sorted().joined(separator: ", "))")
    }
    let statement = try database.makeStatement(sql: request.query)
    try statement.setArguments(arguments(request.parameters))
    var rows: [JSON] = []
    var bytes = 0
    let cursor = try Row.fetchCursor(statement)
    while let row = try cursor.next() {
      guard rows.count < rowsMax else { throw TooLarge() }
      var members = JSONObject()
      for (name, value) in row {
        let json = JSON(value)
        if case .string(let text) = json { bytes += text.utf8.count }
        members[name] = json
      }
      guard bytes <= bytesMax else { throw TooLarge() }
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
