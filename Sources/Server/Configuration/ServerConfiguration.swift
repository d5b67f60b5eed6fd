package import Actions
package import CEL
package import Forms
package import JSON
package import Logging

/// What the daemon is told: by its configuration file, the environment and its flags.
package struct ServerConfiguration: Sendable {
  /// The socket's path; nil: the default one.
  package var socket: String?
  /// Folders with form definitions, in the order in which they are read.
  package var forms: [String] = []
  /// What stands behind the names that forms use.
  package var actions = ActionsConfiguration()
  /// Providers that the configuration says something about.
  package var providers: [String: ProviderConfiguration] = [:]
  /// What definitions that clients bring along may reach; nothing by default.
  package var definitions = DefinitionsConfiguration()
  /// The zone of sessions whose clients name none; nil: the system's.
  package var zone: Zone?
  /// The limits in force.
  package var limits = ServerLimits()
  /// After how long without a client the daemon ends; nil: it stays.
  package var idleExit: Duration?
  /// A turn that takes so long is logged.
  package var slowTurn = Duration.milliseconds(10)
  /// Where kept sessions are stored; nil: in memory alone.
  package var store: StoreConfiguration?
  /// Where what is counted is told.
  package var metrics = MetricsConfiguration()
  /// The least level of lines that are logged.
  package var logLevel = Logger.Level.info

  /// The services and databases that forms can name. A provider may register under any name.
  package var capabilities: FormCapabilities {
    FormCapabilities(services: Set(actions.services.keys), databases: Set(actions.databases.keys), providers: nil)
  }

  /// So many connections may hold a provider's name at once.
  package func holdersMax(of provider: String) -> Int { providers[provider]?.holdersMax ?? 1 }

  /// The defaults.
  package init() {}
}

/// What the configuration says about a provider; one that it does not name can register all the same.
package struct ProviderConfiguration: Hashable, Sendable {
  /// How long an answer is waited for at most, in milliseconds; nil: as long as the form says.
  package var timeoutMs: Int?
  /// Whether it may be told secrets. Then there is a ``token``.
  package var secrets = false
  /// What a client has to know to register it; nil: nothing.
  package var token: String?
  /// So many connections may hold its name at once.
  package var holdersMax = 1

  /// A provider of those properties.
  package init(timeoutMs: Int? = nil, secrets: Bool = false, token: String? = nil, holdersMax: Int = 1) {
    self.timeoutMs = timeoutMs
    self.secrets = secrets
    self.token = token
    self.holdersMax = holdersMax
  }

  /// Whether a client that gives that token may register the provider. How long this takes says nothing of how much of it is right.
  package func admits(_ given: String?) -> Bool {
    guard let token else { return true }
    let (wanted, bytes) = (Array(token.utf8), Array((given ?? "").utf8))
    var difference = UInt8(wanted.count == bytes.count ? 0 : 1)
    for index in bytes.indices { difference |= bytes[index] ^ wanted[index % wanted.count] }
    return difference == 0
  }
}

/// What a definition that a client brings along may reach.
package struct DefinitionsConfiguration: Hashable, Sendable {
  /// Names of services.
  package var services: Set<String> = []
  /// Names of databases.
  package var databases: Set<String> = []
}

/// What is wrong with a configuration file.
package struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong, where, and what to write instead.
  package var problems: [Diagnostic]

  /// The problems, one below the other.
  package var description: String { problems.map(\.description).joined(separator: "\n") }
}
