internal import NIOCore

/// Sends the reason why a connection cannot be served, and ends it.
final class RefusalHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let answer: [UInt8]

  init(answer: [UInt8]) {
    self.answer = answer
  }

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    let promise = context.eventLoop.makePromise(of: Void.self)
    promise.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(channel.allocator.buffer(bytes: answer)), promise: promise)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Nothing is read from a connection that is not served.
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
