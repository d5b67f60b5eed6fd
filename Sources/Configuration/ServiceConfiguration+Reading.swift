internal import Actions
internal import Files
internal import FormProtocol
internal import HTTP
internal import JSON
internal import SourceTexts

extension ServiceConfiguration {
  /// The keys whose values may be in files of their own; `*` is any name.
  static let secrets = [["http", "headers", "*"], ["http", "proxy"]]

  /// The schema of a service.
  static let schema: JSON = [
    "description": "Exactly one of http and mock.",
    "type": "object", "additionalProperties": false, "minProperties": 1, "maxProperties": 1,
    "properties": ["http": http, "mock": mock],
  ]

  /// The keys of `http`, each with its schema.
  private static let httpKeys: JSONObject = [
    "baseURL": [
      "type": "string", "pattern": "^https?://",
      "description": "The beginning of each request's URL: http://127.0.0.1:8080/api.",
    ],
    "headers": [
      "type": "object", "additionalProperties": ConfigurationSchema.secret(),
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
      "properties": .object(breakerKeys),
    ],
    "socket": [
      "type": "string", "minLength": 1,
      "description":
        "The Unix socket on which the service listens: /run/accounts.sock. baseURL then gives the path and the Host header.",
    ],
    "proxy": ConfigurationSchema.secret([
      "pattern": "^(environment$|(https?|socks5h?)://.)",
      "description":
        "The proxy for this service: its URL (http://proxy.example.com:3128), or environment to use https_proxy, http_proxy and no_proxy. By default these variables are not read.",
    ]),
    "tls": [
      "type": "object", "additionalProperties": false, "minProperties": 1,
      "dependentRequired": ["keyFile": ["certificateFile"]],
      "description": "TLS of an https service. Certificates are PEM files.",
      "properties": .object(tlsKeys),
    ],
  ]

  /// The keys of `breaker`, each with its schema.
  private static let breakerKeys: JSONObject = [
    "failures": [
      "type": "integer", "minimum": 1, "maximum": 1_000, "default": 5,
      "description": "Failures in a row.",
    ],
    "pause": [
      "$ref": "#/$defs/duration", "default": "30s",
      "description": "How long no request is sent. Then one request decides.",
    ],
  ]

  /// The keys of `tls`, each with its schema.
  private static let tlsKeys: JSONObject = [
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
  ]

  private static let http: JSON = [
    "type": "object", "additionalProperties": false, "required": ["baseURL"],
    "description": "An HTTP service.",
    "properties": .object(httpKeys),
  ]

  /// The keys of an answer of `mock`, each with its schema.
  private static let mockKeys: JSONObject = [
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
  ]

  private static let mock: JSON = [
    "type": "array", "description": "Predefined answers; the first matching answer is used.",
    "items": [
      "type": "object", "additionalProperties": false,
      "properties": .object(mockKeys),
    ],
  ]
}

extension ConfigurationReader {
  /// Nil if a problem was reported.
  mutating func service(_ json: JSON, at location: [String]) -> ServiceConfiguration? {
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

  mutating func breaker(_ json: JSON?, at location: [String]) -> CircuitBreaker.Settings? {
    guard let json else { return nil }
    var result = CircuitBreaker.Settings()
    if let number = json["failures"]?.integerValue { result.failures = Int(number) }
    if let pause = duration(json["pause"], at: location + ["pause"]) { result.pause = pause }
    return result
  }

  /// Nil if a problem was reported.
  mutating func baseURL(_ text: String, at location: JSONPointer) -> BaseURL? {
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

  mutating func route(_ http: JSON, at location: [String]) -> HTTPRoute {
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

  /// Far above a file with all authorities of a system, which has some 200 KB.
  private static let certificateBytesMax = 16 << 20

  /// Whether the value of a header is probably a secret, by its name.
  private static func isSecret(header name: String) -> Bool {
    let name = name.lowercased()
    return ["auth", "cookie", "key", "password", "secret", "token"].contains { name.contains($0) }
  }
}
