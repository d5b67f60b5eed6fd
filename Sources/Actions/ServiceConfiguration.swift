package import HTTP
package import JSON

/// The services and databases behind the names that form definitions use.
package struct ActionsConfiguration: Sendable {
  /// Services by name.
  package var services: [String: ServiceConfiguration]
  /// Databases by name.
  package var databases: [String: DatabaseConfiguration]

  /// Those services and databases; none by default.
  package init(services: [String: ServiceConfiguration] = [:], databases: [String: DatabaseConfiguration] = [:]) {
    self.services = services
    self.databases = databases
  }
}

/// One service: a real HTTP server, or canned answers.
package enum ServiceConfiguration: Sendable {
  /// A server that is reached over HTTP.
  case http(HTTPServiceConfiguration)
  /// Canned answers, tried in order, so that a form can be tried before its server exists.
  case mock([MockAnswer])
}

/// The address of a service, and how to talk to it.
package struct HTTPServiceConfiguration: Sendable {
  /// The beginning of each request's URL.
  package var baseURL: BaseURL
  /// Sent with every request; a request's own header of the same name replaces it.
  package var headers: [(name: String, value: String)]
  /// Connections kept to the server, and so requests at once; half of them at most for one client. Requests beyond
  /// wait.
  package var connections: Int
  /// The largest body that is read; a longer one makes the answer `tooLarge`.
  package var bodyBytesMax: Int

  /// The time limit for an answer; nil: the form's limit applies.
  package var timeout: Duration?

  /// When requests fail at once because the service has failed too often; nil: never.
  package var breaker: CircuitBreaker.Settings?

  /// The way to the server, beside its URL: a Unix socket, a proxy, certificates.
  package var route = HTTPRoute()

  /// Connections to one service, unless the configuration says otherwise.
  package static let connectionsDefault = 8
  /// 1 MiB: far above the needs of a form, far below what hurts.
  package static let bodyBytesMaxDefault = 1 << 20

  package init(
    baseURL: BaseURL,
    headers: [(name: String, value: String)] = [],
    connections: Int = connectionsDefault,
    bodyBytesMax: Int = bodyBytesMaxDefault
  ) {
    self.baseURL = baseURL
    self.headers = headers
    self.connections = connections
    self.bodyBytesMax = bodyBytesMax
  }
}

/// One canned answer of a mock service.
package struct MockAnswer: Sendable {
  /// The method it answers; nil: any.
  package var method: String?
  /// The path it answers, without a query; nil: any.
  package var path: String?
  /// The parameters that the query must hold, by name; it may hold more.
  package var query: [String: String]
  /// The content that the request's JSON must hold. An object must have these members, with the same rule for each; any
  /// other value must be equal. Nil: any.
  package var body: JSON?
  /// The answer's status.
  package var status: Int
  /// The answer's body; nil: none.
  package var json: JSON?
  /// How long the answer takes.
  package var delay: Duration

  package init(
    method: String? = nil,
    path: String? = nil,
    query: [String: String] = [:],
    body: JSON? = nil,
    status: Int = 200,
    json: JSON? = nil,
    delay: Duration = .zero
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.body = body
    self.status = status
    self.json = json
    self.delay = delay
  }
}
