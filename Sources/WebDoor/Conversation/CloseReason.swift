/// Why the door ends a connection, for the close frame (RFC 6455, section 7.4; protocol/web.md, "Close codes").
struct CloseReason: Hashable, Sendable {
  /// A code of the registry of RFC 6455, section 11.7.
  var code: UInt16
  /// A few words for the developer of a page: at most ``textBytesMax`` bytes of ASCII.
  var text: String

  /// A control frame carries 125 bytes, and the code takes two bytes.
  static let textBytesMax = 123

  /// The browser has closed the connection, and gets the same.
  static let normal = CloseReason(code: 1000, text: "")
  /// A frame that RFC 6455 forbids.
  static func protocolError(_ text: String) -> CloseReason { CloseReason(code: 1002, text: text) }
  /// A binary message.
  static let binary = CloseReason(code: 1003, text: "messages are text")
  /// A text message that is not UTF-8.
  static let notUTF8 = CloseReason(code: 1007, text: "a text message must be UTF-8")
  /// The browser does what it is not allowed to do. It must not come back and do the same.
  static func policy(_ text: String) -> CloseReason { CloseReason(code: 1008, text: text) }
  /// A message has more bytes than that.
  static func tooLarge(_ limit: Int) -> CloseReason {
    CloseReason(code: 1009, text: "a message has at most \(limit) bytes")
  }
  /// The daemon has ended, or its connection, or the door ends.
  static func ended(_ text: String) -> CloseReason { CloseReason(code: 1012, text: text) }
  /// The browser has to wait for room.
  static func later(_ text: String) -> CloseReason { CloseReason(code: 1013, text: text) }
}
