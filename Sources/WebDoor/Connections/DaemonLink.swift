internal import NIOCore

/// The connection to the daemon of one browser: it cuts what the daemon sends into lines, and gives each to the
/// browser's handler.
final class DaemonLink: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Bytes of one line: far above what a daemon sends (`outputHardBytes`, protocol/limits.md).
  static let lineBytesMax = 1 << 28

  private weak var browser: BrowserHandler?
  private var context: ChannelHandlerContext?
  /// The beginning of a line.
  private var unfinished = ByteBuffer()
  /// Lines for the daemon that wait for ``flush()``.
  private var unsent = ByteBuffer()
  /// Whether the link was closed before it was connected.
  private var isClosed = false
  /// Whether lines are wanted.
  private var isReading = true
  /// A read that was asked for while no lines were wanted.
  private var readIsPending = false

  init(to browser: BrowserHandler) {
    self.browser = browser
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    if isClosed { context.close(promise: nil) }
  }

  func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

  // MARK: From the daemon

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard let browser else { return }
    var input = unwrapInboundIn(data)
    while let length = input.readableBytesView.firstIndex(of: UInt8(ascii: "\n")).map({ $0 - input.readerIndex }) {
      guard var line = input.readSlice(length: length) else { break }
      input.moveReaderIndex(forwardBy: 1)
      if unfinished.readableBytes > 0 {
        unfinished.writeBuffer(&line)
        line = unfinished
        unfinished = ByteBuffer()
      }
      browser.daemonSent(line)
    }
    if input.readableBytes > 0 { unfinished.writeBuffer(&input) }
    if unfinished.readableBytes > Self.lineBytesMax { context.close(promise: nil) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    browser?.daemonSentAll()
    context.fireChannelReadComplete()
  }

  func channelInactive(context: ChannelHandlerContext) {
    browser?.daemonEnded()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    context.close(promise: nil)
  }

  func read(context: ChannelHandlerContext) {
    if isReading { context.read() } else { readIsPending = true }
  }

  /// Whether lines are wanted.
  func setReading(_ isReading: Bool) {
    self.isReading = isReading
    if isReading, readIsPending {
      readIsPending = false
      context?.read()
    }
  }

  // MARK: To the daemon

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    browser?.daemonWritabilityChanged(context.channel.isWritable)
    context.fireChannelWritabilityChanged()
  }

  /// Whether the daemon's socket takes more.
  var isWritable: Bool { context?.channel.isWritable ?? false }

  /// Adds a line to those that ``flush()`` sends.
  ///
  /// - Parameter text: a text of JSON. Its line breaks are white space between tokens (RFC 8259, section 2), since JSON
  ///   has none within a string, and spaces take their place.
  func write(_ text: ByteBuffer) {
    let lineFeed = UInt8(ascii: "\n")
    let bytes = text.readableBytesView
    if bytes.contains(lineFeed) {
      unsent.writeBytes(bytes.lazy.map { $0 == lineFeed ? UInt8(ascii: " ") : $0 })
    } else {
      unsent.writeImmutableBuffer(text)
    }
    unsent.writeInteger(lineFeed)
  }

  /// Sends what was written, in one piece.
  func flush() {
    guard unsent.readableBytes > 0 else { return }
    context?.writeAndFlush(wrapOutboundOut(unsent), promise: nil)
    unsent = ByteBuffer()
  }

  /// Closes the connection; the browser's handler hears no more of it.
  func close() {
    isClosed = true
    browser = nil
    context?.close(promise: nil)
  }
}
