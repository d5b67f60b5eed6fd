internal import Forms
internal import GRDB
internal import JSON
internal import PostgreSQL

/// Tells what is wrong with the queries of forms, before one is run: each is prepared by its database, as it is now, and nothing else
/// is done there.
package final class QueryCheck {
  private enum Connection {
    case sqlite(DatabaseQueue)
    case postgreSQL(PostgresSession)
  }

  private let databases: [String: DatabaseConfiguration]
  private var connections: [String: Connection] = [:]
  /// Those that cannot be opened: said once.
  private var unopened: Set<String> = []

  /// How long a database is waited for: forms are read before the daemon listens.
  private static let patience = Duration.seconds(2)

  /// A check of queries of those databases; each is opened when it is first needed.
  package init(_ databases: [String: DatabaseConfiguration]) {
    self.databases = databases
  }

  /// What is wrong with a query, as a sentence; nil: nothing that could be found. It may wait for the database, so not on an event loop.
  package func fault(of query: String, in database: String) -> String? {
    guard let configuration = databases[database], !unopened.contains(database) else { return nil }
    let connection: Connection
    do throws(SQLFailure) {
      connection = if let opened = connections[database] { opened } else { try Self.open(configuration) }
    } catch {
      unopened.insert(database)
      return "the database \"\(database)\" cannot be opened: \(error.reason)"
    }
    connections[database] = connection
    do throws(SQLFailure) {
      guard try Self.changes(query, connection), !configuration.isWritable else { return nil }
      return "this query changes the database \"\(database)\", which the configuration does not call \"writable\""
    } catch {
      return "the database \"\(database)\" does not take this query: \(error.reason)"
    }
  }

  private static func open(_ configuration: DatabaseConfiguration) throws(SQLFailure) -> Connection {
    switch configuration {
    case .sqlite(let file):
      do {
        // For the check, nothing has to be written.
        return .sqlite(try file.opened(readonly: true, waiting: 1))
      } catch {
        throw SQLFailure(reason: "\(file.path): \(message(of: error))")
      }
    case .postgreSQL(let server):
      let cancellation = try PostgresCancellation.forStatement()
      return .postgreSQL(try PostgresSession(to: server, until: .now + patience, cancellation))
    }
  }

  /// Whether a query changes something.
  ///
  /// - Throws: what is wrong with it.
  private static func changes(_ query: String, _ connection: Connection) throws(SQLFailure) -> Bool {
    switch connection {
    case .sqlite(let connection):
      _ = try SQLStatement(query, in: .sqlite)
      do {
        return try connection.read { try !$0.makeStatement(sql: query).isReadonly }
      } catch {
        throw SQLFailure(reason: message(of: error))
      }
    case .postgreSQL(let session):
      let statement = try SQLStatement(query, in: .postgreSQL)
      let job = PostgresSession.Job(
        statement: statement,
        parameters: [:],
        readsOnly: true,
        mayWrite: false,
        deadline: .now + patience,
        cancellation: try PostgresCancellation.forStatement()
      )
      let fault: SQLFailure?
      do throws(PostgresSession.Trouble) { fault = try session.fault(of: job) } catch { fault = error.failure }
      if let fault { throw fault }
      return !statement.onlyReads
    }
  }

  private static func message(of error: any Error) -> String {
    guard let error = error as? DatabaseError else { return "\(error)" }
    // GRDB's own words for a text with several statements name its API.
    if error.resultCode == .SQLITE_MISUSE { return "there may be only one statement" }
    return error.message ?? "SQLite error \(error.resultCode.rawValue)"
  }
}
