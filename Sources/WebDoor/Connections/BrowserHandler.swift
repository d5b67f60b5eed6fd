internal import Configuration
internal import Logging
internal import NIOCore
internal import NIOWebSocket
internal import Times

/// Joins the WebSocket of one browser to the browser's connection to the daemon. It only performs what its
/// ``MessageAssembly`` and its ``BrowserConversation`` decide.
///
/// Backpressure: it reads from the browser while the daemon's socket takes more, and lets ``DaemonLink`` read from the
/// daemon while the browser's socket does. So the system's buffers fill, and the daemon sees a slow reader and merges.
/// The bytes that wait here are bounded: by one read, the marks of both channels, and one line of the daemon. When the
/// browser ends its connection, all that the system holds of it may wait here (``FrameTurns``).
final class BrowserHandler: ChannelDuplexHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundIn = Never
  typealias OutboundOut = WebSocketFrame

  /// How often the browser must show that it is there. Proxies cut a silent connection after 60 s (nginx,
  /// proxy_read_timeout).
  static let pingInterval = TimeAmount.seconds(25)
  /// Bytes of the head of a frame without a mask (RFC 6455, section 5.2).
  static let headBytesMax = 10
  /// How long a browser has for its close frame, after the door has sent one.
  static let closeMax = TimeAmount.seconds(2)

  private enum Link {
    /// The browser has said nothing yet. Then `connecting`.
    case none
    /// These texts wait for the connection. Then `connected` or `none`.
    case connecting(DaemonLink, waiting: [ByteBuffer])
    /// Then `none`.
    case connected(DaemonLink)
  }

  private let door: Door
  private let address: InternetAddress
  private var conversation: BrowserConversation
  private var assembly: MessageAssembly
  private var link = Link.none
  /// Set while the channel is open.
  private var context: ChannelHandlerContext?
  /// Whether the browser counts for its address.
  private var isCounted = false
  /// Whether the door has sent its close frame.
  private var isClosing = false
  /// How many frames are read behind the door's close frame, at most.
  private var framesLeft = 1_000
  /// Whether anything has come since the last ping, or the browser's full socket has taken more.
  private var isAlive = true
  private var share = FrameTurns.Share()
  /// Frames that wait for the browser's turn. Nothing is read while there are any.
  private var waiting: CircularBuffer<MessageAssembly.Event> = []
  /// Whether the browser waits for its turn (``FrameTurns/wait(_:)``).
  private var waitsForTurn = false
  /// Whether input of the browser is wanted.
  private var isReading = true
  /// A read that was asked for while no input was wanted.
  private var readIsPending = false
  private var timers: [Scheduled<Void>] = []

  /// A handler for a fresh WebSocket of a browser at that address.
  init(_ door: Door, address: InternetAddress, at now: Instant) {
    self.door = door
    self.address = address
    conversation = BrowserConversation(door.configuration, at: now)
    assembly = MessageAssembly(messageBytesMax: door.configuration.limits[.messageBytesMax])
  }

  // MARK: The life of the connection

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    let now = Instant(context.eventLoop)
    if let reason = door.came(self, from: address, at: now) { return close(reason) }
    isCounted = true
    if let wakeUp = conversation.wakeUp {
      after(.nanoseconds(wakeUp.nanoseconds - now.nanoseconds)) { handler, now in
        if let reason = handler.conversation.timePassed(now) { handler.close(reason) }
      }
    }
    pingLater()
  }

  func handlerRemoved(context: ChannelHandlerContext) { gone() }

  func channelInactive(context: ChannelHandlerContext) {
    gone()
    context.fireChannelInactive()
  }

  private func gone() {
    guard context != nil else { return }
    context = nil
    for timer in timers { timer.cancel() }
    timers = []
    // The door still handles all that the browser has sent before its end.
    if !waitsForTurn { left() }
  }

  /// The browser is gone, and all that it has sent is handled.
  private func left() {
    conversation.end()
    closeLink()
    door.left(self, from: isCounted ? address : nil)
  }

  private func after(_ time: TimeAmount, _ act: @escaping (BrowserHandler, Instant) -> Void) {
    guard let loop = context?.eventLoop else { return }
    timers.append(
      loop.assumeIsolated().scheduleTask(in: time) { [weak self] in
        if let self, context != nil { act(self, Instant(loop)) }
      }
    )
  }

  private func pingLater() {
    after(Self.pingInterval) { handler, _ in
      guard handler.isAlive else { return handler.abort() }
      handler.isAlive = false
      handler.timers.removeFirst(handler.timers.count - 1)
      if !handler.isClosing { handler.writeAndFlush(.ping, ByteBuffer()) }
      handler.pingLater()
    }
  }

  /// Closes the connection in order: the browser has a moment to read the reason.
  ///
  /// - Parameter isAnswer: whether the browser has sent its close frame, and waits for the end of the connection.
  func close(_ reason: CloseReason, isAnswer: Bool = false) {
    guard !isClosing else { return }
    isClosing = true
    conversation.end()
    closeLink()
    waiting.removeAll()
    guard let context else { return }
    if reason != .normal {
      door.logger.info(
        "a browser was sent away",
        metadata: ["code": "\(reason.code)", "why": "\(reason.text)", "peer": "\(address)"]
      )
    }
    var data = context.channel.allocator.buffer(capacity: 2 + CloseReason.textBytesMax)
    data.writeInteger(reason.code)
    data.writeString(String(reason.text.prefix(CloseReason.textBytesMax)))
    let sent = isAnswer ? context.eventLoop.makePromise(of: Void.self) : nil
    sent?.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.abort() }
    let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    context.writeAndFlush(wrapOutboundOut(frame), promise: sent)
    after(Self.closeMax) { handler, _ in handler.abort() }
    // A connection that is closed while input waits is reset, and the browser may lose the reason.
    setReading(true)
  }

  /// Closes the connection at once.
  func abort() { context?.close(promise: nil) }

  // MARK: From the browser

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // The decoder may have more frames of a browser that is gone.
    guard self.context != nil || waitsForTurn else { return }
    isAlive = true
    let event = assembly.received(unwrapInboundIn(data))
    if isClosing {
      framesLeft -= 1
      if case .close = event { return abort() }
      if framesLeft == 0 { abort() }
      return
    }
    if event == .nothing { return }
    if !waitsForTurn, door.turns.take(&share, on: context.eventLoop) {
      return handle(event, at: Instant(context.eventLoop))
    }
    wait(event)
  }

  /// The frame waits for the browser's turn, behind the others.
  private func wait(_ event: MessageAssembly.Event) {
    // No connection may send so many at once.
    let countMax = door.configuration.limits[.messagesPerSecond] * BrowserConversation.burstSeconds
    if waiting.count > countMax { return }
    waiting.append(waiting.count < countMax ? event : .violation(.later("too many messages")))
    if !waitsForTurn {
      waitsForTurn = true
      door.turns.wait(self)
    }
  }

  private func handle(_ event: MessageAssembly.Event, at now: Instant) {
    switch event {
    case .nothing: break
    case .text(let text):
      if let reason = door.accounts.sent(address, at: now) { return close(reason) }
      perform(text.withUnsafeReadableBytes { conversation.received($0.bindMemory(to: UInt8.self), at: now) }, text)
    case .pong:
      if let reason = conversation.counted(at: now) { return close(reason) }
    case .ping(let data):
      if let reason = conversation.counted(at: now) { return close(reason) }
      // A browser that reads nothing gets no more of them.
      if context?.channel.isWritable == true { writeAndFlush(.pong, data) }
    case .close(let reason): close(reason, isAnswer: true)
    case .violation(let reason): close(reason)
    }
  }

  /// The browser has its turn.
  ///
  /// - Returns: whether it waits for another one.
  func handleWaiting(atMost count: Int, at now: Instant) -> Bool {
    // A browser that is gone before it had a session has nothing to say.
    if context == nil, !isConnected { waiting.removeAll() }
    for _ in 0..<count {
      guard let event = waiting.popFirst() else { break }
      handle(event, at: now)
    }
    if case .connected(let link) = link { link.flush() }
    context?.flush()
    waitsForTurn = !waiting.isEmpty
    if waitsForTurn { return true }
    if context == nil { left() }
    readAgain()
    return false
  }

  private func perform(_ decision: BrowserConversation.Decision, _ message: ByteBuffer) {
    switch decision {
    case .nothing: break
    case .pass: sendToDaemon(message)
    case .begin(let text, let keep):
      guard let now = context.map({ Instant($0.eventLoop) }) else { return }
      if let keep, let reason = door.accounts.opened(address, keep: keep, at: now) { return close(reason) }
      sendToDaemon(ByteBuffer(bytes: text))
    case .answer(let text):
      guard let context else { return }
      // Such answers are for programs that do what no page needs. They are not kept for a program that reads nothing.
      guard context.channel.isWritable else { return close(.policy("answers are not read")) }
      write(.text, ByteBuffer(bytes: text))
    case .close(let reason): close(reason)
    }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    if case .connected(let link) = link { link.flush() }
    context.flush()
    context.fireChannelReadComplete()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case NIOWebSocketError.invalidFrameLength: violated(.tooLarge(door.configuration.limits[.messageBytesMax]))
    case is NIOWebSocketError: violated(.protocolError("a control frame is too long, or in parts"))
    // More bytes behind such a frame.
    case is ByteToMessageDecoderError: break
    // A reset or a broken pipe: the browser is gone, which is not an error.
    default: context.close(promise: nil)
    }
  }

  /// The browser has sent what it may not, behind the frames that wait.
  private func violated(_ reason: CloseReason) {
    if waitsForTurn { wait(.violation(reason)) } else { close(reason) }
  }

  func read(context: ChannelHandlerContext) {
    if isReading, !waitsForTurn { context.read() } else { readIsPending = true }
  }

  private func setReading(_ isReading: Bool) {
    self.isReading = isReading
    readAgain()
  }

  private func readAgain() {
    if isReading, !waitsForTurn, readIsPending {
      readIsPending = false
      context?.read()
    }
  }

  // MARK: To the browser

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    // The browser reads, however slowly. A ping waits behind all that it has not read.
    if context.channel.isWritable { isAlive = true }
    if case .connected(let link) = link { link.setReading(context.channel.isWritable) }
    context.fireChannelWritabilityChanged()
  }

  private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
    context?.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
  }

  private func writeAndFlush(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
    write(opcode, data)
    context?.flush()
  }

  // MARK: The daemon

  private func sendToDaemon(_ text: ByteBuffer) {
    switch link {
    case .none: connect(text)
    // This message was read together with the first call.
    case .connecting(let fresh, let waiting): link = .connecting(fresh, waiting: waiting + [text])
    case .connected(let link): link.write(text)
    }
  }

  private func connect(_ text: ByteBuffer) {
    let fresh = DaemonLink(to: self)
    link = .connecting(fresh, waiting: [text])
    setReading(false)
    door.connect(fresh).assumeIsolated().whenComplete { [weak self] result in
      guard let self, context != nil, !isClosing, case .connecting(_, let waiting) = link else { return fresh.close() }
      switch result {
      case .success:
        link = .connected(fresh)
        for text in waiting { fresh.write(text) }
        fresh.flush()
        daemonWritabilityChanged(fresh.isWritable)
        fresh.setReading(context?.channel.isWritable ?? false)
      case .failure(let error):
        door.logger.warning("the daemon cannot be reached", metadata: ["why": "\(DoorServer.reason(ofDaemon: error))"])
        link = .none
        if let reason = conversation.daemonMissing() { close(reason) }
      }
    }
  }

  /// Whether the daemon gets what the browser sends.
  private var isConnected: Bool { if case .connected = link { true } else { false } }

  private func closeLink() {
    switch link {
    case .none: break
    case .connecting(let link, _): link.close()
    case .connected(let link):
      link.flush()
      link.close()
    }
    link = .none
  }

  /// The daemon has sent a line; ``daemonSentAll()`` follows.
  func daemonSent(_ line: ByteBuffer) {
    guard let context, !isClosing else { return }
    var reason: CloseReason?
    if conversation.isListening {
      reason = line.withUnsafeReadableBytes {
        conversation.sent($0.bindMemory(to: UInt8.self), at: Instant(context.eventLoop))
      }
    }
    // With room for the frame's head in front of it, NIO writes both in one piece.
    var data = context.channel.allocator.buffer(capacity: Self.headBytesMax + line.readableBytes)
    data.moveWriterIndex(to: Self.headBytesMax)
    data.moveReaderIndex(to: Self.headBytesMax)
    data.writeImmutableBuffer(line)
    write(.text, data)
    if let reason { close(reason) }
  }

  /// The daemon has sent nothing more for now.
  func daemonSentAll() { context?.flush() }

  /// The connection to the daemon has ended.
  func daemonEnded() {
    context?.flush()
    if let reason = conversation.daemonEnded() { close(reason) }
  }

  /// Whether the daemon's socket takes more.
  func daemonWritabilityChanged(_ isWritable: Bool) {
    if !isClosing { setReading(isWritable) }
  }
}
