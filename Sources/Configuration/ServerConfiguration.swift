package import Actions
internal import CEL
internal import FormProtocol
package import Forms
internal import JSON
package import Logging
package import SourceTexts
internal import Texts
package import Times

/// The daemon's settings: from its configuration file, the environment and its flags.
package struct ServerConfiguration: Sendable {
  /// The socket's path; nil: the default one.
  package var socket: String?
  /// Folders with form definitions, in the order in which they are read.
  package var forms: [String] = []
  /// The services and databases behind the names that forms use.
  package var actions = ActionsConfiguration()
  /// The users and groups that may use the daemon beside its own user and root.
  package var peers: [PeerConfiguration] = []
  /// Providers that the configuration says something about.
  package var providers: [String: ProviderConfiguration] = [:]
  /// The services and databases that definitions of clients may reach; none by default.
  package var definitions = DefinitionsConfiguration()
  /// The zone of sessions whose clients name none; nil: the system's.
  package var zone: Zone?
  /// The limits in force.
  package var limits = ServerLimits()
  /// How long the daemon stays without a client before it ends; nil: it stays.
  package var idleExit: Duration?
  /// Work that takes so long is logged.
  package var slowTurn = Duration.milliseconds(10)
  /// The store of kept sessions; nil: they are in memory only.
  package var store: StoreConfiguration?
  /// The door for browsers, which `formd-web` opens; nil: the file has no block for it.
  package var web: WebConfiguration?
  /// The outputs of the metrics.
  package var metrics = MetricsConfiguration()
  /// The file that gets a line for each act of a client that an audit asks for; nil: none.
  package var auditFile: String?
  /// The least level of lines that are logged.
  package var logLevel = Logger.Level.info
  /// Probable mistakes in the file, such as secrets that other users may read.
  package var warnings: [Diagnostic] = []
  /// Whether each line of the log is a JSON object.
  package var logsJSON = false
  /// The members of the configuration file that are in force: without members that an option overrides. A reload
  /// compares them (``ConfigurationChanges``).
  package var members = ConfigurationMembers()

  /// The services and databases that forms can name. A provider may register under any name.
  package var capabilities: FormCapabilities {
    FormCapabilities(services: Set(actions.services.keys), databases: Set(actions.databases.keys), providers: nil)
  }

  /// How many connections may hold a provider's name at once.
  package func holdersMax(of provider: String) -> Int { providers[provider]?.holdersMax ?? 1 }

  /// The defaults.
  package init() {}
}

/// The services and databases that a definition of a client may reach.
package struct DefinitionsConfiguration: Hashable, Sendable {
  /// Names of services.
  package var services: Set<String> = []
  /// Names of databases.
  package var databases: Set<String> = []
}

/// The problems of a configuration file.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Each problem with its location and what to write instead.
  package var problems: [Diagnostic]

  package init(problems: [Diagnostic]) {
    self.problems = problems
  }

  /// The problems, one below the other.
  package var description: String { problems.map(\.description).joined(separator: "\n") }
}

extension ServerConfiguration {
  /// The keys of the file, each with its schema. A block with a type of its own has its keys there.
  static let keys: JSONObject = [
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
    "definitions": DefinitionsConfiguration.schema,
    "zone": [
      "type": "string", "minLength": 1,
      "description":
        "The time zone of sessions whose clients name none, such as Europe/Zurich or UTC. It determines today's date. Default: the system's.",
    ],
    "store": StoreConfiguration.schema,
    "limits": [
      "type": "object", "additionalProperties": false,
      "description": "Bounds that protect the daemon (protocol/limits.md).",
      "properties": ServerLimits.schema,
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
          "description":
            "Work that takes this long or longer is logged as a slow turn, with its cause: a message, a timer, or the answer to an effect.",
        ],
      ],
    ],
    "metrics": MetricsConfiguration.schema,
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
    "web": WebConfiguration.schema,
  ]
}

extension DefinitionsConfiguration {
  /// The schema of `definitions`.
  static let schema: JSON = [
    "type": "object", "additionalProperties": false,
    "description": "The services and databases that clients' own definitions may use; by default none.",
    "properties": [
      "services": ["type": "array", "items": ["type": "string"], "description": "Names of services."],
      "databases": ["type": "array", "items": ["type": "string"], "description": "Names of databases."],
    ],
  ]
}

extension ConfigurationReader {
  // MARK: Values, whose types the schema has checked

  mutating func configuration(_ json: JSON) -> ServerConfiguration {
    var result = ServerConfiguration()
    result.members = ConfigurationMembers(json.objectValue ?? [:])
    result.socket = json["socket"]?.stringValue.map(resolved)
    result.forms = json["forms"]?.strings.map(resolved) ?? []
    result.peers = (json["peers"]?.arrayValue ?? []).enumerated().compactMap { peer($1, at: ["peers", String($0)]) }
    for member in json["services"]?.objectValue ?? [:] {
      if let service = service(member.value, at: ["services", member.name]) {
        result.actions.services[member.name] = service
      }
    }
    for member in json["databases"]?.objectValue ?? [:] {
      result.actions.databases[member.name] = database(member.value, at: ["databases", member.name])
    }
    for member in json["providers"]?.objectValue ?? [:] {
      result.providers[member.name] = provider(member)
    }
    result.definitions.services = names("services", "service", in: json)
    result.definitions.databases = names("databases", "database", in: json)
    if let name = json["zone"]?.stringValue {
      result.zone = Zone(named: name)
      if result.zone == nil {
        collector.report(
          "zone",
          at: JSONPointer(tokens: ["zone"]),
          "there is no time zone \"\(name)\" on this machine",
          remedy: "write an IANA time zone name, such as \"Europe/Zurich\", or \"UTC\""
        )
      }
    }
    result.limits = limits(json["limits"], hasStore: json["store"] != nil)
    if let slowTurn = duration(json["log"]?["slowTurn"], at: ["log", "slowTurn"]) { result.slowTurn = slowTurn }
    if let json = json["store"] { result.store = store(json) }
    result.logsJSON = json["log"]?["format"]?.stringValue == "json"
    result.metrics = metrics(json["metrics"])
    result.auditFile = json["audit"]?["file"]?.stringValue.map(resolved)
    result.web = json["web"].map { web($0) }
    if let level = json["log"]?["level"]?.stringValue.flatMap(Logger.Level.init(rawValue:)) { result.logLevel = level }
    return result
  }

  /// The services or databases that definitions of clients may use: they must be configured.
  mutating func names(_ key: String, _ noun: String, in json: JSON) -> Set<String> {
    let names = json["definitions"]?[key]?.strings ?? []
    let known = (json[key]?.objectValue ?? [:]).map(\.name)
    for (index, name) in names.enumerated() where !known.contains(where: { $0.hasSameUTF8(as: name) }) {
      let advice = closestName(to: name, among: known).map { "did you mean \"\($0)\"?" }
      collector.report(
        "unknownName",
        at: JSONPointer(tokens: ["definitions", key, String(index)]),
        "no \(noun) \"\(name)\" in the configuration",
        remedy: Remedy(advice ?? "add it to \"\(key)\", or remove it here")
      )
    }
    return Set(names)
  }
}
