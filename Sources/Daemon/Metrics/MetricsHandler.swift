internal import FormProtocol
internal import NIOCore
internal import NIOHTTP1
internal import Server

/// Answers one HTTP request, and ends its connection: `GET /metrics` or `GET /readyz`, and nothing else.
final class MetricsHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  /// The content type of texts for people.
  private static let plainText = "text/plain; charset=utf-8"

  private let source: MetricsSource
  private var request: HTTPRequestHead?
  /// Whether a whole request has come.
  private var hasAsked = false

  init(_ source: MetricsSource) {
    self.source = source
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): request = head
    case .body: break
    case .end:
      guard let request else { return }
      self.request = nil
      hasAsked = true
      answer(request, context)
    }
  }

  private func answer(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
    // A web page reaches this address by a name that resolves to 127.0.0.1, and its browser then sends that name.
    guard request.headers["host"].allSatisfy(Self.isLoopback) else {
      return write(
        .misdirectedRequest,
        Self.plainText,
        "Metrics are available only to this machine: use 127.0.0.1.\n",
        to: request,
        context
      )
    }
    let path = Self.path(of: request.uri)
    guard path == "/metrics" || path == "/readyz" else {
      return write(.notFound, Self.plainText, "Only /metrics and /readyz are available.\n", to: request, context)
    }
    guard request.method == .GET || request.method == .HEAD else {
      return write(.methodNotAllowed, Self.plainText, "Only GET and HEAD are allowed.\n", to: request, context)
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    let wantsMetrics = path == "/metrics"
    source.report { report in
      loop.execute {
        let (handler, context) = bound.value
        guard context.channel.isActive else { return }
        if wantsMetrics {
          let format = Self.format(accepted: request.headers["accept"])
          return handler.write(.ok, format.contentType, report.text(format), to: request, context)
        }
        let isReady = report.notReady.isEmpty
        let text = isReady ? "ready\n" : report.notReady.map { "not ready: \($0.summary)\n" }.joined()
        handler.write(isReady ? .ok : .serviceUnavailable, Self.plainText, text, to: request, context)
      }
    }
  }

  /// The format that a client accepts: Prometheus' own, unless an `Accept` field names OpenMetrics 1.0.0 and does not
  /// refuse it (RFC 9110, section 12.5.1).
  static func format(accepted fields: [String]) -> MetricsText.Format {
    for range in fields.flatMap({ $0.lowercased().split(separator: ",") }) {
      let parts = range.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
      guard parts.first == "application/openmetrics-text" else { continue }
      let version = parts.first { $0.hasPrefix("version=") }
      let isRefused = parts.contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
      if !isRefused && (version == nil || version == "version=1.0.0") { return .openMetrics }
    }
    return .prometheus
  }

  /// The path of a request's target: `/metrics?x=1`, or as a proxy is asked, `http://127.0.0.1:9469/metrics` (RFC 9112,
  /// section 3.2).
  static func path(of target: String) -> Substring {
    var rest = target[...]
    if let scheme = ["http://", "https://"].first(where: { target.lowercased().hasPrefix($0) }) {
      rest = rest.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
    }
    return rest.prefix { $0 != "?" }
  }

  /// Whether a `Host` field names this machine: `localhost`, `127.0.0.1` or `[::1]`, with a port or without.
  static func isLoopback(host: String) -> Bool {
    var name = host.lowercased()[...]
    // The port follows the last colon. An IPv6 address has colons of its own, within brackets.
    if !name.hasSuffix("]"), let colon = name.lastIndex(of: ":") { name = name[..<colon] }
    if name.hasPrefix("127.") { return name.utf8.allSatisfy { $0 == UInt8(ascii: ".") || 0x30...0x39 ~= $0 } }
    return name == "localhost" || name == "[::1]"
  }

  private func write(
    _ status: HTTPResponseStatus,
    _ contentType: String,
    _ text: String,
    to request: HTTPRequestHead,
    _ context: ChannelHandlerContext
  ) {
    var head = HTTPResponseHead(version: request.version, status: status)
    head.headers.add(name: "content-type", value: contentType)
    head.headers.add(name: "content-length", value: "\(text.utf8.count)")
    head.headers.add(name: "connection", value: "close")
    if status == .methodNotAllowed { head.headers.add(name: "allow", value: "GET, HEAD") }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if request.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    }
    let channel = context.channel
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // A client that has sent its request may end its side and is answered. Without a request, no more will come.
    if let event = event as? ChannelEvent, event == .inputClosed, !hasAsked { context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
