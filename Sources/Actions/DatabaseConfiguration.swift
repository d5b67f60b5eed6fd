package import PostgreSQL

/// One database: a file of SQLite, or a server of PostgreSQL.
package enum DatabaseConfiguration: Sendable {
  /// A file of SQLite.
  case sqlite(SQLiteConfiguration)
  /// A database on a server of PostgreSQL, or on a pooler, which speaks its protocol.
  case postgreSQL(PostgreSQLConfiguration)

  /// Whether queries may change it.
  package var isWritable: Bool {
    switch self {
    case .sqlite(let file): file.isWritable
    case .postgreSQL(let server): server.isWritable
    }
  }

  /// The database in that file, read-only by default.
  package static func sqlite(path: String, isWritable: Bool = false) -> DatabaseConfiguration {
    .sqlite(SQLiteConfiguration(path: path, isWritable: isWritable))
  }

  /// The largest number of open files that the database needs: connections and their helpers.
  package var openFilesMax: Int {
    switch self {
    // Connections that read and one that writes, each with the file, its log and its index; five for files that are
    // open for a moment.
    case .sqlite: (SQLiteBackend.readersMax + 1) * 3 + 5
    // Each connection, the pipe that wakes it, and the connection that cancels its statement; four files for name
    // resolution.
    case .postgreSQL(let server): server.connections * 4 + 4
    }
  }
}

/// One SQLite database.
package struct SQLiteConfiguration: Sendable {
  /// The file.
  package var path: String
  /// Whether queries may change it.
  package var isWritable: Bool

  /// The database in that file.
  package init(path: String, isWritable: Bool) {
    self.path = path
    self.isWritable = isWritable
  }
}

/// One PostgreSQL database.
package struct PostgreSQLConfiguration: Sendable {
  /// The address of the database, and the user who logs in: a URL as libpq reads them, without a password.
  package var url: PostgresURL
  /// The password; nil: none is needed, or libpq finds one where it looks for them (`~/.pgpass`).
  package var password: PostgresPassword?
  /// Connections to it at most, and so statements at once; half of them at most for one client.
  package var connections: Int
  /// Whether queries may change it.
  package var isWritable: Bool

  /// Connections to one database, unless the configuration says otherwise: as many statements of PostgreSQL as a small
  /// server runs at once.
  package static let connectionsDefault = 4
  /// The number of connections that PostgreSQL has by default for all of its clients.
  package static let connectionsMax = 100

  package init(
    url: PostgresURL,
    password: PostgresPassword? = nil,
    connections: Int = connectionsDefault,
    isWritable: Bool = false
  ) {
    self.url = url
    self.password = password
    self.connections = connections
    self.isWritable = isWritable
  }
}
