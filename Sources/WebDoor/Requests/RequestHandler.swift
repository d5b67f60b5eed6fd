internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOWebSocket

/// Answers one request of HTTP that is not an upgrade, and ends its connection.
final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private static let plainText = "text/plain; charset=utf-8"

  private let door: Door
  private let health: HealthProbe
  private var head: HTTPRequestHead?

  init(_ door: Door, _ health: HealthProbe) {
    self.door = door
    self.health = health
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head): self.head = head
    case .body: break
    case .end:
      guard let head else { return }
      self.head = nil
      answer(head, context)
    }
  }

  private func answer(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    switch DoorRequest(head, door.configuration, files: Set(door.files.keys)) {
    case .socket: write(.badRequest, "This cannot become a WebSocket.", to: head, context)
    case .refused(let status, let text):
      let peer = DoorServer.address(of: head, on: context.channel, door.configuration)
      door.logger.info(
        "a request was refused",
        metadata: ["status": "\(status.code)", "why": "\(text)", "peer": "\(peer)"]
      )
      write(status, text, to: head, context)
    case .file(let name):
      if let file = door.files[name] { write(file, to: head, context) }
    case .health:
      let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
      health.ask().assumeIsolated().whenComplete { result in
        let (handler, context) = bound.value
        guard context.channel.isActive else { return }
        switch result {
        case .success: handler.write(.ok, "The daemon answers.", to: head, context)
        case .failure: handler.write(.serviceUnavailable, "The daemon does not answer.", to: head, context)
        }
      }
    }
  }

  private func write(_ file: ClientFile, to head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    var headers = HTTPHeaders()
    headers.add(name: "etag", value: file.tag)
    // The address of the file does not change with its content: a browser asks whether it has changed.
    headers.add(name: "cache-control", value: "no-cache")
    // A page of another host loads a module only if that is allowed. The file is the same for all pages.
    headers.add(name: "access-control-allow-origin", value: "*")
    let known = head.headers[canonicalForm: "if-none-match"]
    if known.contains(where: { $0 == file.tag || $0 == "W/" + file.tag || $0 == "*" }) {
      return write(.notModified, headers, ByteBuffer(), to: head, context)
    }
    headers.add(name: "content-type", value: file.contentType)
    write(.ok, headers, ByteBuffer(bytes: file.bytes), to: head, context)
  }

  private func write(
    _ status: HTTPResponseStatus,
    _ text: String,
    to head: HTTPRequestHead,
    _ context: ChannelHandlerContext
  ) {
    var headers: HTTPHeaders = ["content-type": Self.plainText, "cache-control": "no-store"]
    if status == .methodNotAllowed { headers.add(name: "allow", value: text.contains("HEAD") ? "GET, HEAD" : "GET") }
    if status == .upgradeRequired {
      headers.add(name: "upgrade", value: "websocket")
      headers.add(name: "sec-websocket-version", value: "13")
    }
    write(status, headers, ByteBuffer(string: text + "\n"), to: head, context)
  }

  private func write(
    _ status: HTTPResponseStatus,
    _ headers: HTTPHeaders,
    _ body: ByteBuffer,
    to head: HTTPRequestHead,
    _ context: ChannelHandlerContext
  ) {
    var answer = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    answer.headers.add(name: "x-content-type-options", value: "nosniff")
    if status != .notModified { answer.headers.add(name: "content-length", value: "\(body.readableBytes)") }
    answer.headers.add(name: "connection", value: status == .upgradeRequired ? "close, upgrade" : "close")
    context.write(wrapOutboundOut(.head(answer)), promise: nil)
    if head.method != .HEAD, status != .notModified {
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    }
    let channel = context.channel
    let sent = context.eventLoop.makePromise(of: Void.self)
    sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // An upgrade that is refused is answered as any other request.
    if !(error is NIOWebSocketUpgradeError) { context.close(promise: nil) }
  }
}
