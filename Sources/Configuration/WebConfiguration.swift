internal import Texts

/// The block `web` of the configuration: the door through which browsers reach the daemon (`formd-web`).
package struct WebConfiguration: Hashable, Sendable {
  /// The rights of browsers to one form.
  package struct Form: Hashable, Sendable {
    /// Whether any browser may open a session of the form.
    package var isOpen: Bool
    /// How long such a session outlives its connections; nil: not at all.
    package var keep: Duration?

    /// The rules of one form.
    package init(isOpen: Bool, keep: Duration? = nil) {
      self.isOpen = isOpen
      self.keep = keep
    }
  }

  /// The address at which the door listens.
  package var address = MetricsConfiguration.Address(host: "127.0.0.1", port: 8480)
  /// The beginning of all paths, without a slash at its end.
  package var path = "/formd"
  /// Names of hosts in lower case, each with or without a port.
  package var hosts: Set<String> = []
  /// Origins of pages in lower case.
  package var origins: Set<String> = []
  /// The rules of forms, by name. A browser opens no other form.
  package var forms: [String: Form] = [:]
  /// Proxies whose word is taken for the address of a browser.
  package var trustedProxies: [InternetNetwork] = []
  /// The limits in force.
  package var limits = WebLimits()

  /// The defaults; no host and no origin is admitted.
  package init() {}
}

/// A limit of the door. The raw value is its name in the configuration.
package enum WebLimit: String, CaseIterable, Hashable, Sendable {
  /// Browsers that are connected at once.
  case connectionsMax = "connectionsMax"
  /// Browsers of one address that are connected at once.
  case connectionsPerAddressMax = "connectionsPerAddressMax"
  /// Kept sessions that browsers of one address have opened lately.
  case keptSessionsPerAddressMax = "keptSessionsPerAddressMax"
  /// Bytes of one message of a browser.
  case messageBytesMax = "messageBytesMax"
  /// Messages of one connection in a second.
  case messagesPerSecond = "messagesPerSecond"

  /// The default.
  package var standard: Int {
    switch self {
    case .connectionsMax: 1_000
    case .connectionsPerAddressMax: 20
    case .keptSessionsPerAddressMax: 100
    case .messageBytesMax: 65_536
    case .messagesPerSecond: 50
    }
  }

  /// The values that an operator may choose.
  package var range: ClosedRange<Int> {
    switch self {
    case .connectionsMax, .connectionsPerAddressMax, .keptSessionsPerAddressMax: 1...100_000
    case .messageBytesMax: 1_024...16_777_216
    case .messagesPerSecond: 1...100_000
    }
  }

  /// A description for operators.
  package var summary: String {
    switch self {
    case .connectionsMax: "How many browsers may be connected at once."
    case .connectionsPerAddressMax:
      "How many browsers of one address may be connected at once. The addresses of one IPv6 network (/64) count as one."
    case .keptSessionsPerAddressMax:
      "How many sessions of forms with keep the browsers of one address may open within the time of keep."
    case .messageBytesMax: "The maximum size of a browser's message in bytes."
    case .messagesPerSecond:
      "How many messages a second a connection may send on average. It may send those of ten seconds at once. An address may send connectionsPerAddressMax times as many."
    }
  }
}

/// The values of all limits of the door.
package struct WebLimits: Hashable, Sendable {
  private var changed: [WebLimit: Int] = [:]

  /// The defaults.
  package init() {}

  /// The value of a limit.
  package subscript(_ limit: WebLimit) -> Int {
    get { changed[limit] ?? limit.standard }
    set { changed[limit] = newValue }
  }
}
