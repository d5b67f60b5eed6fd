import Actions
import PostgreSQL
import PostgresTesting

/// A database of the shared server, and a performer that knows it as `main` (writable) and `readOnly`.
struct PostgresHarness {
  let server: PostgresServer
  /// The database's name.
  let database: String
  let effects: EffectHarness

  /// Runs a test on a fresh database after running these statements in it.
  static func with(
    _ setup: String = "",
    connections: Int = PostgreSQLConfiguration.connectionsDefault,
    on server: PostgresServer? = nil,
    _ body: (PostgresHarness) async throws -> Void
  ) async throws {
    let server = try server ?? PostgresServer.shared.get()
    let database = try server.makeDatabase()
    if !setup.isEmpty { try server.psql(setup, in: database) }
    let url = try server.url(database)
    let configuration = ActionsConfiguration(databases: [
      "main": .postgreSQL(PostgreSQLConfiguration(url: url, connections: connections, isWritable: true)),
      "readOnly": .postgreSQL(PostgreSQLConfiguration(url: url, connections: connections)),
    ])
    try await EffectHarness.with(configuration) { effects in
      try await body(PostgresHarness(server: server, database: database, effects: effects))
    }
    // The database takes seven megabytes. If a backend ends slowly, they stay until the server's folder is removed.
    _ = try? server.psql("DROP DATABASE \(database) WITH (FORCE)", in: "postgres")
  }

  /// Runs statements as a separate client.
  @discardableResult
  func psql(_ statements: String) throws -> String { try server.psql(statements, in: database) }
}
