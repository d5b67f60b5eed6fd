internal import Configuration
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NIOWebSocket
package import Processes
internal import Texts

#if canImport(Glibc)
  internal import Glibc
#endif

/// The program's side of a ``LocalDoor``. All calls come on one event loop.
package protocol LocalConversation: AnyObject {
  /// A page has sent a text.
  ///
  /// - Returns: texts for all pages, and texts for this page behind them.
  func received(_ text: [UInt8]) -> (all: [String], own: [String])
  /// So much time has passed.
  ///
  /// - Returns: texts for all pages.
  func timePassed(milliseconds: Int) -> [String]
}

/// A door for browsers of this machine to a conversation in this process, and not to the daemon.
///
/// It listens at the loopback address, and serves everything below a path that nobody can guess. It admits only its own
/// host and origin, as ``DoorRequest`` judges them. So neither another page of the browser nor another user of the
/// machine reaches the conversation.
package struct LocalDoor: Sendable {
  /// How often ``LocalConversation/timePassed(milliseconds:)`` is called: too often for people to notice a delay.
  private static let tickMilliseconds = 100
  /// Bytes of one message of a page: an answer that an author types in.
  private static let messageBytesMax = 1 << 20

  private let files: [ClientFile]
  private let port: Int

  /// A door to these files, at that port; 0: any free port.
  package init(files: [ClientFile], port: Int) {
    self.files = files
    self.port = port
  }

  /// Serves until the process ends. It blocks the calling thread.
  ///
  /// - Parameters:
  ///   - conversation: makes the conversation.
  ///   - listening: called once, with the address of the door's folder.
  /// - Throws: ``StartError`` when the port cannot be had.
  package func run(
    conversation: @escaping @Sendable () -> any LocalConversation,
    listening: (String) -> Void
  ) throws(StartError) {
    let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    var configuration = WebConfiguration()
    configuration.address = MetricsConfiguration.Address(host: "127.0.0.1", port: port)
    configuration.path = "/" + .randomHex(bits: 128)
    let start = configuration
    let listener: any Channel
    do {
      let parts = try loop.submit { [files] in
        let door = Door(start, files: files, logger: Logger(label: "studio") { _ in SwiftLogNoOpLogHandler() }) { _ in
          loop.makeFailedFuture(ChannelError.operationUnsupported)
        }
        let health = HealthProbe(loop) { _ in loop.makeFailedFuture(ChannelError.operationUnsupported) }
        let pages = LocalPages(conversation())
        return (
          NIOLoopBound(door, eventLoop: loop), NIOLoopBound(health, eventLoop: loop),
          NIOLoopBound(pages, eventLoop: loop)
        )
      }.wait()
      let (door, health, pages) = parts
      listener = try DoorServer.bind(
        door,
        health,
        at: start.address,
        messageBytesMax: Self.messageBytesMax
      ) { _, _ in LocalHandler(pages.value, messageBytesMax: Self.messageBytesMax) }.wait()
      configuration.address.port = listener.localAddress?.port ?? port
      configuration.hosts = ["\(configuration.address)"]
      configuration.origins = ["http://\(configuration.address)"]
      let final = configuration
      try loop.submit {
        door.value.configuration = final
        _ = loop.scheduleRepeatedTask(
          initialDelay: .milliseconds(Int64(Self.tickMilliseconds)),
          delay: .milliseconds(Int64(Self.tickMilliseconds))
        ) { _ in pages.value.timePassed(milliseconds: Self.tickMilliseconds) }
      }.wait()
    } catch {
      let isInUse = (error as? IOError)?.errnoCode == EADDRINUSE
      throw StartError(
        isInUse
          ? "port \(port) is in use by another process; choose another one with --port, or leave it out"
          : "port \(port) cannot be had (\(error))"
      )
    }
    listening("http://\(configuration.address)\(configuration.path)/")
    try? listener.closeFuture.wait()
  }
}

/// The pages that are connected to a conversation.
final class LocalPages {
  private let conversation: any LocalConversation
  private var pages: [ObjectIdentifier: LocalHandler] = [:]

  init(_ conversation: any LocalConversation) { self.conversation = conversation }

  func came(_ page: LocalHandler) { pages[ObjectIdentifier(page)] = page }

  func left(_ page: LocalHandler) { pages[ObjectIdentifier(page)] = nil }

  func received(_ text: [UInt8], from page: LocalHandler) {
    let answer = conversation.received(text)
    tell(answer.all)
    page.tell(answer.own)
  }

  func timePassed(milliseconds: Int) { tell(conversation.timePassed(milliseconds: milliseconds)) }

  private func tell(_ texts: [String]) {
    for page in pages.values { page.tell(texts) }
  }
}

/// The WebSocket of one page.
final class LocalHandler: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let pages: LocalPages
  private var assembly: MessageAssembly
  /// Set while the channel is open.
  private var context: ChannelHandlerContext?

  init(_ pages: LocalPages, messageBytesMax: Int) {
    self.pages = pages
    assembly = MessageAssembly(messageBytesMax: messageBytesMax)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    pages.came(self)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    self.context = nil
    pages.left(self)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch assembly.received(unwrapInboundIn(data)) {
    case .nothing, .pong: break
    case .text(let text): pages.received(Array(text.readableBytesView), from: self)
    case .ping(let data): write(.pong, data)
    case .close(let reason), .violation(let reason): close(reason)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  /// Sends texts, each as one message.
  func tell(_ texts: [String]) {
    for text in texts { write(.text, ByteBuffer(string: text)) }
  }

  private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
    context?.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
  }

  private func close(_ reason: CloseReason) {
    guard let context else { return }
    var data = ByteBuffer(integer: reason.code)
    data.writeString(reason.text)
    let channel = context.channel
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.writeAndFlush(
      wrapOutboundOut(WebSocketFrame(fin: true, opcode: .connectionClose, data: data)),
      promise: sent
    )
  }
}
