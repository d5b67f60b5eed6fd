internal import HTTP

/// The outcome of one attempt to connect to a service or a database, for operators.
package struct ConnectionTrial: Sendable, CustomStringConvertible {
  /// The service or database: `service accounts`.
  package let subject: String
  /// The reason of the failure, without a password; nil if the attempt succeeded.
  package let problem: String?
  private let success: String

  /// `service accounts: connected to https://accounts.example.com`.
  package var description: String { "\(subject): \(problem ?? success)" }

  private init(_ subject: String, _ success: String, problem: String? = nil) {
    self.subject = subject
    self.success = success
    self.problem = problem
  }

  /// Connects to all services and databases, in the order of their names, and closes the connections. It sends nothing
  /// to a service.
  package static func all(of configuration: ActionsConfiguration) async -> [ConnectionTrial] {
    var trials: [ConnectionTrial] = []
    let client = HTTPClient(connectionsMax: 1, idleTimeout: .zero)
    for (name, service) in configuration.services.sorted(by: { $0.key < $1.key }) {
      trials.append(await trial(of: service, "service \(name)", client))
    }
    await client.close()
    for (name, database) in configuration.databases.sorted(by: { $0.key < $1.key }) {
      trials.append(ConnectionTrial(of: database, "database \(name)"))
    }
    return trials
  }

  private static func trial(
    of service: ServiceConfiguration,
    _ subject: String,
    _ client: HTTPClient
  ) async -> ConnectionTrial {
    guard case .http(let http) = service else { return ConnectionTrial(subject, "a mock, which needs no connection") }
    var request = HTTPRequest(url: http.baseURL.text, method: "GET", route: http.route, answerBytesMax: 0)
    request.connectsOnly = true
    let result = await withCheckedContinuation { continuation in
      client.send(request) { continuation.resume(returning: $0) }
    }
    let address = "\(http.baseURL.text)\(http.route.socket.map { " at \($0)" } ?? "")"
    switch result {
    case .success: return ConnectionTrial(subject, "connected to \(address)")
    case .failure(let failure):
      return ConnectionTrial(subject, "", problem: "no connection to \(address): \(failure.reason)")
    }
  }

  /// Connects to a database, and closes the connection. It waits for the database, so it must not be called on an event
  /// loop.
  package init(of database: DatabaseConfiguration, _ subject: String) {
    self.init(subject, "connected", problem: QueryCheck.problem(opening: database))
  }
}
