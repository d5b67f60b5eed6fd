internal import FoundationEssentials
internal import JSON
internal import NIOCore
internal import NIOPosix
internal import Synchronization

/// A server on a real socket that answers with a test's script.
final class FakeDaemon: Sendable {
  /// The messages that answer one message; each is written as a line, in order. ``hangUp`` ends the connection.
  typealias Script = @Sendable (_ method: String, _ id: JSON?, _ params: JSON) -> [JSON]

  /// Instead of a message: the connection ends.
  static let hangUp: JSON = "hang up"

  let socketPath: String
  private let group: MultiThreadedEventLoopGroup
  private let channel: any Channel

  /// Listens.
  ///
  /// - Parameters:
  ///   - refusals: the messages to connections that are ended at once, by the number of the connection from 0.
  ///   - scripts: one for each connection; the last one is also for those that follow.
  init(bytesAtATime: Int = .max, refusals: [Int: JSON] = [:], scripts: [Script]) async throws {
    let accepted = Counter()
    socketPath =
      FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString.prefix(8)).sock").path
    group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    channel = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        let number = accepted.next()
        if let refusal = refusals[number] {
          return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(Refusal(text: refusal.description))
          }
        }
        let script = scripts[min(number, scripts.count - 1)]
        return channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Handler(bytesAtATime: bytesAtATime, script: script))
        }
      }
      .bind(unixDomainSocketPath: socketPath).get()
  }

  func stop() async throws {
    try await channel.close()
    try await group.shutdownGracefully()
    try? FileManager.default.removeItem(atPath: socketPath)
  }

  /// Runs blocking calls of a client off the concurrency threads.
  static func run(
    bytesAtATime: Int = .max,
    script: @escaping Script,
    _ body: @escaping @Sendable (_ socketPath: String) throws -> Void
  ) async throws {
    try await run(bytesAtATime: bytesAtATime, scripts: [script], body)
  }

  /// The same with a script for each connection; the last one is also for those that follow.
  static func run(
    bytesAtATime: Int = .max,
    refusals: [Int: JSON] = [:],
    scripts: [Script],
    _ body: @escaping @Sendable (_ socketPath: String) throws -> Void
  ) async throws {
    let daemon = try await FakeDaemon(bytesAtATime: bytesAtATime, refusals: refusals, scripts: scripts)
    let path = daemon.socketPath
    let result: Result<Void, any Error>
    do { result = .success(try await NIOThreadPool.singleton.runIfActive { try body(path) }) } catch {
      result = .failure(error)
    }
    try await daemon.stop()
    try result.get()
  }

  static func result(_ id: JSON?, _ result: JSON) -> JSON {
    ["jsonrpc": "2.0", "id": id ?? .null, "result": result]
  }

  static func notification(_ method: String, _ params: JSON) -> JSON {
    ["jsonrpc": "2.0", "method": .string(method), "params": params]
  }

  static func update(_ params: JSON) -> JSON { notification("session/update", params) }

  static func refusal(_ id: JSON?, _ code: Int, _ data: JSON = [:]) -> JSON {
    ["jsonrpc": "2.0", "id": id ?? .null, "error": ["code": .integer(Int64(code)), "message": "No", "data": data]]
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        defer { count += 1 }
        return count
      }
    }
  }

  /// Writes one message, and closes the connection.
  private final class Refusal: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let text: String

    init(text: String) { self.text = text }

    func channelActive(context: ChannelHandlerContext) {
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text + "\n")), promise: nil)
      context.close(promise: nil)
    }
  }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let script: Script
    private let bytesAtATime: Int
    private var pending = ByteBuffer()

    init(bytesAtATime: Int, script: @escaping Script) {
      self.bytesAtATime = bytesAtATime
      self.script = script
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      var part = unwrapInboundIn(data)
      pending.writeBuffer(&part)
      while let newline = pending.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
        let line = pending.readBytes(length: newline - pending.readerIndex + 1) ?? []
        guard let message = try? JSON(parsing: line) else { continue }
        guard let method = message["method"]?.stringValue else { continue }
        if method == "die" {
          context.close(promise: nil)
          return
        }
        for answer in script(method, message["id"], message["params"] ?? .null) {
          if answer == FakeDaemon.hangUp {
            context.close(promise: nil)
            return
          }
          var text = ByteBuffer(string: answer.description + "\n")
          while let piece = text.readSlice(length: min(bytesAtATime, text.readableBytes)), piece.readableBytes > 0 {
            context.writeAndFlush(wrapOutboundOut(piece), promise: nil)
          }
        }
      }
    }
  }
}
