internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix

/// A real HTTP server on loopback, in the test's own process; the path of a request says how it answers.
final class TestHTTPServer: Sendable {
  private let channel: any Channel
  /// The requests and connections that the server has seen so far.
  let log: TestHTTPServerLog

  /// Starts a server on a port of the system's choosing.
  init(group: any EventLoopGroup) async throws {
    let log = TestHTTPServerLog()
    self.log = log
    channel = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          log.connected()
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(TestHTTPHandler(log: log))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  /// `http://127.0.0.1:PORT`.
  var baseURL: String { "http://127.0.0.1:\(port)" }

  /// The port that the system chose.
  var port: Int { channel.localAddress?.port ?? 0 }

  /// Stops listening.
  func stop() async throws {
    try await channel.close()
  }
}

/// The events of a test server. Tests wait on its streams instead of on time.
final class TestHTTPServerLog: Sendable {
  private let count = NIOLockedValueBox(0)
  /// One element per request whose end was received: its path.
  let requests: AsyncStream<String>
  /// One element per connection that was closed.
  let closings: AsyncStream<Void>
  private let requestSeen: AsyncStream<String>.Continuation
  private let closingSeen: AsyncStream<Void>.Continuation

  init() {
    (requests, requestSeen) = AsyncStream.makeStream()
    (closings, closingSeen) = AsyncStream.makeStream()
  }

  /// Connections accepted so far.
  var connections: Int { count.withLockedValue { $0 } }

  func connected() { count.withLockedValue { $0 += 1 } }
  func requested(_ path: String) { requestSeen.yield(path) }
  func closed() { closingSeen.yield() }
}

private final class TestHTTPHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let log: TestHTTPServerLog
  private var head: HTTPRequestHead?
  private var body = ""

  init(log: TestHTTPServerLog) {
    self.log = log
  }

  func channelInactive(context: ChannelHandlerContext) {
    log.closed()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      self.head = head
      body = ""
    case .body(let part): body += String(buffer: part)
    case .end:
      guard let head else { return }
      answer(head, context: context)
      log.requested(head.uri)
    }
  }

  private func answer(_ head: HTTPRequestHead, context: ChannelHandlerContext) {
    let path = String(head.uri.prefix { $0 != "?" })
    switch path {
    case "/ok": send(200, #"{"name":"Kim"}"#, context: context)
    case "/bad-request": send(400, #"{"error":"no"}"#, context: context)
    case "/server-error": send(500, "oops", type: "text/plain; charset=utf-8", context: context)
    case "/problem": send(422, #"{"title":"no"}"#, type: "application/problem+json; charset=utf-8", context: context)
    case "/garbage": send(200, "{oops", context: context)
    case "/deep": send(200, String(repeating: "[", count: 65) + String(repeating: "]", count: 65), context: context)
    case "/empty-json": send(200, "", context: context)
    case "/no-content": send(204, nil, type: nil, context: context)
    case "/big": send(200, "\"" + String(repeating: "x", count: 5000) + "\"", context: context)
    case "/long": send(200, "\"" + String(repeating: "x", count: 200_000) + "\"", context: context)
    case "/redirect":
      send(302, nil, type: nil, headers: [("Location", "/ok"), ("X-Twice", "a"), ("x-twice", "b")], context: context)
    case "/echo":
      let headers = head.headers.map { "\($0.name.lowercased()): \($0.value)" }.joined(separator: "\n")
      send(200, "\(head.method.rawValue) \(head.uri)\n\(headers)\n\n\(body)", type: "text/plain", context: context)
    case "/hang-up": context.close(promise: nil)
    case "/slow-body":
      let head = HTTPResponseHead(
        version: .http1_1,
        status: .ok,
        headers: ["content-type": "application/json", "content-length": "100"]
      )
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "{\"na")))), promise: nil)
    case "/silence": break
    default: send(404, "{}", context: context)
    }
  }

  private func send(
    _ status: Int,
    _ text: String?,
    type: String? = "application/json",
    headers: [(String, String)] = [],
    context: ChannelHandlerContext
  ) {
    var all = HTTPHeaders(headers)
    if let type { all.add(name: "Content-Type", value: type) }
    if status != 204 { all.add(name: "content-length", value: "\(text?.utf8.count ?? 0)") }
    let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: all)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if let text { context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}
