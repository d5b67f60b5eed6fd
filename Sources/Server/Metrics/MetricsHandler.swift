internal import FormProtocol
internal import NIOCore
internal import NIOHTTP1

/// Answers one HTTP request, and ends its connection: `GET /metrics`, and nothing else.
final class MetricsHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let source: MetricsSource
  private var request: HTTPRequestHead?

  init(_ source: MetricsSource) {
    self.source = source
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): request = head
    case .body: break
    case .end:
      guard let request else { return }
      self.request = nil
      answer(request, context)
    }
  }

  private func answer(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let path = request.uri.prefix { $0 != "?" }
    guard path == "/metrics" else {
      return write(.notFound, "There is /metrics and nothing else.\n", to: request, context)
    }
    guard request.method == .GET || request.method == .HEAD else {
      return write(.methodNotAllowed, "GET is what is answered.\n", to: request, context)
    }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let loop = context.eventLoop
    source.text { text in
      loop.execute {
        let (handler, context) = bound.value
        guard context.channel.isActive else { return }
        handler.write(.ok, text, to: request, context)
      }
    }
  }

  private func write(
    _ status: HTTPResponseStatus,
    _ text: String,
    to request: HTTPRequestHead,
    _ context: ChannelHandlerContext
  ) {
    var head = HTTPResponseHead(version: request.version, status: status)
    head.headers.add(name: "content-type", value: MetricsText.contentType)
    head.headers.add(name: "content-length", value: "\(text.utf8.count)")
    head.headers.add(name: "connection", value: "close")
    if status == .methodNotAllowed { head.headers.add(name: "allow", value: "GET, HEAD") }
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if request.method != .HEAD {
      context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
    }
    let channel = context.channel
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    // Who says nothing for so long wants nothing.
    if event is IdleStateHandler.IdleStateEvent {
      context.close(promise: nil)
    } else {
      context.fireUserInboundEventTriggered(event)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }
}
