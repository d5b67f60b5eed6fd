internal import JSON
internal import SourceTexts
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

extension WebConfiguration {
  /// The keys of `web`, each with its schema.
  static let keys: JSONObject = [
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
      "properties": WebLimits.schema,
    ],
  ]

  /// The schema of `web`.
  static let schema: JSON = [
    "type": "object", "additionalProperties": false, "required": ["hosts", "origins"],
    "description":
      "The door for browsers: formd-web --config FILE (protocol/web.md). The daemon does not read this block.",
    "properties": .object(keys),
  ]
}

extension WebConfiguration.Form {
  /// The keys of a form of `web`, each with its schema.
  static let keys: JSONObject = [
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
  ]

  /// The schema of a form of `web`.
  static let schema: JSON = [
    "type": "object", "additionalProperties": false,
    "properties": .object(keys),
  ]
}

extension WebLimits {
  /// The schema of all limits.
  static let schema: JSON = .object(
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
}

extension ConfigurationReader {
  mutating func web(_ json: JSON) -> WebConfiguration {
    var result = WebConfiguration()
    let isInsecure = json["insecure"]?.boolValue ?? false
    if let text = json["address"]?.stringValue {
      do throws(MetricsConfiguration.AddressProblem) {
        result.address = try MetricsConfiguration.Address(text, mustBeLoopback: !isInsecure)
      } catch {
        let location = JSONPointer(tokens: ["web", "address"])
        let remedy: Remedy = "write an address with a port, such as \"127.0.0.1:8480\" or \"[::1]:8480\""
        if case .noLoopback(let host) = error {
          let message =
            isInsecure
            ? "\"\(host)\" is not an address"
            : "\"\(host)\" is not a loopback address, and without a proxy nothing encrypts what browsers send"
          collector.report(
            "address",
            at: location,
            message,
            remedy: isInsecure
              ? remedy
              : "write a loopback address, such as \"127.0.0.1:8480\", and let a proxy with TLS ask there; or add \"insecure\": true"
          )
        } else {
          collector.report("address", at: location, "\(error)", remedy: remedy)
        }
      }
    }
    if let path = json["path"]?.stringValue { result.path = path }
    result.hosts = Set((json["hosts"]?.strings ?? []).map { $0.lowercased() })
    result.origins = Set((json["origins"]?.strings ?? []).map { $0.lowercased() })
    for member in json["forms"]?.objectValue ?? [:] {
      var form = WebConfiguration.Form(isOpen: member.value["open"]?.boolValue ?? false)
      form.keep = duration(member.value["keep"], at: ["web", "forms", member.name, "keep"])
      if form.keep != nil, !form.isOpen {
        collector.report(
          "idle",
          at: JSONPointer(tokens: ["web", "forms", member.name, "keep"]),
          spot: .name,
          "\"keep\" has no effect, because browsers may not open sessions of this form",
          remedy: "add \"open\": true, or leave it out: the program that opens a session says how long it is kept",
          severity: .warning
        )
      }
      result.forms[member.name] = form
    }
    warn(ofOrigins: json["origins"]?.strings ?? [])
    for (index, text) in (json["trustedProxies"]?.strings ?? []).enumerated() {
      if let network = InternetNetwork(text) {
        result.trustedProxies.append(network)
      } else {
        collector.report(
          "address",
          at: JSONPointer(tokens: ["web", "trustedProxies", String(index)]),
          "\"\(text.printable)\" is not an IP address or network",
          remedy: "write the address from which the proxy connects, such as \"127.0.0.1\", or a network: \"10.0.0.0/8\""
        )
      }
    }
    for limit in WebLimit.allCases {
      if let number = json["limits"]?[limit.rawValue]?.integerValue { result.limits[limit] = Int(number) }
    }
    return result
  }

  /// Warns of origins that no browser sends (RFC 6454, section 6.2): a browser leaves out the usual port.
  mutating func warn(ofOrigins origins: [String]) {
    for (index, origin) in origins.enumerated() {
      for (scheme, port) in [("https://", ":443"), ("http://", ":80")]
      where origin.lowercased().hasPrefix(scheme) && origin.hasSuffix(port) {
        collector.report(
          "origin",
          at: JSONPointer(tokens: ["web", "origins", String(index)]),
          "no browser sends this origin: browsers leave out the usual port of \(scheme.dropLast(3))",
          remedy: "write \"\(origin.dropLast(port.count))\"",
          severity: .warning
        )
      }
    }
  }
}
