internal import Forms
internal import JSON
internal import PostgreSQL
internal import SQLite

/// Finds problems in the queries of forms before a query is run. The database prepares each query, and does nothing
/// else.
package final class QueryCheck {
  private enum Connection {
    case sqlite(SQLiteConnection)
    case postgreSQL(PostgresSession)
  }

  private let databases: [String: DatabaseConfiguration]
  private var connections: [String: Connection] = [:]
  /// Databases that cannot be opened: each is reported once.
  private var unopened: Set<String> = []

  /// The longest wait for a database: forms are read before the daemon listens.
  private static let patience = Duration.seconds(2)

  /// A check of queries of those databases; each is opened when it is first needed.
  package init(_ databases: [String: DatabaseConfiguration]) {
    self.databases = databases
  }

  /// What is wrong with a query, as a sentence; nil if nothing was found. The call may wait for the database, so it
  /// must not be made on an event loop.
  package func problem(of query: String, in database: String) -> String? {
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
      return "this query changes the database \"\(database)\", but the configuration does not make it \"writable\""
    } catch {
      if case .postgreSQL(let session) = connection, !session.isAlive() {
        // Each further query would wait as long.
        unopened.insert(database)
        return "the database \"\(database)\" cannot check this query: \(error.reason)"
      }
      return "the database \"\(database)\" does not accept this query: \(error.reason)"
    }
  }

  /// Why a database cannot be opened; nil if it can. The call may wait for the database.
  static func problem(opening configuration: DatabaseConfiguration) -> String? {
    do throws(SQLFailure) {
      _ = try open(configuration)
      return nil
    } catch {
      return error.reason
    }
  }

  private static func open(_ configuration: DatabaseConfiguration) throws(SQLFailure) -> Connection {
    switch configuration {
    case .sqlite(let file):
      do throws(SQLiteError) {
        // For the check, nothing has to be written.
        return .sqlite(try file.opened(.reading, busyTimeout: .seconds(1)))
      } catch {
        throw SQLFailure(reason: "\(file.path): \(error.message)")
      }
    case .postgreSQL(let server):
      let cancellation = try PostgresCancellation.forStatement()
      return .postgreSQL(try PostgresSession(to: server, until: .now + patience, cancellation))
    }
  }

  /// Whether a query changes something.
  ///
  /// - Throws: the problem of the query.
  private static func changes(_ query: String, _ connection: Connection) throws(SQLFailure) -> Bool {
    switch connection {
    case .sqlite(let connection):
      _ = try SQLStatement(query, in: .sqlite)
      do throws(SQLiteError) {
        return try !SQLiteStatement(query, in: connection).onlyReads
      } catch {
        throw SQLFailure(reason: error.message)
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
      let problem: SQLFailure?
      do throws(PostgresSession.Trouble) { problem = try session.problem(of: job) } catch { problem = error.failure }
      if let problem { throw problem }
      return !statement.onlyReads
    }
  }
}
