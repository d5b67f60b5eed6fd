internal import AsyncHTTPClient
internal import JSON
internal import NIOCore
internal import NIOHTTP1
internal import Sessions

/// A service that is reached over HTTP: one pool of connections, one base URL.
///
/// Redirects are not followed: an answer's `location` is the form's business. A connection that cannot be established fails the
/// request at once.
final class HTTPService: Sendable {
  private let base: BaseURL
  private let headers: HTTPHeaders
  private let bodyBytesMax: Int
  private let client: HTTPClient
  /// As many requests at once as there are connections: they wait here, where clients take turns, and not in the pool.
  private let gate: EffectGate
  /// Parses long answers elsewhere.
  private let detach: DetachWork

  /// Bodies from so many bytes on are parsed on another thread: the event loop has others to serve.
  private static let longBodyBytes = 128 << 10

  /// A client for that service; ``shutdown()`` must be called before it is let go.
  init(
    _ configuration: HTTPServiceConfiguration,
    named name: String,
    base: BaseURL,
    group: any EventLoopGroup,
    detach: @escaping DetachWork
  ) {
    self.base = base
    self.detach = detach
    gate = EffectGate(to: "service \(name)", runningMax: configuration.connections)
    headers = HTTPHeaders(configuration.headers.map { ($0.name, $0.value) })
    bodyBytesMax = configuration.bodyBytesMax
    var settings = HTTPClient.Configuration(redirectConfiguration: .disallow)
    settings.httpVersion = .http1Only
    settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = configuration.connections
    // Otherwise a refused connection would show only when the time is up.
    settings.connectionPool.retryConnectionEstablishment = false
    settings.connectionPool.idleTimeout = configuration.idleTimeout.timeAmount
    client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: settings)
  }

  /// Sends a request when it is the client's turn, and finishes the run with what came of it. The time runs from now.
  func perform(
    _ request: EffectRequest.HTTPRequest,
    timeout: Duration,
    run: EffectRun,
    for client: Int,
    on eventLoop: any EventLoop
  ) {
    let prepared: HTTPClient.Request
    do {
      prepared = try prepare(request)
    } catch {
      run.finish(later: .error("the request cannot be made: \(error)"), on: eventLoop)
      return
    }
    let deadline = NIODeadline.now() + timeout.timeAmount
    let method = request.method
    gate.enter(run, for: client, on: eventLoop) { [self] leave in
      send(prepared, method: method, deadline: deadline, run: run, on: eventLoop, leave: leave)
    }
  }

  private func send(
    _ request: HTTPClient.Request,
    method: String,
    deadline: NIODeadline,
    run: EffectRun,
    on eventLoop: any EventLoop,
    leave: @escaping @Sendable () -> Void
  ) {
    let task = client.execute(
      request: request,
      delegate: ResponseAccumulator(request: request, maxBodySize: bodyBytesMax),
      deadline: deadline
    )
    run.onStop { task.fail(reason: HTTPClientError.cancelled) }
    task.futureResult.hop(to: eventLoop).assumeIsolated().whenComplete { [detach] result in
      func finish(_ answer: EffectResponse) {
        leave()
        run.finish(answer)
      }
      switch result {
      case .success(let response) where (response.body?.readableBytes ?? 0) >= Self.longBodyBytes:
        // The request counts as running until its answer is parsed, so that few bodies wait for that.
        let finish = NIOLoopBound(finish, eventLoop: eventLoop)
        detach {
          let answer = EffectResponse(response, to: method)
          eventLoop.execute { finish.value(answer) }
        }
      case .success(let response): finish(EffectResponse(response, to: method))
      case .failure(let error): finish(EffectResponse(failure: error))
      }
    }
  }

  /// Closes the connections; waits until they are.
  func shutdown() async {
    // Fails only when it was shut down before.
    try? await client.shutdown()
  }

  private struct UnfitRequest: Error, CustomStringConvertible {
    var description: String
  }

  private func prepare(_ request: EffectRequest.HTTPRequest) throws -> HTTPClient.Request {
    // The target comes from a definition with values filled in: it may choose the path on this server and nothing else.
    guard request.target.utf8.first == UInt8(ascii: "/") else {
      throw UnfitRequest(description: "the path does not begin with /")
    }
    guard request.target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") }) else {
      throw UnfitRequest(description: "the path is not percent-encoded")
    }
    var all = headers
    for header in request.headers { all.replaceOrAdd(name: header.name, value: header.value) }
    if !all.contains(name: "accept") { all.add(name: "accept", value: "application/json") }
    if !all.contains(name: "user-agent") { all.add(name: "user-agent", value: "formd") }
    var body: HTTPClient.Body?
    if let json = request.json {
      let writer = OutputBuffer()
      writer.write(json)
      body = .byteBuffer(ByteBuffer(bytes: writer.bytes))
      if !all.contains(name: "content-type") { all.add(name: "content-type", value: "application/json") }
    }
    return try HTTPClient.Request(
      url: base.text + request.target,
      method: HTTPMethod(rawValue: request.method),
      headers: all,
      body: body
    )
  }
}
