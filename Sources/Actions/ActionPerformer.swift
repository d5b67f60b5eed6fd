internal import HTTP
package import NIOCore
package import Sessions
package import Times

/// Does work on another thread.
package typealias OffloadWork = @Sendable (_ work: @escaping @Sendable () -> Void) -> Void

/// Performs effects on the services and databases that the configuration names.
///
/// Effects for providers need a client's connection, so the owner of the connections answers them; here they fail with
/// `noProvider`.
package final class ActionPerformer: EffectPerformer {
  private let services: [String: Service]
  private let databases: [String: SQLDatabase]
  /// Sends the requests of all services.
  private let httpClient: HTTPClient

  private enum Service {
    case http(HTTPService)
    case mock(MockService)
  }

  /// A performer for the services and databases of the configuration.
  ///
  /// - Parameters:
  ///   - configuration: the services and databases by their names.
  ///   - idleTimeout: how long a connection to a service is kept without a request. Most servers keep it longer than
  ///     the default, so that a request seldom meets a connection that is being closed.
  ///   - now: gives the time to the breakers of services, by a clock that never goes back.
  ///   - offload: does long work on another thread; parses long answers.
  package init(
    _ configuration: ActionsConfiguration,
    idleTimeout: Duration = .seconds(15),
    now: @escaping @Sendable () -> Instant,
    offload: @escaping OffloadWork
  ) {
    let connections = configuration.services.values.reduce(0) { sum, service in
      if case .http(let http) = service { sum + http.connections } else { sum }
    }
    httpClient = HTTPClient(connectionsMax: connections, idleTimeout: idleTimeout)
    var services: [String: Service] = [:]
    for (name, service) in configuration.services {
      switch service {
      case .http(let http):
        services[name] = .http(HTTPService(http, named: name, http: httpClient, now: now, offload: offload))
      case .mock(let answers): services[name] = .mock(MockService(answers: answers))
      }
    }
    self.services = services
    databases = Dictionary(
      uniqueKeysWithValues: configuration.databases.map { ($0.key, SQLDatabase($0.value, named: $0.key)) }
    )
  }

  package func perform(
    _ effect: Effect,
    for client: Int,
    on eventLoop: any EventLoop,
    completion: @escaping (EffectResponse) -> Void
  ) -> StartedEffect {
    eventLoop.preconditionInEventLoop()
    let started = StartedEffect(completion: completion)
    started.limit(to: timeout(of: effect).timeAmount, on: eventLoop)
    switch effect.request {
    case .http(let request):
      switch services[request.service] {
      case .http(let http): http.perform(request, as: started, for: client, on: eventLoop)
      case .mock(let mock): mock.perform(request, as: started, on: eventLoop)
      case nil: started.finish(later: .error("no service named \(request.service) is configured"), on: eventLoop)
      }
    case .sql(let request):
      if let database = databases[request.database] {
        database.perform(request, timeout: effect.timeout, as: started, for: client, on: eventLoop)
      } else {
        started.finish(later: .error("no database named \(request.database) is configured"), on: eventLoop)
      }
    case .provider(let request):
      let response = EffectResponse(kind: .noProvider, reason: "no provider named \(request.name)")
      started.finish(later: response, on: eventLoop)
    }
    return started
  }

  /// The form's time for an effect, or its service's time if that is shorter.
  private func timeout(of effect: Effect) -> Duration {
    guard case .http(let request) = effect.request, case .http(let service) = services[request.service],
      let timeout = service.configuration.timeout
    else { return effect.timeout }
    return min(effect.timeout, timeout)
  }

  package var openBreakers: Int {
    services.values.count { if case .http(let http) = $0 { http.isPassedOver } else { false } }
  }

  /// Closes connections and databases; effects under way end with `error`. To be called once, when no effect is started
  /// any more.
  package func shutdown() async {
    await httpClient.close()
    for database in databases.values { database.close() }
  }
}

extension EffectResponse {
  /// The failure that no other kind describes; the reason is for the log.
  static func error(_ reason: String) -> EffectResponse {
    EffectResponse(kind: .error, reason: reason)
  }
}

extension StartedEffect {
  /// Finishes in the event loop's next round: an answer never arrives before the call that asked for it has returned.
  func finish(later response: EffectResponse, on eventLoop: any EventLoop) {
    eventLoop.assumeIsolated().execute { self.finish(response) }
  }
}
