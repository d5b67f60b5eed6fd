internal import Logging
internal import NIOCore

/// Logs why clients cannot be accepted. An `AcceptBackoffHandler` behind it waits a while then. A listener that is
/// asked again at once fails with the same error, and the loop would do nothing else.
final class AcceptErrorHandler: ChannelInboundHandler {
  typealias InboundIn = Never

  private let logger: Logger

  init(logger: Logger) {
    self.logger = logger
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    logger.error("the daemon cannot accept a client, and tries again in one second", metadata: ["why": "\(error)"])
    context.fireErrorCaught(error)
  }
}
