package import PostgreSQL
package import SessionStore

/// The store of kept sessions.
package enum StoreConfiguration: Sendable {
  /// A file, which one daemon has at a time.
  case sqlite(SQLiteStoreConfiguration)
  /// A database that several daemons share.
  case postgreSQL(PostgresStoreConfiguration)

  /// Files of the process that the store needs at most.
  package var openFilesMax: Int {
    switch self {
    // The file, its log and its index, the file that names its owner, and its folder while it is made durable.
    case .sqlite: 5
    // Each connection, the pipe that wakes it, and the connection that cancels its statement; four files for name
    // resolution.
    case .postgreSQL: PostgresStoreConfiguration.connections * 4 + 4
    }
  }
}

/// A store in a file of SQLite.
package struct SQLiteStoreConfiguration: Hashable, Sendable {
  /// The file. It is made if it does not exist.
  package var path: String
  /// The failures that a commit survives.
  package var durability: StoreDurability

  /// A file with that durability.
  package init(path: String, durability: StoreDurability = .normal) {
    self.path = path
    self.durability = durability
  }
}

/// A store in a database of PostgreSQL.
package struct PostgresStoreConfiguration: Sendable {
  /// The address of the database, and the user who logs in.
  package var url: PostgresURL
  /// The password; nil: none is needed, or libpq finds one where it looks for them (`~/.pgpass`).
  package var password: PostgresPassword?
  /// How long the sessions of a dead daemon wait until another daemon may take them: one of ``leases``.
  package var lease: Duration

  /// Leases that may be configured. A shorter one would end at every hiccup of a network. With a longer one, the
  /// sessions of a dead machine wait too long.
  package static let leases = Duration.seconds(1)...Duration.seconds(600)
  /// The lease, unless the configuration says otherwise.
  package static let leaseDefault = Duration.seconds(15)
  /// Connections to the database: one writes and reads sessions; the other renews the lease and hears the requests of
  /// other daemons.
  package static let connections = 2

  /// The database at that address.
  package init(url: PostgresURL, password: PostgresPassword? = nil, lease: Duration = leaseDefault) {
    self.url = url
    self.password = password
    self.lease = lease
  }
}
