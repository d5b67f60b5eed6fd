internal import Forms
internal import JSON
internal import PostgreSQL
internal import SQLite

/// Finds faults in the queries of forms before a query is run. The database prepares each query, and does nothing else.
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

  /// The fault of a query as a sentence; nil if no fault was found. The call may wait for the database, so it must not
  /// be made on an event loop.
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
      return "this query changes the database \"\(database)\", but the configuration does not make it \"writable\""
    } catch {
      return "the database \"\(database)\" does not accept this query: \(error.reason)"
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
  /// - Throws: the fault of the query.
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
      let fault: SQLFailure?
      do throws(PostgresSession.Trouble) { fault = try session.fault(of: job) } catch { fault = error.failure }
      if let fault { throw fault }
      return !statement.onlyReads
    }
  }
}
