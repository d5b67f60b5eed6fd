internal import JSON
package import Logging

#if canImport(Glibc)
  internal import Glibc
#endif

/// One line of the log, before it is written.
package struct LogLine: Hashable, Sendable {
  /// A named detail.
  package struct Detail: Hashable, Sendable {
    package var name: String
    /// The value, without control characters.
    package var value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The time of the line.
  package var stamp: String
  /// The urgency, which says who has to act.
  package var level: Logger.Level
  /// The event, without the details: lines with equal messages are of one kind.
  package var message: String
  /// The details, in order.
  package var details: [Detail]
  /// The module that logs; nil: the log itself.
  package var module: String?
  /// The number of similar lines before this one that are not written.
  package var more = 0

  package init(stamp: String, level: Logger.Level, message: String, details: [Detail] = [], module: String? = nil) {
    self.stamp = stamp
    self.level = level
    self.message = message
    self.details = details
    self.module = module
  }

  /// The line in that format, with its end. Its text has at most ``LogQueue/lineBytesMax`` bytes.
  package func bytes(_ format: LogFormat) -> [UInt8] {
    var bytes = format.isJSON ? jsonBytes : textBytes(format.program)
    bytes.append(UInt8(ascii: "\n"))
    if format.hasPriority { bytes = Self.prefixed(bytes, Array("<\(level.priority)>".utf8)) }
    return bytes
  }

  /// The layout of swift-log's own handler.
  private func textBytes(_ program: String) -> [UInt8] {
    let details = details.map { " \($0.name)=\(Self.quoted($0.value))" }.joined()
    let module = module.map { " [\($0)]" } ?? ""
    let more = more > 0 ? " (and \(more) more like this)" : ""
    var bytes = Array("\(stamp) \(level) \(program):\(details)\(module) \(message)\(more)".utf8)
    if bytes.count >= LogQueue.lineBytesMax { Self.cut(&bytes, to: LogQueue.lineBytesMax - 1) }
    return bytes
  }

  /// A JSON object. If it is too long, its longest texts are cut.
  private var jsonBytes: [UInt8] {
    var textBytesMax = LogQueue.lineBytesMax / 2
    while true {
      let buffer = OutputBuffer()
      buffer.write(.object(json(textBytesMax: textBytesMax)))
      if buffer.bytes.count < LogQueue.lineBytesMax || textBytesMax < 8 { return Array(buffer.bytes) }
      textBytesMax /= 2
    }
  }

  private func json(textBytesMax: Int) -> JSONObject {
    func text(_ text: String) -> JSON {
      guard text.utf8.count > textBytesMax else { return .string(text) }
      var bytes = Array(text.utf8)
      Self.cut(&bytes, to: textBytesMax)
      return .string(String(decoding: bytes, as: UTF8.self))
    }
    var object = JSONObject()
    object["time"] = .string(stamp)
    object["level"] = .string(level.rawValue)
    object["message"] = text(message)
    if let module { object["module"] = .string(module) }
    if !details.isEmpty { object["details"] = .object(JSONObject(details.map { ($0.name, text($0.value)) })) }
    if more > 0 { object["more"] = .integer(Int64(more)) }
    return object
  }

  /// Cuts a text to that length, and marks its end.
  private static func cut(_ bytes: inout [UInt8], to count: Int) {
    // A character that is cut in two would not be valid UTF-8.
    var end = max(count - 3, 0)
    while end > 0, bytes[end] & 0xc0 == 0x80 { end -= 1 }
    bytes.replaceSubrange(end..., with: "…".utf8)
  }

  /// Each line of a text behind that prefix: a remedy is in a line of its own.
  private static func prefixed(_ bytes: [UInt8], _ prefix: [UInt8]) -> [UInt8] {
    bytes.split(separator: UInt8(ascii: "\n")).flatMap { prefix + $0 + [UInt8(ascii: "\n")] }
  }

  /// A value in a form that nobody can mistake for several values, or for another line. It is quoted if it has a space,
  /// a sign of equality or a quote.
  private static func quoted(_ text: String) -> String {
    guard text.isEmpty || text.contains(where: { " =\"".contains($0) }) else { return text }
    return "\"" + text.reduce(into: "") { $0 += "\"\\".contains($1) ? "\\\($1)" : String($1) } + "\""
  }

  /// The time of day with milliseconds and its offset from UTC: a time of RFC 3339.
  package static func stamp() -> String {
    var time = timespec()
    var parts = tm()
    guard clock_gettime(CLOCK_REALTIME, &time) == 0, localtime_r(&time.tv_sec, &parts) != nil else { return "-" }
    let minutes = abs(parts.tm_gmtoff) / 60
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 32) { buffer in
      let count = strftime(buffer.baseAddress, buffer.count, "%Y-%m-%dT%H:%M:%S", &parts)
      let seconds = String(decoding: buffer[..<count].lazy.map(UInt8.init(bitPattern:)), as: UTF8.self)
      return seconds + "." + digits(time.tv_nsec / 1_000_000, 3) + (parts.tm_gmtoff < 0 ? "-" : "+")
        + digits(minutes / 60, 2) + ":" + digits(minutes % 60, 2)
    }
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(count - digits.utf8.count, 0)) + digits
  }
}

extension Logger.Level {
  /// The level as syslog(3) counts it, which journald reads in front of a line (sd-daemon(3)).
  fileprivate var priority: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
