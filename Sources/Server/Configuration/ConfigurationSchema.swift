internal import Actions
internal import FormProtocol
package import JSON
internal import JSONSchema
internal import SessionStore

/// The JSON Schema of the configuration file: `protocol/schema/config.schema.json`. The daemon checks its file against
/// it at start.
package enum ConfigurationSchema {
  /// The schema's text, exactly as the repository has it.
  package static var text: String { json.indentedText + "\n" }

  /// The schema.
  package static let json: JSON = [
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "formd configuration",
    "description":
      "One JSON file for the daemon: formd serve --config FILE. Flags and environment override it. Relative paths are relative to the file's folder.",
    "type": "object",
    "additionalProperties": false,
    "properties": [
      "$schema": ["type": "string", "description": "This schema, so that editors complete the file."],
      "socket": [
        "type": "string", "minLength": 1,
        "description": .string(
          "The Unix socket; default $XDG_RUNTIME_DIR/formd/formd.sock, else /run/user/UID/formd/formd.sock, "
            + "else /tmp/formd-UID/formd.sock. At most \(SocketPath.bytesMax) bytes."
        ),
      ],
      "forms": [
        "type": "array", "items": ["type": "string", "minLength": 1],
        "description": "Folders with form definitions (*.form.json, subfolders too).",
      ],
      "services": [
        "type": "object", "additionalProperties": ["$ref": "#/$defs/service"],
        "description": "HTTP services by the names that forms use.",
      ],
      "databases": [
        "type": "object", "additionalProperties": ["$ref": "#/$defs/database"],
        "description": "Databases by the names that forms use.",
      ],
      "providers": [
        "type": "object", "additionalProperties": ["$ref": "#/$defs/provider"],
        "description": "What is said about providers; one that is not named can register all the same.",
      ],
      "definitions": [
        "type": "object", "additionalProperties": false,
        "description": "What definitions that clients bring along may reach; nothing by default.",
        "properties": [
          "services": ["type": "array", "items": ["type": "string"], "description": "Names of services."],
          "databases": ["type": "array", "items": ["type": "string"], "description": "Names of databases."],
        ],
      ],
      "zone": [
        "type": "string", "minLength": 1,
        "description":
          "The time zone of sessions whose clients name none: Europe/Zurich, UTC. Default: the system's. It decides what today is.",
      ],
      "store": [
        "type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
        "description":
          "Where kept sessions are stored, so that they survive the daemon: exactly one of sqlite and postgres. Without it they live as long as the daemon does.",
        "properties": [
          "sqlite": [
            "type": "object", "additionalProperties": false, "required": ["path"], "description": "A file of SQLite.",
            "properties": [
              "path": [
                "type": "string", "minLength": 1,
                "description": "The file, made where there is none, for its owner alone. One daemon has it at a time.",
              ],
              "durability": [
                "enum": .array(StoreDurability.allCases.map { .string($0.rawValue) }), "default": "normal",
                "description":
                  "What is acknowledged survives the end of the daemon, however sudden (normal), or loss of power, too (full): then each commit waits for the disk.",
              ],
            ],
          ],
          "postgres": [
            "type": "object", "additionalProperties": false, "required": ["url"],
            "description": "A database of PostgreSQL, which several daemons share: one on each machine.",
            "properties": [
              "url": postgresURL,
              "password": postgresPassword,
              "passwordFile": postgresPasswordFile,
              "lease": [
                "$ref": "#/$defs/duration", "default": "15s",
                "description":
                  "How long the sessions of a machine that is gone wait until another may take them, from 1s to 10m. A daemon that is cut off from the database for so long answers nothing for its sessions.",
              ],
            ],
          ],
        ],
      ],
      "limits": [
        "type": "object", "additionalProperties": false,
        "description": "Bounds that protect the daemon (protocol/limits.md).",
        "properties": limits,
      ],
      "log": [
        "type": "object", "additionalProperties": false, "description": "The log on stderr.",
        "properties": [
          "level": [
            "enum": ["trace", "debug", "info", "notice", "warning", "error", "critical"],
            "default": "info", "description": "The least that is logged. No level logs a field's value.",
          ],
          "slowTurn": [
            "$ref": "#/$defs/duration", "default": "10ms",
            "description": "A turn that takes so long is logged, with what it was about.",
          ],
        ],
      ],
      "metrics": [
        "type": "object", "additionalProperties": false,
        "description":
          "Where what the daemon counts is told, in Prometheus' text format; formctl metrics asks for it without this.",
        "properties": [
          "file": [
            "type": "string", "minLength": 1,
            "description":
              "A file that is replaced again and again, which all users may read; NAME.prom for the node exporter's textfile collector.",
          ],
          "interval": [
            "$ref": "#/$defs/duration", "default": "15s",
            "description": "How often the file is replaced; at least 100ms.",
          ],
          "address": [
            "type": "string",
            "description":
              "A loopback address at which GET /metrics is answered: 127.0.0.1:9469, [::1]:9469. All users of the machine can ask there.",
          ],
        ],
      ],
    ],
    "$defs": [
      "service": [
        "description": "Exactly one of http and mock.",
        "type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
        "properties": [
          "http": [
            "type": "object", "additionalProperties": false, "required": ["baseURL"],
            "description": "A service that is asked over HTTP.",
            "properties": [
              "baseURL": [
                "type": "string", "pattern": "^https?://",
                "description": "Where the service is: http://127.0.0.1:8080/api.",
              ],
              "headers": [
                "type": "object", "additionalProperties": ["type": "string"], "description": "Sent with every request.",
              ],
              "connections": [
                "type": "integer", "minimum": 1, "default": 8,
                "description":
                  "Connections kept to the service, and so requests at once; those of one client are at most half of them.",
              ],
              "bodyBytesMax": [
                "type": "integer", "minimum": 1, "default": 1_048_576,
                "description": "The largest body that is read, after decompression; a larger one is tooLarge.",
              ],
              "socket": [
                "type": "string", "minLength": 1,
                "description":
                  "The Unix socket on which the service listens: /run/accounts.sock. baseURL then gives the path and the Host header.",
              ],
              "proxy": [
                "type": "string", "pattern": "^(environment$|(https?|socks5h?)://.)",
                "description":
                  "The proxy of this service: its URL (http://proxy.example.com:3128), or environment for what https_proxy, http_proxy and no_proxy say. Without it these variables are not read.",
              ],
              "tls": [
                "type": "object", "additionalProperties": false, "minProperties": 1,
                "dependentRequired": ["keyFile": ["certificateFile"]],
                "description": "Certificates for an https service, as PEM files.",
                "properties": [
                  "caFile": [
                    "type": "string", "minLength": 1,
                    "description": "The authorities that are trusted, instead of the system's.",
                  ],
                  "certificateFile": [
                    "type": "string", "minLength": 1,
                    "description": "The certificate that the daemon shows to the service.",
                  ],
                  "keyFile": [
                    "type": "string", "minLength": 1,
                    "description": "The private key of certificateFile, if it is not in that file.",
                  ],
                ],
              ],
            ],
          ],
          "mock": [
            "type": "array", "description": "Canned answers; the first that fits is given.",
            "items": [
              "type": "object", "additionalProperties": false,
              "properties": [
                "method": ["type": "string", "description": "The method it answers; any without it."],
                "path": ["type": "string", "description": "The path it answers; any without it."],
                "query": [
                  "type": "object", "additionalProperties": ["type": "string"],
                  "description": "What the query must hold; it may hold more.",
                ],
                "body": [
                  "description":
                    "What the request's JSON must hold: of an object these members, it may have more; anything else must be equal."
                ],
                "status": [
                  "type": "integer", "minimum": 100, "maximum": 599, "default": 200, "description": "The status.",
                ],
                "json": ["description": "The body of the answer."],
                "delay": ["$ref": "#/$defs/duration", "description": "How long the answer takes."],
              ],
            ],
          ],
        ],
      ],
      "database": [
        "description": "Exactly one of sqlite and postgres.",
        "type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
        "properties": [
          "sqlite": [
            "type": "object", "additionalProperties": false, "required": ["path"], "description": "A file of SQLite.",
            "properties": [
              "path": [
                "type": "string", "minLength": 1,
                "description": "The database's file; when another is renamed over it, that is read from then on.",
              ],
              "writable": ["type": "boolean", "default": false, "description": "Whether queries may change it."],
            ],
          ],
          "postgres": [
            "type": "object", "additionalProperties": false, "required": ["url"],
            "description": "A database of PostgreSQL, or one that a pooler leads to.",
            "properties": [
              "url": postgresURL,
              "password": postgresPassword,
              "passwordFile": postgresPasswordFile,
              "connections": [
                "type": "integer", "minimum": 1, "maximum": .integer(Int64(PostgreSQLConfiguration.connectionsMax)),
                "default": .integer(Int64(PostgreSQLConfiguration.connectionsDefault)),
                "description":
                  "Connections to it at most, and so queries at once; those of one client are at most half of them.",
              ],
              "writable": ["type": "boolean", "default": false, "description": "Whether queries may change it."],
            ],
          ],
        ],
      ],
      "provider": [
        "type": "object", "additionalProperties": false,
        "properties": [
          "timeout": [
            "$ref": "#/$defs/duration",
            "description": "How long an answer is waited for at most; as long as the form says without it.",
          ],
          "secrets": [
            "type": "boolean", "default": false,
            "description": "Whether it may be told secrets. It needs a token then.",
          ],
          "token": [
            "type": "string", "minLength": 16, "maxLength": 256,
            "description": "What a client has to give to register it: as long and as random as a password.",
          ],
          "holders": [
            "type": "integer", "minimum": 1, "maximum": 64, "default": 1,
            "description":
              "How many connections may hold its name at once. They are asked in turn, and what one that goes was asked the next one is asked.",
          ],
        ],
      ],
      "duration": [
        "type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(ms|s|m|h)$",
        "description": "A duration such as 300ms or 10s; at most a day.",
      ],
    ],
  ]

  private static let postgresURL: JSON = [
    "type": "string", "pattern": "^postgres(ql)?://",
    "description":
      "Where it is, as libpq reads it: postgresql://formd@db.example.com/shop?sslmode=verify-full, postgresql:///shop?host=/run/postgresql. No password is in it.",
  ]

  private static let postgresPassword: JSON = [
    "type": "string", "minLength": 1,
    "description": "The password. Better in a file: passwordFile.",
  ]

  private static let postgresPasswordFile: JSON = [
    "type": "string", "minLength": 1,
    "description":
      "A file with the password as its first line, which is read for each connection. Without both, libpq looks for one as psql does: ~/.pgpass.",
  ]

  private static let limits: JSON = .object(
    JSONObject(
      Limit.allCases.map { limit in
        (
          limit.wireName.description,
          [
            "type": "integer", "minimum": .integer(Int64(limit.least)), "maximum": .integer(Int64(limit.most)),
            "default": .integer(Int64(limit.standard)),
            "description": .string(limit.summary),
          ]
        )
      }
    )
  )

  /// The schema, compiled; it is ours, so it compiles (a test says so).
  static let compiled: Schema? = try? Schema.compile(json)

  /// The names that an object knows, given the place of its `additionalProperties` in the schema.
  static func names(besides keyword: String) -> [String] {
    schema(of: keyword)?["properties"]?.objectValue?.map(\.name) ?? []
  }

  /// The description of the schema that has that keyword.
  static func description(beside keyword: String) -> String? {
    schema(of: keyword)?["description"]?.stringValue
  }

  /// The schema that has the keyword of that place.
  private static func schema(of keyword: String) -> JSON? {
    guard let hash = keyword.firstIndex(of: "#"),
      var pointer = JSONPointer(String(keyword[keyword.index(after: hash)...])),
      !pointer.tokens.isEmpty
    else { return nil }
    pointer.tokens.removeLast()
    return json.value(at: pointer)
  }
}
