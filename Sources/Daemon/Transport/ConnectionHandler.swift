package import NIOCore
package import Server

/// Joins a NIO channel to a connection. It only passes on: bytes as they come in, output in one piece when all that had
/// arrived is handled.
///
/// It lives on one event loop, as everything that it touches does; NIO calls a channel's handlers on that loop only.
package final class ConnectionHandler: ChannelDuplexHandler {
  package typealias InboundIn = ByteBuffer
  package typealias OutboundIn = Never
  package typealias OutboundOut = ByteBuffer

  private let server: FormServer
  private let peer: Peer?
  private var connection: ClientConnection?
  /// Set while the channel is active.
  private var context: ChannelHandlerContext?
  /// Whether input is wanted.
  private var isReading = true
  /// A read that was asked for while no input was wanted.
  private var readIsPending = false
  /// Set while this handler writes: changes of writability are read afterwards.
  private var isWriting = false
  /// Events that came while this handler wrote and are still to be passed on.
  private var deferredEvents = 0

  /// A handler for one fresh channel to that peer, if it is known.
  package init(server: FormServer, peer: Peer? = nil) {
    self.server = server
    self.peer = peer
  }

  package func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if context.channel.isActive, connection == nil { connection = server.accept(self, from: peer) }
  }

  package func handlerRemoved(context: ChannelHandlerContext) {
    closed()
    self.context = nil
  }

  package func channelActive(context: ChannelHandlerContext) {
    if connection == nil { connection = server.accept(self, from: peer) }
    context.fireChannelActive()
  }

  package func channelInactive(context: ChannelHandlerContext) {
    closed()
    context.fireChannelInactive()
  }

  private func closed() {
    guard let connection else { return }
    self.connection = nil
    passOn { connection.closed() }
  }

  @inline(__always)
  private var isDeferring: Bool { isWriting || deferredEvents > 0 }

  /// Passes an event on to the connection. A write that fails reads the rest of the input and closes the channel before
  /// it returns, inside the code that wrote. Such events, and the events behind them, are passed on after the write.
  private func passOn(_ event: @escaping () -> Void) {
    guard isDeferring, let loop = context?.eventLoop.assumeIsolated() else { return event() }
    deferredEvents += 1
    loop.execute { [self] in
      deferredEvents -= 1
      event()
    }
  }

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let connection else { return }
    let buffer = unwrapInboundIn(data)
    if isDeferring {
      passOn { buffer.withUnsafeReadableBytes { connection.received($0.assumingMemoryBound(to: UInt8.self)) } }
    } else {
      buffer.withUnsafeReadableBytes { connection.received($0.assumingMemoryBound(to: UInt8.self)) }
    }
  }

  package func channelReadComplete(context: ChannelHandlerContext) {
    guard let connection else { return }
    if isDeferring { passOn { connection.receivedAll() } } else { connection.receivedAll() }
  }

  package func channelWritabilityChanged(context: ChannelHandlerContext) {
    guard !isWriting, context.channel.isWritable else { return }
    connection?.becameWritable()
  }

  package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if let event = event as? ChannelEvent, event == .inputClosed {
      guard let connection else { return }
      passOn { connection.inputEnded() }
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // A reset or a broken pipe: the client is gone, which is not an error.
    context.close(promise: nil)
  }

  package func read(context: ChannelHandlerContext) {
    if isReading { context.read() } else { readIsPending = true }
  }
}

extension ConnectionHandler: ConnectionTransport {
  package func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let context else { return true }
    var buffer = context.channel.allocator.buffer(capacity: bytes.count)
    buffer.writeBytes(UnsafeRawBufferPointer(bytes))
    isWriting = true
    context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    isWriting = false
    return context.channel.isWritable
  }

  package var unsentBytes: Int {
    guard let channel = context?.channel,
      let bytes = try? channel.syncOptions?.getOption(.bufferedWritableBytes)
    else { return 0 }
    return bytes
  }

  package var inFlightBytes: Int {
    unsentBytes + (context.map { SocketMemory.inFlightBytes(of: $0.channel) } ?? 0)
  }

  package func setReading(_ isReading: Bool) {
    self.isReading = isReading
    if isReading, readIsPending {
      readIsPending = false
      context?.read()
    }
  }

  package func closeAfterSending() {
    guard let context else { return }
    if unsentBytes == 0 { return context.close(promise: nil) }
    // Writes are done in order: when an empty one is done, so are all before it.
    let promise = context.eventLoop.makePromise(of: Void.self)
    let channel = context.channel
    promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(capacity: 0)), promise: promise)
  }

  package func abort() {
    context?.close(promise: nil)
  }
}
