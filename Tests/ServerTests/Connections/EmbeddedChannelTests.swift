internal import Daemon
import JSON
import NIOCore
import NIOEmbedded
import Server
import Testing

/// The daemon behind a real NIO handler in an embedded channel.
struct EmbeddedChannelTests {
  private static func connect(_ daemon: TestDaemon) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandler(ConnectionHandler(server: daemon.server))
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).wait()
    return channel
  }

  /// A client with a session of the login form, whose answer is read.
  private static func open(_ daemon: TestDaemon) throws -> EmbeddedChannel {
    let channel = try connect(daemon)
    try channel.writeInbound(
      ByteBuffer(string: #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"form":"login"}}"# + "\n")
    )
    _ = try output(channel)
    return channel
  }

  /// All bytes that the channel has written, and the number of pieces.
  private static func output(_ channel: EmbeddedChannel) throws -> (bytes: [UInt8], pieces: Int) {
    var bytes: [UInt8] = []
    var pieces = 0
    while let buffer = try channel.readOutbound(as: ByteBuffer.self) {
      if buffer.readableBytes > 0 { pieces += 1 }
      bytes += Array(buffer.readableBytesView)
    }
    return (bytes, pieces)
  }

  private static func run(_ pieces: [ArraySlice<UInt8>], headers: Bool) throws -> [JSON] {
    let daemon = TestDaemon()
    let channel = try connect(daemon)
    for piece in pieces where channel.isActive { try channel.writeInbound(ByteBuffer(bytes: piece)) }
    #expect(!channel.isActive)
    let messages = TestClient.messages(try output(channel).bytes, headers: headers)
    _ = try? channel.finish(acceptAlreadyClosed: true)
    return messages
  }

  @Test(arguments: [false, true])
  func `a conversation of every kind of message is the same through a channel, however it is cut`(_ headers: Bool)
    throws
  {
    let stream = FramingTests.conversation.flatMap { TestClient.framed($0, headers: headers) }
    let whole = try Self.run([stream[...]], headers: headers)
    #expect(whole.count == 21)
    #expect(try Self.run(stream.indices.map { stream[$0...$0] }, headers: headers) == whole)
    for offset in stream.indices {
      #expect(try Self.run([stream[..<offset], stream[offset...]], headers: headers) == whole, "cut at \(offset)")
    }
  }

  /// The socket of a client that has left. The first write notices that, and closes the channel before it returns.
  private final class BrokenSocket: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    /// The bytes that the client sent before it left. The channel reads them before it closes.
    let rest: String

    init(rest: String = "") {
      self.rest = rest
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      promise?.fail(ChannelError.ioOnClosedChannel)
      if !rest.isEmpty {
        context.fireChannelRead(NIOAny(ByteBuffer(string: rest)))
        context.fireChannelReadComplete()
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      }
      context.close(promise: nil)
    }
  }

  @Test
  func `a client that is gone when the daemon writes to it is let go in order`() throws {
    let daemon = TestDaemon()
    let channel = EmbeddedChannel()
    try channel.pipeline.syncOperations.addHandlers(BrokenSocket(), ConnectionHandler(server: daemon.server))
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).wait()
    daemon.server.drain()
    channel.embeddedEventLoop.run()
    #expect(!channel.isActive)
    #expect(daemon.drained == 1)
  }

  @Test
  func `what a client that is gone had sent is read when the write is over`() throws {
    let daemon = TestDaemon()
    let channel = EmbeddedChannel()
    let open = #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"form":"login"}}"# + "\n"
    let change = #"{"jsonrpc":"2.0","method":"field/change","params":{"field":"email","value":"kim"}}"# + "\n"
    let socket = BrokenSocket(rest: change + open)
    try channel.pipeline.syncOperations.addHandlers(socket, ConnectionHandler(server: daemon.server))
    try channel.connect(to: SocketAddress(unixDomainSocketPath: "/test")).wait()
    try channel.writeInbound(ByteBuffer(string: open))
    channel.embeddedEventLoop.run()
    #expect(!channel.isActive)
    let statistics = daemon.connect().result("server/stats")
    #expect(statistics["sessionsOpened"] == 2)
    #expect(statistics["sessions"] == 0)
    #expect(daemon.server.memory.total == 0)
  }

  @Test
  func `what one read brings is answered in one write`() throws {
    let daemon = TestDaemon()
    let channel = try Self.open(daemon)
    let burst = (2...9).map {
      #"{"jsonrpc":"2.0","id":\#($0),"method":"field/change","params":{"field":"email","value":"\#($0 % 2 == 0 ? "a@b" : "a")"}}"#
        + "\n"
    }
    try channel.writeInbound(ByteBuffer(string: burst.joined()))
    let (bytes, pieces) = try Self.output(channel)
    #expect(pieces == 1)
    #expect(TestClient.messages(bytes, headers: false).count == 16)
    _ = try channel.finish()
  }

  @Test
  func `a channel that goes takes its sessions with it`() throws {
    let daemon = TestDaemon()
    let channel = try Self.open(daemon)
    #expect(daemon.connect().result("server/stats")["sessions"] == 1)
    _ = try channel.finish()
    #expect(daemon.connect().result("server/stats")["sessions"] == 0)
  }

  @Test
  func `the end of the input closes the channel when all is answered`() throws {
    let daemon = TestDaemon()
    let channel = try Self.connect(daemon)
    try channel.writeInbound(ByteBuffer(string: #"{"jsonrpc":"2.0","id":1,"method":"server/ping"}"#))
    #expect(channel.isActive)
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    channel.embeddedEventLoop.run()
    #expect(TestClient.messages(try Self.output(channel).bytes, headers: false).map { $0["id"] } == [1])
    #expect(!channel.isActive)
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }
}
