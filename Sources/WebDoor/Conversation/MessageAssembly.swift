internal import NIOCore
internal import NIOWebSocket

/// Puts the frames of a browser together into messages (RFC 6455, section 5), and finds frames that are not allowed. A
/// value without input and output.
struct MessageAssembly {
  /// The result of a frame.
  enum Event: Equatable {
    /// The frame is a part of a message, or needs no answer.
    case nothing
    /// A whole text message.
    case text(ByteBuffer)
    /// A ping, to be answered with the same bytes.
    case ping(ByteBuffer)
    /// A pong, which needs no answer.
    case pong
    /// The browser closes the connection. The reason is the door's answer.
    case close(CloseReason)
    /// The connection is to be closed.
    case violation(CloseReason)
  }

  /// Bytes of one message, over all its frames.
  private let messageBytesMax: Int
  /// The frames so far of a text message that has not ended; nil between messages.
  private var unfinished: ByteBuffer?
  /// How many frames `unfinished` has. Frames without bytes cost time, too.
  private var frameCount = 0

  /// Frames of one message. Browsers do not split messages of the size that the door takes.
  static let framesMax = 1_000

  /// An assembly for messages of at most that many bytes.
  init(messageBytesMax: Int) {
    self.messageBytesMax = messageBytesMax
  }

  /// A frame has come.
  mutating func received(_ frame: WebSocketFrame) -> Event {
    guard frame.maskKey != nil else { return .violation(.protocolError("a browser masks its frames")) }
    guard !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return .violation(.protocolError("no extension was agreed on")) }
    switch frame.opcode {
    case .text:
      guard unfinished == nil else { return .violation(.protocolError("a message began within another one")) }
      unfinished = ByteBuffer()
      frameCount = 0
      return add(frame)
    case .continuation:
      guard unfinished != nil else { return .violation(.protocolError("there is no message to continue")) }
      return add(frame)
    case .binary: return .violation(.binary)
    case .ping: return .ping(frame.unmaskedData)
    case .pong: return .pong
    case .connectionClose: return .close(Self.answer(toClose: frame.unmaskedData))
    default: return .violation(.protocolError("unknown kind of frame"))
    }
  }

  /// The answer to a close frame with that content, whose code and text are judged (RFC 6455, sections 5.5.1 and 7.4).
  private static func answer(toClose data: ByteBuffer) -> CloseReason {
    var data = data
    guard data.readableBytes > 0 else { return .normal }
    guard let code = data.readInteger(as: UInt16.self) else { return .protocolError("a close code has two bytes") }
    switch code {
    // The registry has these codes, and the rest of them only for programs, never for a frame.
    case 1000...1003, 1007...1014, 3000...4999: break
    default: return .protocolError("this close code may not be sent")
    }
    let isText = String(validating: data.readableBytesView, as: UTF8.self) != nil
    return isText ? .normal : CloseReason(code: 1007, text: "a close reason must be UTF-8")
  }

  private mutating func add(_ frame: WebSocketFrame) -> Event {
    var data = frame.unmaskedData
    frameCount += 1
    guard frameCount <= Self.framesMax else { return .violation(.policy("a message has too many frames")) }
    guard (unfinished?.readableBytes ?? 0) + data.readableBytes <= messageBytesMax else {
      return .violation(.tooLarge(messageBytesMax))
    }
    if frame.fin, frameCount == 1 {
      unfinished = nil
      return .text(data)
    }
    unfinished?.writeBuffer(&data)
    guard frame.fin, let whole = unfinished else { return .nothing }
    unfinished = nil
    return .text(whole)
  }
}
