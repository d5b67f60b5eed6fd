internal import Configuration
internal import Logging
internal import NIOCore
internal import NIOEmbedded
internal import NIOWebSocket
import Testing
internal import Times

@testable import WebDoor

/// A browser, the door and the daemon on one loop in virtual time.
final class Scene {
  /// Counts how often the handlers ask for input.
  final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = Never
    var count = 0

    func read(context: ChannelHandlerContext) {
      count += 1
      context.read()
    }
  }

  let loop = EmbeddedEventLoop()
  let browser: EmbeddedChannel
  let daemon: EmbeddedChannel
  let browserReads = Reads()
  let daemonReads = Reads()
  let door: Door

  init(isDaemonThere: Bool = true) throws {
    let daemon = EmbeddedChannel(handler: daemonReads, loop: loop)
    var configuration = WebConfiguration()
    configuration.forms = ["login": .init(isOpen: true), "kept": .init(isOpen: true, keep: .seconds(60))]
    configuration.limits[.keptSessionsPerAddressMax] = 1
    let loop = loop
    door = Door(configuration, files: [], logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }) { link in
      loop.makeCompletedFuture {
        if !isDaemonThere { throw ChannelError.connectPending }
        try daemon.pipeline.syncOperations.addHandler(link)
      }
    }
    let address = try #require(InternetAddress("192.0.2.1"))
    browser = EmbeddedChannel(
      handlers: [browserReads, BrowserHandler(door, address: address, at: Instant(loop))],
      loop: loop
    )
    self.daemon = daemon
    for channel in [browser, daemon] { try channel.connect(to: SocketAddress(unixDomainSocketPath: "/s")).wait() }
  }

  func send(_ opcode: WebSocketOpcode, _ text: String) throws { try send(opcode, Array(text.utf8)) }

  func send(_ opcode: WebSocketOpcode, _ bytes: [UInt8]) throws {
    try receive(opcode, bytes)
    loop.run()
  }

  /// The door gets a frame, and the loop does nothing else yet.
  func receive(_ opcode: WebSocketOpcode, _ text: String) throws { try receive(opcode, Array(text.utf8)) }

  private func receive(_ opcode: WebSocketOpcode, _ bytes: [UInt8]) throws {
    let key: WebSocketMaskingKey = [1, 2, 3, 4]
    var data = ByteBuffer(bytes: bytes)
    data.webSocketMask(key)
    try browser.writeInbound(WebSocketFrame(fin: true, opcode: opcode, maskKey: key, data: data))
  }

  func daemonSends(_ text: String) throws {
    try daemon.writeInbound(ByteBuffer(string: text))
    loop.run()
  }

  /// The frames that the browser has got since the last call, each as its kind and its text.
  func seen() throws -> [String] {
    var texts: [String] = []
    while let frame = try browser.readOutbound(as: WebSocketFrame.self) {
      var data = frame.data
      if frame.opcode == .connectionClose {
        let code = data.readInteger(as: UInt16.self)
        texts.append("close \(code.map(String.init) ?? "") \(String(buffer: data))")
      } else {
        let kind: [WebSocketOpcode: String] = [.text: "text", .ping: "ping", .pong: "pong"]
        texts.append("\(kind[frame.opcode] ?? "?") \(String(buffer: data))")
      }
    }
    return texts
  }

  /// The lines that the daemon has got since the last call.
  func told() throws -> String {
    var text = ""
    while let buffer = try daemon.readOutbound(as: ByteBuffer.self) { text += String(buffer: buffer) }
    return text
  }

  func setWritable(_ channel: EmbeddedChannel, _ isWritable: Bool) {
    channel.isWritable = isWritable
    channel.pipeline.fireChannelWritabilityChanged()
  }

  static let open = #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"form":"login"}}"#
  static let passed =
    #"{"jsonrpc":"2.0","id":1,"method":"session/open","params":{"form":"login","onlyPublic":true}}"#
  static let opened = #"{"jsonrpc":"2.0","id":1,"result":{"session":7,"revision":0,"document":{},"values":{}}}"#
  static let get = #"{"jsonrpc":"2.0","id":2,"method":"session/get"}"#

  func open() throws {
    try send(.text, Self.open)
    #expect(try told() == Self.passed + "\n")
    try daemonSends(Self.opened + "\n")
    #expect(try seen() == ["text " + Self.opened])
  }
}

struct BrowserHandlerTests {
  @Test
  func `lines of the daemon become messages, however its bytes come`() throws {
    let scene = try Scene()
    try scene.open()
    for part in ["{\"a\":", "1}\n{\"b\":2}\n{\"c\"", ":3}", "\n"] { try scene.daemonSends(part) }
    #expect(try scene.seen() == [#"text {"a":1}"#, #"text {"b":2}"#, #"text {"c":3}"#])
    try scene.send(.text, Scene.get)
    #expect(try scene.told() == Scene.get + "\n")
  }

  @Test
  func `a message of several lines becomes one line of the daemon`() throws {
    let scene = try Scene()
    try scene.open()
    try scene.send(.text, "{\"jsonrpc\":\"2.0\",\n\r\n\"method\":\"session/get\"}\n")
    #expect(try scene.told() == "{\"jsonrpc\":\"2.0\", \r \"method\":\"session/get\"} \n")
  }

  @Test(arguments: [false, true])
  func `much that a browser has sent is handled in turns, in order, also when it is gone`(isGone: Bool) throws {
    let scene = try Scene()
    try scene.open()
    let messages = (1...100).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"session/get"}"# }
    // The loop finds it all at once.
    for message in messages { try scene.receive(.text, message) }
    let reads = scene.browserReads.count
    if isGone { scene.browser.close(promise: nil) } else { scene.browser.read() }
    scene.loop.run()
    #expect(try scene.told() == messages.prefix(FrameTurns.framesAtOnce).map { $0 + "\n" }.joined())
    #expect(scene.daemon.isActive)
    #expect(scene.browserReads.count == reads)
    scene.loop.advanceTime(by: .milliseconds(1))
    #expect(try scene.told() == messages.dropFirst(FrameTurns.framesAtOnce).map { $0 + "\n" }.joined())
    #expect(scene.daemon.isActive == !isGone)
    #expect(scene.door.accounts.connections == (isGone ? 0 : 1))
    #expect(scene.browserReads.count == reads + (isGone ? 0 : 1))
  }

  @Test
  func `frames that the decoder still has when the browser has left do nothing`() throws {
    let scene = try Scene()
    try scene.open()
    let pipeline = scene.browser.pipeline
    scene.browser.close(promise: nil)
    for _ in 1...100 {
      let ping = WebSocketFrame(fin: true, opcode: .ping, maskKey: [0, 0, 0, 0], data: ByteBuffer())
      pipeline.fireChannelRead(ping)
    }
    scene.loop.advanceTime(by: .milliseconds(1))
    #expect(scene.door.accounts.connections == 0)
    #expect(!scene.daemon.isActive)
  }

  @Test(arguments: [1, 40])
  func `the daemon gets the messages before a close frame, and before a frame that is not allowed`(count: Int) throws {
    for isAllowed in [true, false] {
      let scene = try Scene()
      try scene.open()
      for _ in 1...count { try scene.receive(.text, Scene.get) }
      if isAllowed {
        try scene.receive(.connectionClose, "")
      } else {
        scene.browser.pipeline.fireErrorCaught(NIOWebSocketError.invalidFrameLength)
      }
      scene.loop.advanceTime(by: .milliseconds(1))
      #expect(try scene.told() == String(repeating: Scene.get + "\n", count: count))
      #expect(try scene.seen().last?.hasPrefix(isAllowed ? "close 1000" : "close 1009") == true)
    }
  }

  @Test
  func `a refused call of a browser that is gone does not take the messages behind it away`() throws {
    let scene = try Scene()
    try scene.open()
    for number in 1...60 {
      try scene.receive(.text, number == 30 ? #"{"jsonrpc":"2.0","id":1,"method":"server/stats"}"# : Scene.get)
    }
    scene.browser.close(promise: nil)
    scene.loop.advanceTime(by: .milliseconds(1))
    #expect(try scene.told() == String(repeating: Scene.get + "\n", count: 59))
    #expect(!scene.daemon.isActive)
  }

  @Test
  func `no more frames wait than a connection may send at once`() throws {
    let scene = try Scene()
    try scene.open()
    for _ in 1...2_000 { try scene.receive(.text, Scene.get) }
    scene.loop.advanceTime(by: .milliseconds(100))
    #expect(try scene.seen().last == "close 1013 too many messages")
    #expect(try scene.told().utf8.count < 600 * Scene.get.utf8.count)
  }

  @Test
  func `a browser that is sent away before its turn leaves once`() throws {
    let scene = try Scene()
    try scene.open()
    for _ in 1...100 { try scene.receive(.text, Scene.get) }
    scene.door.end {}
    scene.browser.close(promise: nil)
    scene.loop.advanceTime(by: .milliseconds(1))
    #expect(scene.door.accounts.connections == 0)
    #expect(!scene.daemon.isActive)
  }

  @Test
  func `a browser that answers no ping is cut`() throws {
    let scene = try Scene()
    try scene.open()
    scene.loop.advanceTime(by: .seconds(25))
    #expect(try scene.seen() == ["ping "])
    try scene.send(.pong, "")
    scene.loop.advanceTime(by: .seconds(25))
    #expect(try scene.seen() == ["ping "])
    #expect(scene.browser.isActive)
    scene.loop.advanceTime(by: .seconds(25))
    #expect(!scene.browser.isActive && !scene.daemon.isActive)
    #expect(scene.door.accounts.connections == 0)
  }

  @Test
  func `a browser that reads slowly is not cut, though its pong does not come, and one that reads nothing is`() throws {
    let scene = try Scene()
    try scene.open()
    for _ in 0..<5 {
      scene.setWritable(scene.browser, false)
      scene.loop.advanceTime(by: .seconds(24))
      scene.setWritable(scene.browser, true)
      scene.loop.advanceTime(by: .seconds(1))
    }
    #expect(scene.browser.isActive)
    scene.setWritable(scene.browser, false)
    scene.loop.advanceTime(by: .seconds(50))
    #expect(!scene.browser.isActive)
  }

  @Test(arguments: [WebSocketOpcode.ping, .pong])
  func `pings and pongs cost as much as messages, and few frames are read behind the end`(
    _ opcode: WebSocketOpcode
  ) throws {
    let scene = try Scene()
    try scene.open()
    scene.setWritable(scene.browser, false)
    // 50 a second for ten seconds, one of which the first call was.
    for _ in 0..<499 { try scene.send(opcode, "") }
    #expect(try scene.seen() == [])
    try scene.send(opcode, "")
    #expect(try scene.seen() == ["close 1013 too many messages"])
    for _ in 0..<999 { try scene.send(opcode, "") }
    #expect(scene.browser.isActive)
    try scene.send(opcode, "")
    #expect(!scene.browser.isActive)
  }

  @Test(
    arguments: [
      ([], 1000), ([3, 232], 1000), ([3, 243], 1000), ([15, 160], 1000), ([3, 233, 0x67, 0xc3, 0xa9], 1000),
      ([3], 1002),
      ([0, 0], 1002), ([3, 231], 1002), ([3, 236], 1002), ([3, 237], 1002), ([3, 238], 1002), ([3, 247], 1002),
      ([7, 208], 1002), ([19, 136], 1002), ([255, 255], 1002), ([3, 232, 0xff], 1007), ([3, 232, 0xc3], 1007),
    ] as [([UInt8], Int)]
  )
  func `a close frame is answered and judged, and the connection ends at once`(_ data: [UInt8], _ code: Int) throws {
    let scene = try Scene()
    try scene.open()
    try scene.send(.connectionClose, data)
    #expect(try scene.seen().map { $0.prefix(10) } == ["close \(code)"])
    #expect(!scene.browser.isActive && !scene.daemon.isActive)
  }

  @Test
  func `an address that has opened as many kept sessions as it may is sent away`() throws {
    let scene = try Scene()
    let open = Scene.open.replacing("login", with: "kept")
    let address = try #require(InternetAddress("192.0.2.1"))
    #expect(scene.door.accounts.opened(address, keep: .seconds(60), at: Instant(scene.loop)) == nil)
    try scene.send(.text, open)
    #expect(try scene.seen() == ["close 1013 too many kept sessions from this address"])
    #expect(try scene.told() == "")
    scene.loop.advanceTime(by: .seconds(60))
    #expect(scene.door.accounts.opened(address, keep: .seconds(60), at: Instant(scene.loop)) == nil)
  }

  @Test
  func `a browser that says nothing is sent away, and cut if it does not go`() throws {
    let scene = try Scene()
    scene.loop.advanceTime(by: .seconds(5))
    #expect(try scene.seen() == ["close 1008 no first message came in time"])
    #expect(scene.browser.isActive)
    scene.loop.advanceTime(by: .seconds(2))
    #expect(!scene.browser.isActive)
    #expect(try scene.told() == "")
  }

  @Test
  func `nothing is read from the daemon while the browser's socket is full, and the other way round`() throws {
    let scene = try Scene()
    try scene.open()
    scene.setWritable(scene.browser, false)
    let before = scene.daemonReads.count
    scene.daemon.read()
    #expect(scene.daemonReads.count == before)
    scene.setWritable(scene.browser, true)
    #expect(scene.daemonReads.count == before + 1)

    scene.setWritable(scene.daemon, false)
    let earlier = scene.browserReads.count
    scene.browser.read()
    #expect(scene.browserReads.count == earlier)
    scene.setWritable(scene.daemon, true)
    #expect(scene.browserReads.count == earlier + 1)
  }

  @Test
  func `a full browser gets no pongs, and is sent away for refusals that it does not read`() throws {
    let scene = try Scene()
    try scene.open()
    scene.setWritable(scene.browser, false)
    try scene.send(.ping, "x")
    #expect(try scene.seen() == [])
    try scene.send(.text, #"{"jsonrpc":"2.0","id":3,"method":"server/stats"}"#)
    #expect(try scene.seen() == ["close 1008 answers are not read"])
  }

  @Test
  func `the end of the daemon, of the door and of the browser`() throws {
    let killed = try Scene()
    try killed.open()
    try killed.daemon.close().wait()
    #expect(try killed.seen() == ["close 1012 the daemon has ended"])

    let missing = try Scene(isDaemonThere: false)
    try missing.send(.text, Scene.open)
    #expect(try missing.seen() == ["close 1013 the daemon is not there"])

    let ending = try Scene()
    try ending.open()
    var hasEnded = false
    ending.door.end { hasEnded = true }
    #expect(try ending.seen() == ["close 1012 the door has ended"])
    #expect(!hasEnded)
    try ending.send(.connectionClose, "")
    #expect(hasEnded && !ending.browser.isActive && !ending.daemon.isActive)

    let leaving = try Scene()
    try leaving.open()
    try leaving.send(.connectionClose, "")
    #expect(try leaving.seen() == ["close 1000 "])
    #expect(!leaving.browser.isActive && !leaving.daemon.isActive)
  }
}
