internal import NIOCore

/// Bounds what a connection sends before it is a WebSocket: its bytes here, its time by ``Door/requestMax``.
final class RequestBounds: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Bytes of a request: its head, and a body that nothing reads. Browsers and proxies keep to 8 KB.
  static let bytesMax = 16_384

  private var bytes = 0

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    bytes += unwrapInboundIn(data).readableBytes
    guard bytes > Self.bytesMax else { return context.fireChannelRead(data) }
    guard bytes < .max / 2 else { return }
    bytes = .max / 2
    let channel = context.channel
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
    let answer = "HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: sent)
  }
}
