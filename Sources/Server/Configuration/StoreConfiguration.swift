package import PostgreSQL
package import SessionStore

/// Where kept sessions are stored.
package enum StoreConfiguration: Sendable {
  /// In a file, which one daemon has at a time.
  case sqlite(SQLiteStoreConfiguration)
  /// In a database that several daemons share.
  case postgreSQL(PostgresStoreConfiguration)

  /// Files of the process that the store needs at most.
  package var openFilesMax: Int {
    switch self {
    // The file, its log and its index, what says who has it, and its folder while it is made durable.
    case .sqlite: 5
    // Each connection, the pipe that wakes it, and the connection that cancels its statement; four by which names are resolved.
    case .postgreSQL: PostgresStoreConfiguration.connections * 4 + 4
    }
  }
}

/// A store in a file of SQLite.
package struct SQLiteStoreConfiguration: Hashable, Sendable {
  /// The file, made where there is none.
  package var path: String
  /// What a commit survives.
  package var durability: StoreDurability

  /// A file with that durability.
  package init(path: String, durability: StoreDurability = .normal) {
    self.path = path
    self.durability = durability
  }
}

/// A store in a database of PostgreSQL.
package struct PostgresStoreConfiguration: Sendable {
  /// Where the database is, and as whom it is entered.
  package var url: PostgresURL
  /// The password; nil: none is needed, or libpq finds one where it looks for them (`~/.pgpass`).
  package var password: PostgresPassword?
  /// How long the sessions of a daemon that is gone wait until another may take them: one of ``leases``.
  package var lease: Duration

  /// Leases that may be configured. A shorter one ends at every hiccup of a network; with a longer one a machine that is gone is missed.
  package static let leases = Duration.seconds(1)...Duration.seconds(600)
  /// The lease, unless the configuration says otherwise.
  package static let leaseDefault = Duration.seconds(15)
  /// Connections to the database: one that writes and reads sessions, and one that renews the lease and hears what others ask for.
  package static let connections = 2

  /// The database at that address.
  package init(url: PostgresURL, password: PostgresPassword? = nil, lease: Duration = leaseDefault) {
    self.url = url
    self.password = password
    self.lease = lease
  }
}
