internal import Actions
internal import CEL
internal import Files
internal import FormProtocol
internal import Forms
internal import HTTP
internal import JSON
internal import JSONSchema
internal import Logging
internal import PostgreSQL
internal import SessionStore
internal import SourceTexts
internal import Texts
internal import Times

/// Reads a configuration strictly. It checks the file against ``ConfigurationSchema`` and reports every problem with
/// its location and what to write instead. Then it takes over the values.
struct ConfigurationReader {
  /// Relative paths in a file are relative to its folder.
  private let folder: String
  private var collector: DiagnosticCollector
  /// The first secret that the file contains.
  private var secret: JSONPointer?
  /// The secrets that are in files of their own.
  private var secretsElsewhere: Set<JSONPointer> = []

  private init(file: String, text: ScannedText) {
    collector = DiagnosticCollector(file: file, text: text)
    if let slash = file.lastIndex(of: "/") { folder = String(file[...slash]) } else { folder = "" }
  }

  /// Reads the file at that path.
  static func read(path: String, mayWait: Bool) throws(ConfigurationError) -> ServerConfiguration {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try FileBytes.read(path, bytesMax: 16 << 20, mayWait: mayWait)
    } catch {
      throw ConfigurationError(problems: [Diagnostic(file: path, code: "file", message: "cannot be read (\(error))")])
    }
    return try read(bytes, file: path, access: FileAccess(path: path))
  }

  /// Reads the text of a file.
  ///
  /// - Parameter access: what other users may do with the file; nil if it is not a regular file.
  static func read(
    _ bytes: [UInt8],
    file: String,
    access: FileAccess? = nil
  ) throws(ConfigurationError) -> ServerConfiguration {
    let text = ScannedText(json: SourceText(bytes))
    let json = text.value
    var reader = ConfigurationReader(file: file, text: text)
    reader.collector.reportProblemsOfText()
    try reader.refuseErrors()
    guard let schema = ConfigurationSchema.compiled else {
      preconditionFailure("the configuration's own schema does not compile")
    }
    for failure in schema.failures(of: json) { reader.note(failure, of: json) }
    try reader.refuseErrors()
    let complete = reader.readSecrets(of: json)
    try reader.refuseErrors()
    var configuration = reader.configuration(complete)
    reader.judge(access)
    try reader.refuseErrors()
    configuration.warnings = reader.collector.diagnostics
    return configuration
  }

  // MARK: Problems

  private func refuseErrors() throws(ConfigurationError) {
    if collector.hasErrors { throw ConfigurationError(problems: collector.diagnostics) }
  }

  private mutating func note(_ failure: Failure, of json: JSON) {
    let place = failure.instanceLocation
    if failure.keyword == .pattern, place.tokens.starts(with: ["web", "origins"]),
      let address = json.value(at: place)?.stringValue, let origin = address.originBeforePath
    {
      return collector.report(
        "origin",
        at: place,
        "\"\(address.printable)\" has a path: browsers send origins without a path, and without a slash at the end",
        remedy: "write \"\(origin.printable)\""
      )
    }
    guard case .property(let name) = failure.parameters, failure.keyword == .additionalProperties else {
      collector.report(failure.keyword.rawValue, at: failure.instanceLocation, Self.text(of: failure))
      return
    }
    let known = ConfigurationSchema.names(besides: failure.absoluteKeywordLocation)
    let closest = closestName(to: name, among: known)
    let advice = closest.map { "did you mean \"\($0)\"?" } ?? "known keys: \(known.joined(separator: ", "))"
    let location =
      failure.instanceLocation.tokens.last.map { $0.hasSameUTF8(as: name) } == true
      ? failure.instanceLocation : failure.instanceLocation.appending(name)
    collector.report("unknownKey", at: location, spot: .name, "unknown key \"\(name)\"; \(advice)")
  }

  /// The problem, in words for a person who edits a JSON file.
  private static func text(of failure: Failure) -> String {
    let description = ConfigurationSchema.description(beside: failure.absoluteKeywordLocation).map { " (\($0))" } ?? ""
    return switch failure.parameters {
    case .types(let expected, let actual):
      "\(expected.joined(separator: " or ")) is needed, not \(actual)\(description)"
    case .missing(let property): "\"\(property)\" is missing\(description)"
    default: failure.message() + description
    }
  }

  // MARK: Secrets

  private mutating func note(secretAt location: JSONPointer) {
    if secret == nil, !secretsElsewhere.contains(location) { secret = location }
  }

  /// Where the configuration may have an object that names a file in place of a secret; `*` is any name. Passwords of
  /// databases are not here: their files are read for each connection.
  private static let placesOfSecrets = [
    ["services", "*", "http", "headers", "*"], ["services", "*", "http", "proxy"], ["providers", "*", "token"],
  ]

  /// The configuration with the secrets of all files that it names.
  private mutating func readSecrets(of json: JSON) -> JSON {
    Self.placesOfSecrets.reduce(json) { replaceSecrets(in: $0, at: JSONPointer(tokens: []), along: $1[...]) }
  }

  private mutating func replaceSecrets(
    in json: JSON,
    at location: JSONPointer,
    along path: ArraySlice<String>
  ) -> JSON {
    guard var object = json.objectValue else { return json }
    guard let name = path.first else {
      secretsElsewhere.insert(location)
      return .string(secretFile(json, at: location).flatMap { readSecret(in: $0, at: location) } ?? "")
    }
    for name in name == "*" ? object.names : [name] {
      guard let value = object[name] else { continue }
      object[name] = replaceSecrets(in: value, at: location.appending(name), along: path.dropFirst())
    }
    return .object(object)
  }

  /// The path of the file that an object names: `file`, or a `credential` of the service manager. Nil if a problem was
  /// reported.
  private mutating func secretFile(_ json: JSON, at location: JSONPointer) -> String? {
    if let file = json["file"]?.stringValue {
      let path = resolved(file)
      judge(secretFile: path, at: location.appending("file"))
      return path
    }
    guard let folder = ProcessEnvironment["CREDENTIALS_DIRECTORY"] else {
      collector.report(
        "credential",
        at: location.appending("credential"),
        "CREDENTIALS_DIRECTORY is not set, so there are no credentials of a service manager",
        remedy:
          "set LoadCredential= in the unit; to check by hand, let CREDENTIALS_DIRECTORY name a folder with the files"
      )
      return nil
    }
    // The service manager answers for the rights of its files.
    return folder + "/" + (json["credential"]?.stringValue ?? "")
  }

  /// The text of a file, without the end of its last line. Nil if a problem was reported. No message has the text.
  private mutating func readSecret(in file: String, at location: JSONPointer) -> String? {
    var bytes: [UInt8] = []
    do throws(SystemError) {
      bytes = try FileBytes.read(file, bytesMax: Self.secretBytesMax)
    } catch {
      collector.report("file", at: location, "\(file): the secret cannot be read (\(error))")
      return nil
    }
    if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    guard !bytes.isEmpty, let text = String(validating: bytes, as: UTF8.self) else {
      collector.report("file", at: location, "\(file): the file \(bytes.isEmpty ? "is empty" : "is not UTF-8")")
      return nil
    }
    return text
  }

  /// A file with a secret, as ``judge(_:)`` judges the configuration.
  private mutating func judge(secretFile path: String, at location: JSONPointer) {
    guard let access = FileAccess(path: path) else { return }
    if access.othersMayWrite {
      collector.report(
        "permissions",
        at: location,
        "other users may change \(path)",
        remedy: "chmod go-w \(path), and let it belong to the daemon's user or to root"
      )
    } else if access.othersMayRead {
      collector.report(
        "permissions",
        at: location,
        "other users may read \(path), and it contains a secret",
        remedy: "chmod go-rwx \(path)",
        severity: .warning
      )
    }
  }

  /// A cloud token has a few kilobytes.
  private static let secretBytesMax = 64 << 10

  /// Other users must not be able to change the file, because it says where secrets go. They should not be able to read
  /// the secrets in it.
  private mutating func judge(_ access: FileAccess?) {
    guard let access else { return }
    if access.othersMayWrite {
      collector.report(
        "permissions",
        at: JSONPointer(tokens: []),
        "other users may change this file, and so could get all secrets",
        remedy: "chmod go-w \(collector.file ?? ""), and let it belong to the daemon's user or to root"
      )
    } else if access.othersMayRead, let secret {
      collector.report(
        "permissions",
        at: secret,
        spot: .name,
        "other users may read this file, and it contains a secret",
        remedy: "chmod go-rwx \(collector.file ?? "")",
        severity: .warning
      )
    }
  }

  /// Whether the value of a header is probably a secret, by its name.
  private static func isSecret(header name: String) -> Bool {
    let name = name.lowercased()
    return ["auth", "cookie", "key", "password", "secret", "token"].contains { name.contains($0) }
  }

  // MARK: Values, whose types the schema has checked

  private mutating func configuration(_ json: JSON) -> ServerConfiguration {
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
      var provider = ProviderConfiguration(secrets: member.value["secrets"]?.boolValue ?? false)
      if let timeout = duration(member.value["timeout"], at: ["providers", member.name, "timeout"]) {
        let (seconds, attoseconds) = timeout.components
        provider.timeoutMs = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
      }
      provider.token = member.value["token"]?.stringValue
      if let token = provider.token {
        let location = JSONPointer(tokens: ["providers", member.name, "token"])
        note(secretAt: location)
        if !ProviderConfiguration.tokenLengths.contains(token.unicodeScalars.count) {
          collector.report(
            "token",
            at: location,
            "a token has \(ProviderConfiguration.tokenLengths.lowerBound) to \(ProviderConfiguration.tokenLengths.upperBound) characters"
          )
        }
      }
      if let holders = member.value["holders"]?.integerValue { provider.holdersMax = Int(holders) }
      if provider.secrets, provider.token == nil {
        collector.report(
          "token",
          at: JSONPointer(tokens: ["providers", member.name, "secrets"]),
          "a provider that may receive secrets needs a token; else any client could register \"\(member.name)\"",
          remedy: "add a \"token\" of at least 16 characters, and let the client send it in its registration"
        )
      }
      result.providers[member.name] = provider
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

  /// Nil if a problem was reported.
  private mutating func peer(_ json: JSON, at location: [String]) -> PeerConfiguration? {
    let roles = Set((json["roles"]?.strings ?? []).compactMap { Role(wireName: $0) })
    let (key, name) = json["user"]?.stringValue.map { ("user", $0) } ?? ("group", json["group"]?.stringValue ?? "")
    let subject = key == "user" ? PeerConfiguration.Subject(user: name) : PeerConfiguration.Subject(group: name)
    if let subject { return PeerConfiguration(subject, roles: roles) }
    collector.report(
      "unknownName",
      at: JSONPointer(tokens: location + [key]),
      "there is no \(key) \"\(name.printable)\" on this machine",
      remedy: "write the name of a \(key) that exists, or a number"
    )
    return nil
  }

  /// The services or databases that definitions of clients may use: they must be configured.
  private mutating func names(_ key: String, _ noun: String, in json: JSON) -> Set<String> {
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

  /// Limits of one thing, and the limit of all such things together.
  private static let parts: [(part: Limit, whole: Limit)] = [
    (.sessionsPerConnectionMax, .sessionsMax), (.keptSessionsMax, .sessionsMax),
    (.definitionsPerConnectionMax, .definitionsMax), (.definitionBytesMax, .textBytesMax),
    (.textBytesMax, .unreadBytesMax), (.valueBytesPerConnectionMax, .valueBytesMax), (.valueBytesMax, .memoryMax),
    (.unreadBytesMax, .memoryMax),
  ]

  /// A session that only the daemon's memory has is kept for a day at most.
  private static let keepMaxWithoutStore = 86_400_000

  private mutating func limits(_ json: JSON?, hasStore: Bool) -> ServerLimits {
    var limits = ServerLimits()
    let isWritten = { (limit: Limit) in json?[limit.wireName.description] != nil }
    for limit in Limit.allCases {
      if let number = json?[limit.wireName.description]?.integerValue { limits[limit] = Int(number) }
    }
    // A default that a lower limit makes unreachable is not a mistake.
    for (part, whole) in Self.parts where isWritten(part) && limits[part] > limits[whole] {
      let name = whole.wireName.description
      collector.report(
        "limits",
        at: JSONPointer(tokens: ["limits", part.wireName.description]),
        "\(limits[part]) is more than \"\(name)\", which is \(limits[whole])\(isWritten(whole) ? "" : " by default")",
        remedy: "lower it, or raise \"\(name)\""
      )
    }
    if !hasStore, limits[.keepMax] > Self.keepMaxWithoutStore {
      collector.report(
        "limits",
        at: JSONPointer(tokens: ["limits", Limit.keepMax.wireName.description]),
        "\(limits[.keepMax]) is more than a day (\(Self.keepMaxWithoutStore)), and without a store all kept sessions end with the daemon",
        remedy: "lower it, or add a \"store\""
      )
    }
    return limits
  }

  private mutating func metrics(_ json: JSON?) -> MetricsConfiguration {
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

  private mutating func web(_ json: JSON) -> WebConfiguration {
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
  private mutating func warn(ofOrigins origins: [String]) {
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

  /// Nil if a problem was reported.
  private mutating func service(_ json: JSON, at location: [String]) -> ServiceConfiguration? {
    if let http = json["http"] {
      let place = JSONPointer(tokens: location + ["http"])
      guard let url = baseURL(http["baseURL"]?.stringValue ?? "", at: place.appending("baseURL")) else { return nil }
      var result = HTTPServiceConfiguration(baseURL: url)
      for header in http["headers"]?.objectValue ?? [:] {
        let (name, value) = (header.name, header.value.stringValue ?? "")
        if !HTTPHeader(name, value).isValid {
          // The value is not quoted: it may be a secret.
          collector.report(
            "header",
            at: place.appending("headers").appending(name),
            "this is not a header field: a name has letters, digits and hyphens, and a value is one line",
            remedy: "remove line breaks and other control characters"
          )
        }
        if Self.isSecret(header: name) { note(secretAt: place.appending("headers").appending(name)) }
        result.headers.append((name: name, value: value))
      }
      if let number = http["connections"]?.integerValue { result.connections = Int(number) }
      result.timeout = duration(http["timeout"], at: location + ["http", "timeout"])
      if let number = http["bodyBytesMax"]?.integerValue { result.bodyBytesMax = Int(number) }
      result.breaker = breaker(http["breaker"], at: location + ["http", "breaker"])
      result.route = route(http, at: location + ["http"])
      return .http(result)
    }
    var answers: [MockAnswer] = []
    for (index, answer) in (json["mock"]?.arrayValue ?? []).enumerated() {
      answers.append(
        MockAnswer(
          method: answer["method"]?.stringValue,
          path: answer["path"]?.stringValue,
          query: Dictionary(
            (answer["query"]?.objectValue ?? [:]).map { ($0.name, $0.value.stringValue ?? "") },
            uniquingKeysWith: { $1 }
          ),
          body: answer["body"],
          status: Int(answer["status"]?.integerValue ?? 200),
          json: answer["json"],
          delay: duration(answer["delay"], at: location + ["mock", String(index), "delay"]) ?? .zero
        )
      )
    }
    return .mock(answers)
  }

  private mutating func breaker(_ json: JSON?, at location: [String]) -> CircuitBreaker.Settings? {
    guard let json else { return nil }
    var result = CircuitBreaker.Settings()
    if let number = json["failures"]?.integerValue { result.failures = Int(number) }
    if let pause = duration(json["pause"], at: location + ["pause"]) { result.pause = pause }
    return result
  }

  /// Nil if a problem was reported.
  private mutating func baseURL(_ text: String, at location: JSONPointer) -> BaseURL? {
    do throws(BaseURL.Problem) {
      return try BaseURL(text)
    } catch {
      collector.report(
        "baseURL",
        at: location,
        "baseURL \(error)",
        remedy: "write it like \"http://127.0.0.1:8080/api\""
      )
      return nil
    }
  }

  private mutating func route(_ http: JSON, at location: [String]) -> HTTPRoute {
    var result = HTTPRoute()
    if let socket = http["socket"]?.stringValue.map(resolved) {
      result.socket = socket
      if socket.utf8.count > SocketPath.bytesMax {
        collector.report(
          "socket",
          at: JSONPointer(tokens: location + ["socket"]),
          "\(socket): the path of a socket has at most \(SocketPath.bytesMax) bytes",
          remedy: "choose a shorter path, or make a link to it"
        )
      }
    }
    if let text = http["proxy"]?.stringValue {
      if text.contains("@") { note(secretAt: JSONPointer(tokens: location + ["proxy"])) }
      if let proxy = HTTPProxy(text) {
        result.proxy = proxy
      } else {
        // The text is not quoted: it may hold a password.
        collector.report(
          "proxy",
          at: JSONPointer(tokens: location + ["proxy"]),
          "this is not the URL of a proxy",
          remedy: "write it like \"http://proxy.example.com:3128\", or write \"environment\""
        )
      }
      if result.socket != nil {
        collector.report("proxy", at: JSONPointer(tokens: location + ["proxy"]), "\"socket\" or \"proxy\", not both")
      }
    }
    if http["tls"] != nil, http["baseURL"]?.stringValue?.lowercased().hasPrefix("https:") == false {
      collector.report(
        "tls",
        at: JSONPointer(tokens: location + ["tls"]),
        "certificates are for https, and baseURL begins with http:",
        remedy: "let baseURL begin with https:, or remove \"tls\""
      )
    }
    if let version = http["tls"]?["minimumVersion"]?.stringValue.flatMap(TLSVersion.init(rawValue:)) {
      result.tlsMin = version
    }
    for (key, member) in [
      ("caFile", \HTTPRoute.caFile), ("certificateFile", \HTTPRoute.certificateFile), ("keyFile", \HTTPRoute.keyFile),
    ] {
      guard let file = http["tls"]?[key]?.stringValue.map(resolved) else { continue }
      result[keyPath: member] = file
      do throws(SystemError) {
        // libcurl reads the file when it connects. The operator learns of a missing file now, not at the first tap.
        _ = try FileBytes.read(file, bytesMax: Self.certificateBytesMax)
      } catch {
        collector.report(
          "file",
          at: JSONPointer(tokens: location + ["tls", key]),
          "\(file): the file cannot be read (\(error))"
        )
      }
    }
    return result
  }

  /// Nil if a problem was reported.
  private mutating func database(_ json: JSON, at location: [String]) -> DatabaseConfiguration? {
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

  /// Nil if a problem was reported.
  private mutating func store(_ json: JSON) -> StoreConfiguration? {
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

  private mutating func lease(of server: JSON, at location: JSONPointer) -> Duration {
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

  /// Nil if a problem was reported.
  private mutating func url(of server: JSON, at location: JSONPointer) -> PostgresURL? {
    do throws(PostgresURL.Problem) {
      return try PostgresURL(server["url"]?.stringValue ?? "")
    } catch {
      collector.report(
        "url",
        at: location.appending("url"),
        "this PostgreSQL URL cannot be used: \(error)",
        remedy:
          "write it like \"postgresql://formd@db.example.com/shop?sslmode=verify-full\", and put the password into \"password\""
      )
      return nil
    }
  }

  private mutating func password(of server: JSON, at location: JSONPointer) -> PostgresPassword? {
    let location = location.appending("password")
    guard let password = server["password"] else { return nil }
    if let text = password.stringValue {
      note(secretAt: location)
      return PostgresPassword(text)
    }
    guard let file = secretFile(password, at: location) else { return nil }
    let inFile = PostgresPassword(inFile: file)
    do throws(SystemError) {
      // The file is read again for each connection. The operator learns of a missing file now, not at the first tap.
      _ = try inFile.read()
    } catch {
      collector.report("file", at: location, "\(file): the password file cannot be read (\(error))")
    }
    return inFile
  }

  private mutating func duration(_ json: JSON?, at location: [String]) -> Duration? {
    guard let text = json?.stringValue else { return nil }
    if let duration = Forms.duration(from: text) { return duration }
    collector.report("duration", at: JSONPointer(tokens: location), "the duration is too long; the maximum is a day")
    return nil
  }

  /// Far above a file with all authorities of a system, which has some 200 KB.
  private static let certificateBytesMax = 16 << 20

  private func resolved(_ path: String) -> String { path.hasPrefix("/") ? path : folder + path }
}

extension JSON {
  /// The strings of a JSON array of strings.
  fileprivate var strings: [String] { arrayValue?.compactMap(\.stringValue) ?? [] }
}

extension String {
  /// The origin in the address of a page; nil if no path follows it.
  fileprivate var originBeforePath: String? {
    guard lowercased().hasPrefix("http://") || lowercased().hasPrefix("https://") else { return nil }
    let parts = split(separator: "/", omittingEmptySubsequences: false)
    return parts.count > 3 ? parts[..<3].joined(separator: "/") : nil
  }
}

extension ServerConfiguration {
  /// Reads a configuration file.
  ///
  /// - Parameter mayWait: whether the file may be a pipe, which can be read once.
  /// - Throws: ``ConfigurationError`` with every problem and its location.
  package static func read(path: String, mayWait: Bool = true) throws(ConfigurationError) -> ServerConfiguration {
    try ConfigurationReader.read(path: path, mayWait: mayWait)
  }

  /// Reads the text of a configuration file. `file` is its name in messages; relative paths are relative to its folder.
  package static func read(_ bytes: [UInt8], file: String) throws(ConfigurationError) -> ServerConfiguration {
    try ConfigurationReader.read(bytes, file: file)
  }
}
