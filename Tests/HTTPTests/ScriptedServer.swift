internal import HTTP
internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

/// A server on loopback that sends the bytes of a script unchecked, and records the bytes that it receives.
final class ScriptedServer: Sendable {
  /// The answers of the server to requests, or to a new connection.
  struct Script: Sendable {
    /// The bytes for each request on one connection. After the last of them, each request gets the last bytes again.
    var answers: [String]
    /// Whether the first bytes are sent before a request has arrived.
    var answersAtOnce = false
    /// Whether the server closes a connection once it has sent the last bytes.
    var closes = true
    /// A text that is sent again and again after the last bytes, as long as the client takes it.
    var endless: String?

    static func text(_ text: String) -> Script { Script(answers: [text]) }
  }

  private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  private let channel: any Channel
  /// The header of each request, in the order of arrival.
  let requests = NIOLockedValueBox<[String]>([])
  /// How many connections were accepted.
  let connections = NIOLockedValueBox(0)
  /// One element for each connection that ended.
  let closings: AsyncStream<Void>

  /// Starts a server.
  ///
  /// - Parameter socket: the path of a Unix socket; nil for a port of the system's choosing.
  init(_ script: Script, socket: String? = nil) async throws {
    let (closings, closed) = AsyncStream.makeStream(of: Void.self)
    self.closings = closings
    let (requests, connections) = (requests, connections)
    let bootstrap = ServerBootstrap(group: group).childChannelInitializer { channel in
      channel.eventLoop.makeCompletedFuture {
        connections.withLockedValue { $0 += 1 }
        try channel.pipeline.syncOperations.addHandler(ScriptHandler(script, requests, closed))
      }
    }
    channel =
      if let socket { try await bootstrap.bind(unixDomainSocketPath: socket).get() } else {
        try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
      }
  }

  /// `http://127.0.0.1:PORT`.
  var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }

  func stop() async throws {
    try await channel.close()
    try await group.shutdownGracefully()
  }
}

/// Plays the script on one connection. Requests of the tests have no body, or one that is there with the header.
private final class ScriptHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let script: ScriptedServer.Script
  private let requests: NIOLockedValueBox<[String]>
  private let closed: AsyncStream<Void>.Continuation
  private var text = ""
  private var answered = 0

  init(
    _ script: ScriptedServer.Script,
    _ requests: NIOLockedValueBox<[String]>,
    _ closed: AsyncStream<Void>.Continuation
  ) {
    self.script = script
    self.requests = requests
    self.closed = closed
  }

  func channelActive(context: ChannelHandlerContext) {
    if script.answersAtOnce { answer(context) }
  }

  func channelInactive(context: ChannelHandlerContext) { closed.yield() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    text += String(buffer: unwrapInboundIn(data))
    // The bytes of a body follow in the same read or in a later one, and are ignored.
    guard let end = text.firstRange(of: "\r\n\r\n") else { return }
    let header = String(text[..<end.lowerBound])
    text = ""
    requests.withLockedValue { $0.append(header) }
    if !script.answersAtOnce { answer(context) }
  }

  private func answer(_ context: ChannelHandlerContext) {
    let isLast = answered >= script.answers.count - 1
    let bytes = script.answers[min(answered, script.answers.count - 1)]
    answered += 1
    let written = context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: bytes)))
    if let endless = script.endless {
      repeatForEver(ByteBuffer(string: String(repeating: endless, count: 1000)), context)
    } else if isLast, script.closes {
      let context = NIOLoopBound(context, eventLoop: context.eventLoop)
      written.whenComplete { _ in context.value.close(promise: nil) }
    }
  }

  private func repeatForEver(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
    let loop = context.eventLoop
    let bound = NIOLoopBound((self, context), eventLoop: loop)
    context.writeAndFlush(wrapOutboundOut(bytes)).whenSuccess {
      // In the loop's next round: a write that succeeds at once would call this again and again.
      loop.execute {
        let (handler, context) = bound.value
        handler.repeatForEver(bytes, context)
      }
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension HTTPClient {
  /// Waits for the outcome of one request.
  func outcome(_ request: HTTPRequest) async -> Result<HTTPResponse, HTTPFailure> {
    await withCheckedContinuation { continuation in send(request) { continuation.resume(returning: $0) } }
  }
}

extension Result<HTTPResponse, HTTPFailure> {
  /// The status of the answer; nil for a failure.
  var status: Int? { (try? get())?.status }

  /// The kind of the failure; nil for an answer.
  var failure: HTTPFailure.Kind? { if case .failure(let failure) = self { failure.kind } else { nil } }
}

/// Runs a test with a server that plays a script, and a client.
func withServer(
  _ script: ScriptedServer.Script,
  socket: String? = nil,
  idleTimeout: Duration = .seconds(24 * 3600),
  _ body: (ScriptedServer, HTTPClient) async throws -> Void
) async throws {
  let server = try await ScriptedServer(script, socket: socket)
  let client = HTTPClient(connectionsMax: 8, idleTimeout: idleTimeout)
  let result: Result<Void, any Error>
  do { result = .success(try await body(server, client)) } catch { result = .failure(error) }
  await client.close()
  try await server.stop()
  try result.get()
}

extension HTTPRequest {
  /// A request for which a small answer is enough.
  static func to(_ url: String, _ method: String = "GET", body: String? = nil) -> HTTPRequest {
    HTTPRequest(url: url, method: method, body: body.map { Array($0.utf8) }, answerBytesMax: 1000)
  }
}
