internal import JSON
package import PostgreSQL
package import SessionStore
internal import SourceTexts

/// The store of kept sessions.
package enum StoreConfiguration: Sendable {
  /// A file, which one daemon has at a time.
  case sqlite(SQLiteStoreConfiguration)
  /// A database that several daemons share.
  case postgreSQL(PostgresStoreConfiguration)

  /// How long the sessions of a dead daemon wait until another daemon may take them; nil: no other daemon uses it.
  package var lease: Duration? { if case .postgreSQL(let server) = self { server.lease } else { nil } }

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

  package init(url: PostgresURL, password: PostgresPassword? = nil, lease: Duration = leaseDefault) {
    self.url = url
    self.password = password
    self.lease = lease
  }
}

extension StoreConfiguration {
  /// The schema of `store`.
  static let schema: JSON = [
    "type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
    "description":
      "Where kept sessions are stored, so that they survive the daemon: exactly one of sqlite and postgres. Without it, they end with the daemon.",
    "properties": ["sqlite": SQLiteStoreConfiguration.schema, "postgres": PostgresStoreConfiguration.schema],
  ]
}

extension SQLiteStoreConfiguration {
  /// The keys of `store.sqlite`, each with its schema.
  static let keys: JSONObject = [
    "path": [
      "type": "string", "minLength": 1,
      "description":
        "The file. The daemon creates it if it is missing. Only its owner can read it. One daemon can use it at a time.",
    ],
    "durability": [
      "enum": .array(StoreDurability.allCases.map { .string($0.rawValue) }), "default": "normal",
      "description":
        "normal: acknowledged changes survive a crash of the daemon. full: they also survive a power failure, because each commit waits for the disk.",
    ],
  ]

  /// The schema of `store.sqlite`.
  static let schema: JSON = [
    "type": "object", "additionalProperties": false, "required": ["path"], "description": "A SQLite file.",
    "properties": .object(keys),
  ]
}

extension PostgresStoreConfiguration {
  /// The keys of `store.postgres`, each with its schema.
  static let keys: JSONObject = [
    "url": ConfigurationSchema.postgresURL,
    "password": ConfigurationSchema.postgresPassword,
    "lease": [
      "$ref": "#/$defs/duration", "default": "15s",
      "description":
        "The time after which other daemons may take the sessions of a failed daemon, from 1s to 10m. A daemon that loses the database for a full lease stops serving its kept sessions.",
    ],
  ]

  /// The schema of `store.postgres`.
  static let schema: JSON = [
    "type": "object", "additionalProperties": false, "required": ["url"],
    "description": "A PostgreSQL database, which several daemons can share: one on each machine.",
    "properties": .object(keys),
  ]
}

extension ConfigurationReader {
  /// Nil if a problem was reported.
  mutating func store(_ json: JSON) -> StoreConfiguration? {
    if let file = json["sqlite"] {
      return .sqlite(
        SQLiteStoreConfiguration(
          path: resolved(file["path"]?.stringValue ?? ""),
          durability: file["durability"]?.stringValue.flatMap(StoreDurability.init(rawValue:)) ?? .normal
        )
      )
    }
    guard let server = json["postgres"] else { return nil }
    let location = JSONPointer(tokens: ["store", "postgres"])
    let lease = lease(of: server, at: location)
    guard let url = url(of: server, at: location) else { return nil }
    return .postgreSQL(PostgresStoreConfiguration(url: url, password: password(of: server, at: location), lease: lease))
  }

  mutating func lease(of server: JSON, at location: JSONPointer) -> Duration {
    let location = location.appending("lease")
    guard let lease = duration(server["lease"], at: location.tokens) else {
      return PostgresStoreConfiguration.leaseDefault
    }
    if !PostgresStoreConfiguration.leases.contains(lease) {
      collector.report(
        "lease",
        at: location,
        "the lease must be from 1s to 10m",
        remedy: "write after which time other daemons may take the sessions of a failed daemon, such as \"15s\""
      )
    }
    return lease
  }
}
