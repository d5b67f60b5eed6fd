internal import JSON
internal import SourceTexts

#if canImport(Glibc)
  internal import Glibc
#endif

/// The outlets to which the daemon writes its metrics (``MetricsText``), for operators who watch many machines. By
/// default there is none: `formctl metrics` asks.
package struct MetricsConfiguration: Hashable, Sendable {
  /// A file that the daemon rewrites at each interval; nil: none.
  package var file: String?
  /// How often that file is written.
  package var interval = Duration.seconds(15)
  /// A loopback address at which HTTP is answered; nil: none.
  package var address: Address?

  /// The host and the port of a loopback address.
  package struct Address: Hashable, Sendable, CustomStringConvertible {
    /// `127.0.0.1`, or another of that net, or `::1`.
    package var host: String
    /// 0: any free port.
    package var port: Int

    /// An address.
    package init(host: String, port: Int) {
      self.host = host
      self.port = port
    }

    /// The address in a text such as `127.0.0.1:9469` or `[::1]:9469`.
    ///
    /// - Parameter mustBeLoopback: whether addresses that other machines reach are refused.
    /// - Throws: ``AddressProblem`` for any other text.
    init(_ text: String, mustBeLoopback: Bool = true) throws(AddressProblem) {
      guard let colon = text.lastIndex(of: ":") else { throw .noPort }
      let host = text[..<colon]
      let isBracketed = host.first == "[" && host.last == "]"
      // The last part of an IPv6 address is not a port.
      guard isBracketed || !host.contains(":") else { throw .noPort }
      let bare = isBracketed ? host.dropFirst().dropLast() : host
      guard let isLoopback = Self.isLoopback(bare, isBracketed: isBracketed), isLoopback || !mustBeLoopback else {
        throw .noLoopback(String(host))
      }
      let digits = text[text.index(after: colon)...]
      guard digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = Int(digits), port <= 65_535 else {
        throw .badPort(String(digits))
      }
      self.host = String(bare)
      self.port = port
    }

    /// As inet_pton(3) reads addresses; nil for a text that is not an address.
    private static func isLoopback(_ host: Substring, isBracketed: Bool) -> Bool? {
      if isBracketed {
        var address = in6_addr()
        guard inet_pton(AF_INET6, String(host), &address) == 1 else { return nil }
        return withUnsafeBytes(of: &address) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
      }
      var address = in_addr()
      guard inet_pton(AF_INET, String(host), &address) == 1 else { return nil }
      return withUnsafeBytes(of: &address) { $0.first == 127 }
    }

    /// `127.0.0.1:9469` or `[::1]:9469`.
    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  }

  /// A problem of the text of an address.
  enum AddressProblem: Error, CustomStringConvertible {
    case noPort
    case noLoopback(String)
    case badPort(String)

    var description: String {
      switch self {
      case .noPort: "the address has no port"
      case .noLoopback(let host):
        "\"\(host)\" is not a loopback address, such as 127.0.0.1 or [::1]: other machines must not reach the daemon"
      case .badPort(let port): "\"\(port)\" is not a port: write a number from 0 to 65535; 0 means any free port"
      }
    }
  }

  /// The reason why the file cannot be written; nil if no problem is found.
  package var problem: String? {
    guard let file else { return nil }
    let folder = file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      return "metrics.file: there is no folder \(folder); create it, or choose a file in another folder"
    }
    guard stat(file, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
      return "metrics.file: \(file) exists and is not a regular file, so the daemon does not replace it; choose another"
    }
    return nil
  }

  /// The defaults.
  package init() {}
}

extension MetricsConfiguration {
  /// The keys of `metrics`, each with its schema.
  static let keys: JSONObject = [
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
  ]

  /// The schema of `metrics`.
  static let schema: JSON = [
    "type": "object", "additionalProperties": false,
    "description":
      "Where the daemon publishes its metrics, in Prometheus' text format. formctl metrics works without these settings.",
    "properties": .object(keys),
  ]
}

extension ConfigurationReader {
  mutating func metrics(_ json: JSON?) -> MetricsConfiguration {
    var result = MetricsConfiguration()
    result.file = json?["file"]?.stringValue.map(resolved)
    if let interval = duration(json?["interval"], at: ["metrics", "interval"]) {
      result.interval = max(interval, .milliseconds(100))
    }
    if let text = json?["address"]?.stringValue {
      do throws(MetricsConfiguration.AddressProblem) {
        result.address = try MetricsConfiguration.Address(text)
      } catch {
        collector.report(
          "address",
          at: JSONPointer(tokens: ["metrics", "address"]),
          "\(error)",
          remedy: "write a loopback address with a port, such as \"127.0.0.1:9469\" or \"[::1]:9469\""
        )
      }
    }
    return result
  }
}
