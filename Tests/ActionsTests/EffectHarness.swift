internal import Actions
internal import JSON
internal import NIOCore
internal import NIOPosix
internal import Sessions
internal import Times

/// Performs effects as the server does: from an event loop, with the answer back on it.
struct EffectHarness: Sendable {
  let performer: ActionPerformer
  let loop: any EventLoop

  /// Waits for the answer to one effect.
  func answer(
    _ request: EffectRequest,
    of client: Int = 1,
    timeout: Duration = .seconds(600)
  ) async -> EffectResponse {
    await withCheckedContinuation { continuation in
      loop.execute {
        _ = performer.perform(
          Effect(id: EffectID(rawValue: 1), request: request, timeout: timeout),
          for: client,
          on: loop
        ) {
          loop.preconditionInEventLoop()
          continuation.resume(returning: $0)
        }
      }
    }
  }

  /// Starts an effect whose answer is not awaited.
  func start(_ request: EffectRequest, of client: Int) async throws -> NIOLoopBound<StartedEffect> {
    try await loop.submit {
      let effect = Effect(id: EffectID(rawValue: 1), request: request, timeout: .seconds(24 * 3600))
      return NIOLoopBound(performer.perform(effect, for: client, on: loop) { _ in }, eventLoop: loop)
    }.get()
  }

  /// Cancels effects.
  func cancel(_ effects: [NIOLoopBound<StartedEffect>]) async throws {
    try await loop.submit { for effect in effects { effect.value.cancel() } }.get()
  }

  /// Runs a test against a real server behind the service `accounts`.
  static func withServer(
    bodyBytesMax: Int = 4000,
    offload: @escaping OffloadWork = { $0() },
    _ body: (EffectHarness, TestHTTPServer) async throws -> Void
  ) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let server = try await TestHTTPServer(group: group)
    let service = HTTPServiceConfiguration(
      baseURL: try BaseURL(server.baseURL + "/"),
      headers: [("x-service", "accounts"), ("x-both", "service")],
      bodyBytesMax: bodyBytesMax
    )
    let performer = ActionPerformer(
      ActionsConfiguration(services: ["accounts": .http(service)]),
      // However slowly a test runs, no connection ends for lack of requests.
      idleTimeout: .seconds(24 * 3600),
      now: { .milliseconds(0) },
      offload: offload
    )
    do {
      try await body(EffectHarness(performer: performer, loop: group.next()), server)
    } catch {
      await performer.shutdown()
      try await group.shutdownGracefully()
      throw error
    }
    await performer.shutdown()
    try await server.stop()
    try await group.shutdownGracefully()
  }

  /// Runs a test with a performer of this configuration.
  static func with(_ configuration: ActionsConfiguration, _ body: (EffectHarness) async throws -> Void) async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let performer = ActionPerformer(configuration, now: { .milliseconds(0) }, offload: { $0() })
    let result: Result<Void, any Error>
    do { result = .success(try await body(EffectHarness(performer: performer, loop: group.next()))) } catch {
      result = .failure(error)
    }
    await performer.shutdown()
    try await group.shutdownGracefully()
    try result.get()
  }
}

extension EffectRequest {
  /// A request to the service `accounts`.
  static func accounts(
    _ target: String,
    method: String = "GET",
    headers: [(name: String, value: String)] = [],
    json: JSON? = nil
  ) -> EffectRequest {
    .http(HTTPRequest(service: "accounts", method: method, target: target, headers: headers, json: json))
  }
}
