internal import Actions
internal import JSON
internal import PostgreSQL
internal import SourceTexts

extension DatabaseConfiguration {
  /// The schema of a database.
  static let schema: JSON = [
    "description": "Exactly one of sqlite and postgres.",
    "type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
    "properties": ["sqlite": sqlite, "postgres": postgres],
  ]

  /// The keys of `sqlite`, each with its schema.
  private static let sqliteKeys: JSONObject = [
    "path": [
      "type": "string", "minLength": 1,
      "description":
        "The database file. If another file is renamed over it, the daemon reads the new file from then on.",
    ],
    "writable": ["type": "boolean", "default": false, "description": "Whether queries may change it."],
  ]

  private static let sqlite: JSON = [
    "type": "object", "additionalProperties": false, "required": ["path"], "description": "A SQLite file.",
    "properties": .object(sqliteKeys),
  ]

  /// The keys of `postgres`, each with its schema.
  private static let postgresKeys: JSONObject = [
    "url": ConfigurationSchema.postgresURL,
    "password": ConfigurationSchema.postgresPassword,
    "connections": [
      "type": "integer", "minimum": 1, "maximum": .integer(Int64(PostgreSQLConfiguration.connectionsMax)),
      "default": .integer(Int64(PostgreSQLConfiguration.connectionsDefault)),
      "description":
        "The maximum number of connections to the database, and so of queries at once. One client gets at most half of them.",
    ],
    "writable": ["type": "boolean", "default": false, "description": "Whether queries may change it."],
  ]

  private static let postgres: JSON = [
    "type": "object", "additionalProperties": false, "required": ["url"],
    "description": "A PostgreSQL database, reached directly or through a connection pooler.",
    "properties": .object(postgresKeys),
  ]
}

extension ConfigurationReader {
  /// Nil if a problem was reported.
  mutating func database(_ json: JSON, at location: [String]) -> DatabaseConfiguration? {
    guard let server = json["postgres"] else {
      let file = json["sqlite"]
      return .sqlite(
        path: resolved(file?["path"]?.stringValue ?? ""),
        isWritable: file?["writable"]?.boolValue ?? false
      )
    }
    let location = JSONPointer(tokens: location + ["postgres"])
    guard let url = url(of: server, at: location) else { return nil }
    var result = PostgreSQLConfiguration(url: url)
    result.password = password(of: server, at: location)
    if let number = server["connections"]?.integerValue { result.connections = Int(number) }
    result.isWritable = server["writable"]?.boolValue ?? false
    return .postgreSQL(result)
  }
}
