internal import FormProtocol
internal import JSONRPC
internal import NIOCore

/// Asks the daemon whether it lives. Requests that come while a question is under way share its answer.
final class HealthProbe {
  /// How long the daemon may take.
  static let answerMax = TimeAmount.seconds(5)

  private let loop: any EventLoop
  /// Opens a connection to the daemon with those handlers.
  private let connect: (_ handler: any ChannelHandler) -> EventLoopFuture<any Channel>
  private var asked: EventLoopFuture<Void>?

  init(_ loop: any EventLoop, connect: @escaping (_ handler: any ChannelHandler) -> EventLoopFuture<any Channel>) {
    self.loop = loop
    self.connect = connect
  }

  /// Asks. The future fails if the daemon does not answer.
  func ask() -> EventLoopFuture<Void> {
    if let asked { return asked }
    let answered = loop.makePromise(of: Void.self)
    asked = answered.futureResult
    answered.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.asked = nil }
    let handler = PingHandler(answered)
    connect(handler).assumeIsolated().whenComplete { result in
      switch result {
      case .success(let channel):
        let deadline = channel.eventLoop.scheduleTask(in: Self.answerMax) { channel.close(promise: nil) }
        answered.futureResult.whenComplete { _ in
          deadline.cancel()
          channel.close(promise: nil)
        }
        let ping = ServerPingParams().requestText(id: PingHandler.id) + "\n"
        channel.writeAndFlush(ByteBuffer(string: ping), promise: nil)
      case .failure(let error): answered.fail(error)
      }
    }
    return answered.futureResult
  }
}

/// Waits for the answer to a ping.
private final class PingHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  static let id: Int64 = 1

  private let answered: EventLoopPromise<Void>
  private var reader = RPCReader(limits: RPCLimits(), framing: .lines)

  init(_ answered: EventLoopPromise<Void>) {
    self.answered = answered
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    unwrapInboundIn(data).withUnsafeReadableBytes { bytes in
      var input = bytes.bindMemory(to: UInt8.self)
      while let event = reader.next(&input) {
        switch event {
        case .text(let text): reader.read(text)
        case .response(.integer(Self.id), .some, _): answered.succeed()
        default: break
        }
      }
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    answered.fail(ChannelError.eof)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
