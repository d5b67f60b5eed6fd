internal import Configuration
internal import Files
internal import FormProtocol
internal import JSON
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOWebSocket
internal import Processes
internal import Times

#if canImport(Glibc)
  internal import Glibc
#endif

/// Joins a ``Door`` to sockets: it listens for browsers, and connects to the daemon.
enum DoorServer {
  /// Connections that wait to be accepted, at most.
  private static let backlog: Int32 = 1_024
  /// What the system holds for a browser that reads slowly. It is small, so that the daemon soon merges what is not
  /// read, and so that a ping does not wait behind megabytes.
  private static let sendBufferBytes = 65_536
  /// What the system holds of a browser's messages that the door has not read.
  private static let receiveBufferBytes = 65_536
  /// How much is read of a browser at a time: a few messages. All browsers that have sent something are read in turn,
  /// so one that sends little waits no longer than the others' few messages take.
  private static let browserReadBuffer = AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 512, maximum: 1_024)
  /// The same for the daemon's messages to one browser, which are longer.
  private static let daemonReadBuffer = AdaptiveRecvByteBufferAllocator(minimum: 256, initial: 512, maximum: 2_048)
  /// How long a connection to the daemon may take.
  private static let connectMax = TimeAmount.seconds(5)

  /// A door whose browsers are connected to the daemon at that path. To be called on the loop.
  static func door(
    _ configuration: WebConfiguration,
    files: [ClientFile],
    daemon: String,
    on loop: any EventLoop,
    logger: Logger
  ) -> Door {
    Door(configuration, files: files, logger: logger) { link in
      connect(link, to: daemon, on: loop).map { _ in () }
    }
  }

  /// A probe of the daemon at that path. To be called on the loop.
  static func probe(daemon: String, on loop: any EventLoop) -> HealthProbe {
    HealthProbe(loop) { handler in connect(handler, to: daemon, on: loop) }
  }

  private static func connect(
    _ handler: any ChannelHandler,
    to path: String,
    on loop: any EventLoop
  ) -> EventLoopFuture<any Channel> {
    let handler = NIOLoopBound(handler, eventLoop: loop)
    return ClientBootstrap(group: loop)
      .connectTimeout(connectMax)
      .channelOption(.maxMessagesPerRead, value: 1)
      .channelOption(.recvAllocator, value: daemonReadBuffer)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(handler.value) }
      }
      .connect(unixDomainSocketPath: path)
  }

  /// Listens at the door's address.
  ///
  /// - Parameter browser: makes the handler of a WebSocket, for the address of its browser. It is called on the loop.
  /// - Throws: ``StartError`` when the address cannot be had.
  static func listen(
    _ door: NIOLoopBound<Door>,
    _ health: NIOLoopBound<HealthProbe>,
    at address: MetricsConfiguration.Address,
    messageBytesMax: Int,
    browser: @escaping @Sendable (Door, InternetAddress) -> any ChannelHandler
  ) async throws(StartError) -> any Channel {
    do {
      return try await bind(door, health, at: address, messageBytesMax: messageBytesMax, browser: browser).get()
    } catch {
      throw StartError(reason(address, error))
    }
  }

  /// The same, without waiting and without words for the error.
  static func bind(
    _ door: NIOLoopBound<Door>,
    _ health: NIOLoopBound<HealthProbe>,
    at address: MetricsConfiguration.Address,
    messageBytesMax: Int,
    browser: @escaping @Sendable (Door, InternetAddress) -> any ChannelHandler
  ) -> EventLoopFuture<any Channel> {
    let upgrader = upgrader(door, messageBytesMax: messageBytesMax, browser: browser)
    return ServerBootstrap(group: door.eventLoop)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelOption(.backlog, value: backlog)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false))
        }
      }
      // Each message is small, and goes at once.
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelOption(.socketOption(.so_sndbuf), value: sendBufferBytes)
      .childChannelOption(.socketOption(.so_rcvbuf), value: receiveBufferBytes)
      .childChannelOption(.maxMessagesPerRead, value: 1)
      .childChannelOption(.recvAllocator, value: browserReadBuffer)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try welcome(channel, door.value, health.value, upgrader) }
      }
      .bind(host: address.host, port: address.port)
  }

  private static func welcome(
    _ channel: any Channel,
    _ door: Door,
    _ health: HealthProbe,
    _ upgrader: NIOWebSocketServerUpgrader
  ) throws {
    door.accepted(channel)
    let pipeline = channel.pipeline.syncOperations
    try pipeline.addHandler(RequestBounds())
    try pipeline.configureHTTPServerPipeline(
      withPipeliningAssistance: false,
      withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }),
      withErrorHandling: true
    )
    try pipeline.addHandler(RequestHandler(door, health))
    let loop = channel.eventLoop.assumeIsolated()
    let deadline = loop.scheduleTask(in: Door.requestMax) { channel.close(promise: nil) }
    try pipeline.addHandler(RequestDeadline(deadline))
    channel.closeFuture.assumeIsolated().whenComplete { _ in door.forget(channel) }
  }

  private static func upgrader(
    _ door: NIOLoopBound<Door>,
    messageBytesMax: Int,
    browser: @escaping @Sendable (Door, InternetAddress) -> any ChannelHandler
  ) -> NIOWebSocketServerUpgrader {
    NIOWebSocketServerUpgrader(
      maxFrameSize: messageBytesMax,
      automaticErrorHandling: false,
      shouldUpgrade: { channel, head in
        let isAllowed = DoorRequest(head, door.value.configuration, files: []) == .socket
        return channel.eventLoop.makeSucceededFuture(
          isAllowed ? ["sec-websocket-protocol": DoorRequest.subprotocol] : nil
        )
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          let door = door.value
          let pipeline = channel.pipeline.syncOperations
          for context in [
            try pipeline.context(handlerType: RequestBounds.self),
            try pipeline.context(handlerType: RequestHandler.self),
            try pipeline.context(handlerType: RequestDeadline.self),
          ] {
            pipeline.removeHandler(context: context, promise: nil)
          }
          let address = address(of: head, on: channel, door.configuration)
          try pipeline.addHandler(browser(door, address))
          door.forget(channel)
        }
      }
    )
  }

  /// The address of the browser that made a request, as the trusted proxies say.
  static func address(
    of head: HTTPRequestHead,
    on channel: any Channel,
    _ configuration: WebConfiguration
  ) -> InternetAddress {
    guard let peer = channel.remoteAddress?.ipAddress.flatMap({ InternetAddress($0) }) else { return .unspecified }
    return InternetAddress.client(
      of: peer,
      forwarded: head.headers["x-forwarded-for"],
      trusted: configuration.trustedProxies
    )
  }

  /// Why the daemon cannot be reached, in words for the operator.
  static func reason(ofDaemon error: any Error) -> String {
    switch (error as? IOError)?.errnoCode {
    case ENOENT: return "the socket does not exist: no daemon has started there"
    case ECONNREFUSED: return "no daemon listens at the socket"
    case EACCES, EPERM: return "this user may not open the socket"
    case ENOTSOCK: return "this is not a socket"
    case EAGAIN: return "the daemon accepts no more connections for now"
    case EMFILE, ENFILE: return "too many files are open"
    case let code?: return "\(SystemError(code: code))"
    case nil: break
    }
    switch error as? ChannelError {
    case .eof, .inputClosed, .ioOnClosedChannel, .alreadyClosed:
      return
        "the daemon has ended the connection, or has not answered for \(HealthProbe.answerMax.nanoseconds / 1_000_000_000) s"
    case .connectTimeout(let time): return "no connection within \(time.nanoseconds / 1_000_000_000) s"
    default: return "\(error)"
    }
  }

  private static func reason(_ address: MetricsConfiguration.Address, _ error: any Error) -> String {
    switch (error as? IOError)?.errnoCode {
    case EADDRINUSE:
      "the address \(address) is in use: another process listens there, perhaps a formd-web with the same "
        + "configuration; choose another port in web.address"
    case EADDRNOTAVAIL:
      "the address \(address) is not an address of this machine; write one of its addresses in web.address"
    case EACCES: "the address \(address) cannot be used: ports below 1024 need root; choose another in web.address"
    case let code?: "the address \(address) cannot be used: \(SystemError(code: code))"
    case nil: "the address \(address) cannot be used: \(error)"
    }
  }
}

/// Holds the deadline of a connection that is not a WebSocket yet.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = Never

  private let deadline: Scheduled<Void>

  init(_ deadline: Scheduled<Void>) {
    self.deadline = deadline
  }

  func handlerRemoved(context: ChannelHandlerContext) { deadline.cancel() }
}
