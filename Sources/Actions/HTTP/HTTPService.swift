internal import HTTP
internal import JSON
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import Sessions
internal import Texts
internal import Times

/// A service that is reached over HTTP: one base URL, one limit on requests at once.
///
/// Redirects are not followed: the form sees the answer's `location`. If no connection is established, the request
/// fails at once.
final class HTTPService: Sendable {
  let configuration: HTTPServiceConfiguration
  private let http: HTTPClient
  /// As many requests at once as there are connections. Further requests wait here, in the order of ``FairQueue``.
  private let gate: EffectGate
  /// Parses long answers elsewhere.
  private let offload: OffloadWork
  private let now: @Sendable () -> Instant
  /// Nil if the configuration sets none. Not a `Mutex`: ThreadSanitizer does not see its lock.
  private let breaker: NIOLockedValueBox<CircuitBreaker?>

  /// Bodies of this size and larger are parsed on another thread, so that the HTTP client can serve other requests.
  private static let longBodyBytes = 128 << 10

  /// The service of that name and configuration.
  ///
  /// - Parameter http: sends the requests of all services.
  init(
    _ configuration: HTTPServiceConfiguration,
    named name: String,
    http: HTTPClient,
    now: @escaping @Sendable () -> Instant,
    offload: @escaping OffloadWork
  ) {
    self.configuration = configuration
    self.http = http
    self.offload = offload
    self.now = now
    breaker = NIOLockedValueBox(configuration.breaker.map { CircuitBreaker($0) })
    gate = EffectGate(to: "service \(name)", runningMax: configuration.connections)
  }

  /// Sends a request when the client is next, and finishes the effect with its answer or failure.
  func perform(
    _ request: EffectRequest.HTTPRequest,
    as effect: StartedEffect,
    for client: Int,
    on eventLoop: any EventLoop
  ) {
    if let problem = problem(in: request.target) {
      return effect.finish(later: .error("the request cannot be made: \(problem)"), on: eventLoop)
    }
    if let pause = breaker.withLockedValue({ $0?.pause(at: now()) }) {
      return effect.finish(later: Self.passedOver(pause), on: eventLoop)
    }
    let method = request.method
    let id = String.randomHex(bits: 128)
    let request = outgoing(request, id: id)
    gate.enter(effect, for: client, on: eventLoop) { [self, http, offload] leave in
      let bound = NIOLoopBound(effect, eventLoop: eventLoop)
      // The service may have failed while this request waited for its turn.
      let pause = breaker.withLockedValue { breaker -> Duration? in
        let pause = breaker?.pause(at: now())
        if pause == nil { breaker?.attempted(at: now()) }
        return pause
      }
      if let pause {
        leave()
        return eventLoop.execute { bound.value.finish(Self.passedOver(pause)) }
      }
      let sent = http.send(request) { result in
        // The request counts as running until its answer is parsed, so that few bodies wait for that.
        let finish: @Sendable () -> Void = {
          var answer = EffectResponse(result, to: method)
          if let reason = answer.reason { answer.reason = "\(reason) (x-request-id: \(id))" }
          let ended = answer
          leave()
          eventLoop.execute {
            self.note(result, wasLate: bound.value.wasLate)
            bound.value.finish(ended)
          }
        }
        if case .success(let response) = result, response.body.count >= Self.longBodyBytes {
          offload(finish)
        } else {
          finish()
        }
      }
      effect.onStop { http.cancel(sent) }
    }
  }

  // MARK: The breaker

  /// Whether requests fail at once now.
  var isPassedOver: Bool { breaker.withLockedValue { $0?.pause(at: now()) } != nil }

  private static func passedOver(_ pause: Duration) -> EffectResponse {
    let seconds = max(1, Int((pause / .seconds(1)).rounded(.up)))
    return EffectResponse(kind: .refused, reason: "the service has failed too often; it is asked again in \(seconds) s")
  }

  /// Notes whether the service has answered a request.
  private func note(_ result: Result<HTTPResponse, HTTPFailure>, wasLate: Bool) {
    breaker.withLockedValue { breaker in
      switch result {
      // A gateway says that the service behind it does not answer (RFC 9110, section 15.6).
      case .success(let response) where (502...504).contains(response.status): breaker?.failed(at: now())
      case .success: breaker?.succeeded()
      case .failure(let failure):
        switch failure.kind {
        case .refused, .timeout, .tls, .other: breaker?.failed(at: now())
        case .tooLarge, .badBody: breaker?.succeeded()
        // A request that is not wanted any more says nothing about the service.
        case .cancelled: if wasLate { breaker?.failed(at: now()) }
        }
      }
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

  /// - Parameter id: names the request in the logs of the daemon and of the service: 32 hexadecimal digits.
  private func outgoing(_ request: EffectRequest.HTTPRequest, id: String) -> HTTPRequest {
    var headers: [HTTPHeader] = []
    func set(_ name: String, _ value: String) {
      let lowered = name.lowercased()
      headers.removeAll { $0.name.lowercased() == lowered }
      headers.append(HTTPHeader(name, value))
    }
    set("accept", "application/json")
    set("user-agent", "formd")
    set("x-request-id", id)
    // W3C Trace Context, section 3.2: a trace of its own for each request.
    set("traceparent", "00-\(id)-\(String.randomHex(bits: 64))-01")
    if request.json != nil { set("content-type", "application/json") }
    for header in configuration.headers { set(header.name, header.value) }
    for header in request.headers { set(header.name, header.value) }
    let body = request.json.map { json in
      let writer = OutputBuffer()
      writer.write(json)
      return Array(writer.bytes)
    }
    return HTTPRequest(
      url: configuration.baseURL.text + request.target,
      method: request.method,
      headers: headers,
      body: body,
      route: configuration.route,
      answerBytesMax: configuration.bodyBytesMax
    )
  }
}
