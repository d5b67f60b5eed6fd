internal import HTTP
internal import JSON
internal import NIOCore
internal import Sessions

/// A service that is reached over HTTP: one base URL, one limit on requests at once.
///
/// Redirects are not followed: the form sees the answer's `location`. If no connection is established, the request
/// fails at once.
final class HTTPService: Sendable {
  private let base: BaseURL
  private let configuration: HTTPServiceConfiguration
  private let http: HTTPClient
  /// As many requests at once as there are connections. Further requests wait here, in the order of ``FairQueue``.
  private let gate: EffectGate
  /// Parses long answers elsewhere.
  private let detach: DetachWork

  /// Bodies of this size and larger are parsed on another thread, so that the HTTP client can serve other requests.
  private static let longBodyBytes = 128 << 10

  /// The service of that name and configuration.
  ///
  /// - Parameter http: sends the requests of all services.
  init(
    _ configuration: HTTPServiceConfiguration,
    named name: String,
    base: BaseURL,
    http: HTTPClient,
    detach: @escaping DetachWork
  ) {
    self.base = base
    self.configuration = configuration
    self.http = http
    self.detach = detach
    gate = EffectGate(to: "service \(name)", runningMax: configuration.connections)
  }

  /// Sends a request when the client is next, and finishes the run with its answer or failure.
  func perform(
    _ request: EffectRequest.HTTPRequest,
    run: EffectRun,
    for client: Int,
    on eventLoop: any EventLoop
  ) {
    if let problem = problem(in: request.target) {
      return run.finish(later: .error("the request cannot be made: \(problem)"), on: eventLoop)
    }
    let method = request.method
    let request = outgoing(request)
    gate.enter(run, for: client, on: eventLoop) { [http, detach] leave in
      let bound = NIOLoopBound(run, eventLoop: eventLoop)
      let id = http.send(request) { result in
        // The request counts as running until its answer is parsed, so that few bodies wait for that.
        let finish: @Sendable () -> Void = {
          let answer = EffectResponse(result, to: method)
          leave()
          eventLoop.execute { bound.value.finish(answer) }
        }
        if case .success(let response) = result, response.body.count >= Self.longBodyBytes {
          detach(finish)
        } else {
          finish()
        }
      }
      run.onStop { http.cancel(id) }
    }
  }

  /// What is wrong with a request's target; nil: nothing. The target comes from a definition with values filled in, and
  /// may choose the path on this server and nothing else.
  private func problem(in target: String) -> String? {
    guard target.utf8.first == UInt8(ascii: "/") else { return "the path does not begin with /" }
    guard target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") }) else {
      return "the path is not percent-encoded"
    }
    return nil
  }

  private func outgoing(_ request: EffectRequest.HTTPRequest) -> HTTPRequest {
    var headers: [HTTPHeader] = []
    func set(_ name: String, _ value: String) {
      let lowered = name.lowercased()
      headers.removeAll { $0.name.lowercased() == lowered }
      headers.append(HTTPHeader(name, value))
    }
    set("accept", "application/json")
    set("user-agent", "formd")
    if request.json != nil { set("content-type", "application/json") }
    for header in configuration.headers { set(header.name, header.value) }
    for header in request.headers { set(header.name, header.value) }
    let body = request.json.map { json in
      let writer = OutputBuffer()
      writer.write(json)
      return Array(writer.bytes)
    }
    return HTTPRequest(
      url: base.text + request.target,
      method: request.method,
      headers: headers,
      body: body,
      route: configuration.route,
      answerBytesMax: configuration.bodyBytesMax
    )
  }
}
