internal import Actions
internal import FormProtocol
internal import HTTP
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
        "description": "Folders with form definitions (*.form.json, *.form.jsonc, *.form.yaml; subfolders too).",
      ],
      "peers": [
        "type": "array", "items": ["$ref": "#/$defs/peer"],
        "description":
          "Users and groups of the machine that may use the daemon, and their roles. The daemon's own user and root have all roles. Without peers, only these two may connect. With peers, all users may connect to the daemon's own socket, and the daemon refuses users without a role.",
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
        "description": "Settings of providers, by name. A provider without settings can register, too.",
      ],
      "definitions": [
        "type": "object", "additionalProperties": false,
        "description": "The services and databases that clients' own definitions may use; by default none.",
        "properties": [
          "services": ["type": "array", "items": ["type": "string"], "description": "Names of services."],
          "databases": ["type": "array", "items": ["type": "string"], "description": "Names of databases."],
        ],
      ],
      "zone": [
        "type": "string", "minLength": 1,
        "description":
          "The time zone of sessions whose clients name none, such as Europe/Zurich or UTC. It determines today's date. Default: the system's.",
      ],
      "store": [
        "type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
        "description":
          "Where kept sessions are stored, so that they survive the daemon: exactly one of sqlite and postgres. Without it, they end with the daemon.",
        "properties": [
          "sqlite": [
            "type": "object", "additionalProperties": false, "required": ["path"], "description": "A SQLite file.",
            "properties": [
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
            ],
          ],
          "postgres": [
            "type": "object", "additionalProperties": false, "required": ["url"],
            "description": "A PostgreSQL database, which several daemons can share: one on each machine.",
            "properties": [
              "url": postgresURL,
              "password": postgresPassword,
              "lease": [
                "$ref": "#/$defs/duration", "default": "15s",
                "description":
                  "The time after which other daemons may take the sessions of a failed daemon, from 1s to 10m. A daemon that loses the database for a full lease stops serving its kept sessions.",
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
            "default": "info", "description": "The lowest level that is logged. No level logs a field's value.",
          ],
          "format": [
            "enum": ["text", "json"], "default": "text",
            "description": "text: lines for people. json: each line is a JSON object.",
          ],
          "slowTurn": [
            "$ref": "#/$defs/duration", "default": "10ms",
            "description": "A turn that takes this long or longer is logged, with its cause.",
          ],
        ],
      ],
      "metrics": [
        "type": "object", "additionalProperties": false,
        "description":
          "Where the daemon publishes its metrics, in Prometheus' text format. formctl metrics works without these settings.",
        "properties": [
          "file": [
            "type": "string", "minLength": 1,
            "description":
              "A file that the daemon replaces regularly and all users may read; NAME.prom for the node exporter's textfile collector.",
          ],
          "interval": [
            "$ref": "#/$defs/duration", "default": "15s",
            "description": "How often the file is replaced; at least 100ms.",
          ],
          "address": [
            "type": "string",
            "description":
              "A loopback address at which the daemon answers GET /metrics: 127.0.0.1:9469, [::1]:9469. All users of the machine can read the metrics there.",
          ],
        ],
      ],
      "audit": [
        "type": "object", "additionalProperties": false, "required": ["file"],
        "description":
          "Who opened and attached to sessions, tapped actions, disconnected clients and reloaded the daemon. No values.",
        "properties": [
          "file": [
            "type": "string", "minLength": 1,
            "description":
              "A file to which the daemon adds a line of JSON for each such act. The daemon makes it for its user alone. Only the start of the daemon reads this setting.",
          ]
        ],
      ],
      "web": [
        "type": "object", "additionalProperties": false, "required": ["hosts", "origins"],
        "description":
          "The door for browsers: formd-web --config FILE (protocol/web.md). The daemon does not read this block.",
        "properties": [
          "address": [
            "type": "string", "default": "127.0.0.1:8480",
            "description":
              "Where formd-web listens: 127.0.0.1:8480, [::1]:8480. A proxy with TLS is in front of it. Another address than loopback needs insecure.",
          ],
          "insecure": [
            "type": "boolean", "default": false,
            "description": "Whether address may be an address that other machines reach, without TLS.",
          ],
          "path": [
            "type": "string", "pattern": "^(/[A-Za-z0-9._~-]+)+$", "default": "/formd",
            "description": "The beginning of the paths that formd-web serves: /formd/socket, /formd/client.js.",
          ],
          "hosts": [
            "type": "array", "minItems": 1,
            "items": ["type": "string", "pattern": "^([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]+)?$"],
            "description":
              "The hosts that requests may name: shop.example.com, localhost:8480. A host without a port admits every port.",
          ],
          "origins": [
            "type": "array", "minItems": 1,
            "items": [
              "type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://([A-Za-z0-9._-]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]+)?$",
            ],
            "description":
              "The origins of the pages that may connect: https://shop.example.com. Neither a path nor a slash at the end.",
          ],
          "forms": [
            "type": "object", "additionalProperties": ["$ref": "#/$defs/webForm"],
            "description": "What browsers may do with forms, by the names of the forms.",
          ],
          "trustedProxies": [
            "type": "array", "items": ["type": "string", "minLength": 1],
            "description":
              "The IP addresses and networks of proxies whose X-Forwarded-For is believed: 127.0.0.1, 10.0.0.0/8. Without them, every connection counts for the address from which it comes.",
          ],
          "limits": [
            "type": "object", "additionalProperties": false, "description": "Bounds that protect the door.",
            "properties": webLimits,
          ],
        ],
      ],
    ],
    "$defs": [
      "peer": [
        "description": "A user or a group, and its roles.",
        "type": "object", "additionalProperties": false, "required": ["roles"],
        "oneOf": [["required": ["user"]], ["required": ["group"]]],
        "properties": [
          "user": ["type": "string", "minLength": 1, "description": "The name of a user, or a number."],
          "group": [
            "type": "string", "minLength": 1,
            "description": "The name of a group, or a number. A process has the groups that it had when it connected.",
          ],
          "roles": [
            "type": "array", "minItems": 1, "items": .object(Role.schema),
            "description":
              "client: opens forms and sessions. provider: answers for providers. operator: watches the daemon and its clients, disconnects clients, reloads and makes backups. A user has the roles of all its entries.",
          ],
        ],
      ],
      "webForm": [
        "type": "object", "additionalProperties": false,
        "properties": [
          "open": [
            "type": "boolean", "default": false,
            "description":
              "Whether any browser may open a session of the form. A browser may attach to each session whose key it has.",
          ],
          "keep": [
            "$ref": "#/$defs/duration",
            "description":
              "How long such a session outlives its connections, so that a browser that comes back finds it. Without it, the session ends with its connection.",
          ],
        ],
      ],
      "service": [
        "description": "Exactly one of http and mock.",
        "type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
        "properties": [
          "http": [
            "type": "object", "additionalProperties": false, "required": ["baseURL"],
            "description": "An HTTP service.",
            "properties": [
              "baseURL": [
                "type": "string", "pattern": "^https?://",
                "description": "The beginning of each request's URL: http://127.0.0.1:8080/api.",
              ],
              "headers": [
                "type": "object", "additionalProperties": secret(),
                "description":
                  "Sent with every request. Each value is one line. They replace the daemon's own x-request-id and traceparent.",
              ],
              "connections": [
                "type": "integer", "minimum": 1, "default": 8,
                "description":
                  "The maximum number of connections to the service, and so of requests at once. One client gets at most half of them.",
              ],
              "bodyBytesMax": [
                "type": "integer", "minimum": 1, "default": 1_048_576,
                "description":
                  "The maximum size of an answer's body in bytes, after decompression. A larger body fails as tooLarge.",
              ],
              "timeout": [
                "$ref": "#/$defs/duration",
                "description": "The maximum time for an answer; by default only the form's timeout applies.",
              ],
              "breaker": [
                "type": "object", "additionalProperties": false,
                "description":
                  "After so many failures in a row, requests fail at once as refused until the pause is over. A failure is: no connection, no answer in time, a broken connection, or the status 502, 503 or 504. Without breaker, each request is sent.",
                "properties": [
                  "failures": [
                    "type": "integer", "minimum": 1, "maximum": 1_000, "default": 5,
                    "description": "Failures in a row.",
                  ],
                  "pause": [
                    "$ref": "#/$defs/duration", "default": "30s",
                    "description": "How long no request is sent. Then one request decides.",
                  ],
                ],
              ],
              "socket": [
                "type": "string", "minLength": 1,
                "description":
                  "The Unix socket on which the service listens: /run/accounts.sock. baseURL then gives the path and the Host header.",
              ],
              "proxy": secret([
                "pattern": "^(environment$|(https?|socks5h?)://.)",
                "description":
                  "The proxy for this service: its URL (http://proxy.example.com:3128), or environment to use https_proxy, http_proxy and no_proxy. By default these variables are not read.",
              ]),
              "tls": [
                "type": "object", "additionalProperties": false, "minProperties": 1,
                "dependentRequired": ["keyFile": ["certificateFile"]],
                "description": "TLS of an https service. Certificates are PEM files.",
                "properties": [
                  "caFile": [
                    "type": "string", "minLength": 1,
                    "description": "The certificate authorities to trust, instead of the system's.",
                  ],
                  "certificateFile": [
                    "type": "string", "minLength": 1,
                    "description": "The certificate that the daemon shows to the service.",
                  ],
                  "keyFile": [
                    "type": "string", "minLength": 1,
                    "description": "The private key of certificateFile, if it is not in that file.",
                  ],
                  "minimumVersion": [
                    "enum": .array(TLSVersion.allCases.map { .string($0.rawValue) }), "default": "1.2",
                    "description": "The lowest version of TLS that the daemon accepts.",
                  ],
                ],
              ],
            ],
          ],
          "mock": [
            "type": "array", "description": "Predefined answers; the first matching answer is used.",
            "items": [
              "type": "object", "additionalProperties": false,
              "properties": [
                "method": ["type": "string", "description": "The request's method; by default any."],
                "path": ["type": "string", "description": "The request's path; by default any."],
                "query": [
                  "type": "object", "additionalProperties": ["type": "string"],
                  "description": "Parameters that the request's query must have; it may have more.",
                ],
                "body": [
                  "description":
                    "The request's JSON. An object must have these members, and may have more; any other value must be equal."
                ],
                "status": [
                  "type": "integer", "minimum": 100, "maximum": 599, "default": 200, "description": "The status.",
                ],
                "json": ["description": "The body of the answer."],
                "delay": ["$ref": "#/$defs/duration", "description": "The time until the answer."],
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
            "type": "object", "additionalProperties": false, "required": ["path"], "description": "A SQLite file.",
            "properties": [
              "path": [
                "type": "string", "minLength": 1,
                "description":
                  "The database file. If another file is renamed over it, the daemon reads the new file from then on.",
              ],
              "writable": ["type": "boolean", "default": false, "description": "Whether queries may change it."],
            ],
          ],
          "postgres": [
            "type": "object", "additionalProperties": false, "required": ["url"],
            "description": "A PostgreSQL database, reached directly or through a connection pooler.",
            "properties": [
              "url": postgresURL,
              "password": postgresPassword,
              "connections": [
                "type": "integer", "minimum": 1, "maximum": .integer(Int64(PostgreSQLConfiguration.connectionsMax)),
                "default": .integer(Int64(PostgreSQLConfiguration.connectionsDefault)),
                "description":
                  "The maximum number of connections to the database, and so of queries at once. One client gets at most half of them.",
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
            "description": "The maximum time for an answer; by default only the form's timeout applies.",
          ],
          "secrets": [
            "type": "boolean", "default": false,
            "description": "Whether the provider may receive secrets. It then needs a token.",
          ],
          "token": secret([
            "minLength": .integer(Int64(ProviderConfiguration.tokenLengths.lowerBound)),
            "maxLength": .integer(Int64(ProviderConfiguration.tokenLengths.upperBound)),
            "description":
              "The token that a client must send to register the provider: as long and as random as a password.",
          ]),
          "holders": [
            "type": "integer", "minimum": 1, "maximum": 64, "default": 1,
            "description":
              "How many connections may hold the provider's name at once. They are asked in turn. If one ends, its open questions that may be repeated go to the next.",
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
      "The database's URL for libpq: postgresql://formd@db.example.com/shop?sslmode=verify-full, postgresql:///shop?host=/run/postgresql. It must not contain a password.",
  ]

  private static let postgresPassword = secret([
    "minLength": 1,
    "description":
      "The password. The daemon reads a file or credential for each connection, and takes its first line. Without it, libpq looks for a password as psql does: ~/.pgpass.",
  ])

  /// A secret: a text of those keywords, or an object that names the file with the text. An object has exactly one
  /// member.
  private static func secret(_ text: JSONObject = [:]) -> JSON {
    var schema = text
    schema["type"] = ["string", "object"]
    schema["maxProperties"] = 1
    // No message names an unknown member, because a secret may be in its place.
    schema["anyOf"] = [["type": "string"], ["required": ["file"]], ["required": ["credential"]]]
    schema["properties"] = [
      "file": [
        "type": "string", "minLength": 1,
        "description": "The file that has the secret. The end of its last line does not count.",
      ],
      "credential": [
        "type": "string", "pattern": "^[A-Za-z0-9_.-]*[A-Za-z0-9_-][A-Za-z0-9_.-]*$",
        "description":
          "The name of a credential of the service manager (systemd's LoadCredential=), a file in $CREDENTIALS_DIRECTORY.",
      ],
    ]
    return .object(schema)
  }

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

  private static let webLimits: JSON = .object(
    JSONObject(
      WebLimit.allCases.map { limit in
        (
          limit.rawValue,
          [
            "type": "integer", "minimum": .integer(Int64(limit.range.lowerBound)),
            "maximum": .integer(Int64(limit.range.upperBound)), "default": .integer(Int64(limit.standard)),
            "description": .string(limit.summary),
          ]
        )
      }
    )
  )

  /// The schema, compiled; it is ours, so it compiles (a test says so).
  static let compiled: Schema? = try? Schema.compile(json)

  /// The names that an object knows, given the location of its `additionalProperties` in the schema.
  static func names(besides keyword: String) -> [String] {
    schema(of: keyword)?["properties"]?.objectValue?.map(\.name) ?? []
  }

  /// The description of the schema that has that keyword.
  static func description(beside keyword: String) -> String? {
    schema(of: keyword)?["description"]?.stringValue
  }

  /// The schema that has the keyword of that location.
  private static func schema(of keyword: String) -> JSON? {
    guard let hash = keyword.firstIndex(of: "#"),
      var pointer = JSONPointer(String(keyword[keyword.index(after: hash)...])),
      !pointer.tokens.isEmpty
    else { return nil }
    pointer.tokens.removeLast()
    return json.value(at: pointer)
  }
}
