package import Logging

#if canImport(Glibc)
  internal import Glibc
#endif

/// One line of the log, before it is written.
package struct LogLine: Hashable, Sendable {
  /// The time of the line, as its first text.
  package var stamp: String
  /// The urgency, which says who has to act.
  package var level: Logger.Level
  /// The event, without the particulars: lines with equal messages are of one kind.
  package var message: String
  /// The text between level and message: the logger's label, the particulars, the module.
  package var details: String

  /// A line of those parts.
  package init(stamp: String, level: Logger.Level, message: String, details: String) {
    self.stamp = stamp
    self.level = level
    self.message = message
    self.details = details
  }

  /// The line with its end, in the layout of swift-log's own handler, and at most ``LogQueue/lineBytesMax`` bytes.
  var bytes: [UInt8] {
    var bytes = Array("\(stamp) \(level) \(details) \(message)".utf8)
    if bytes.count >= LogQueue.lineBytesMax {
      // A character that is cut in two would not be valid UTF-8.
      var end = LogQueue.lineBytesMax - 4
      while bytes[end] & 0xc0 == 0x80 { end -= 1 }
      bytes.replaceSubrange(end..., with: "…".utf8)
    }
    bytes.append(UInt8(ascii: "\n"))
    return bytes
  }

  /// The time of day with its offset from UTC.
  package static func stamp() -> String {
    var seconds = time(nil)
    var parts = tm()
    guard localtime_r(&seconds, &parts) != nil else { return "-" }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      let count = strftime(buffer.baseAddress, buffer.count, "%Y-%m-%dT%H:%M:%S%z", &parts)
      return String(decoding: buffer[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
  }
}
