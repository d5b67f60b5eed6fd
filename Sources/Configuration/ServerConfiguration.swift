package import Actions
internal import CEL
package import Forms
package import Logging
package import SourceTexts
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

/// The configuration of a provider. A provider without one can register, too.
package struct ProviderConfiguration: Hashable, Sendable {
  /// The time limit for an answer, in milliseconds; nil: the form's limit applies.
  package var timeoutMs: Int?
  /// Whether the provider may receive secrets. Then there is a ``token``.
  package var secrets = false
  /// The token that a client must give to register it; nil: none.
  package var token: String?
  /// How many connections may hold its name at once.
  package var holdersMax = 1
  /// The numbers of characters that a token may have. A shorter one can be guessed.
  static let tokenLengths = 16...256

  /// A provider of those properties.
  package init(timeoutMs: Int? = nil, secrets: Bool = false, token: String? = nil, holdersMax: Int = 1) {
    self.timeoutMs = timeoutMs
    self.secrets = secrets
    self.token = token
    self.holdersMax = holdersMax
  }

  /// Whether a client that gives that token may register the provider. The time that this takes does not depend on how
  /// much of the token is right.
  package func admits(_ given: String?) -> Bool {
    guard let token else { return true }
    let (wanted, bytes) = (Array(token.utf8), Array((given ?? "").utf8))
    var difference = UInt8(wanted.count == bytes.count ? 0 : 1)
    for index in bytes.indices { difference |= bytes[index] ^ wanted[index % wanted.count] }
    return difference == 0
  }
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

  /// Those problems.
  package init(problems: [Diagnostic]) {
    self.problems = problems
  }

  /// The problems, one below the other.
  package var description: String { problems.map(\.description).joined(separator: "\n") }
}
