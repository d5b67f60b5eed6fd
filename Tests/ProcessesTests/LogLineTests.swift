import JSON
import Logging
internal import Processes
import Testing
internal import Times

@Suite struct `A line of the log` {
  private static let line = LogLine(
    stamp: "2026-11-23T08:00:00.250+00:00",
    level: .notice,
    message: "a turn was slow",
    details: [.init("cell", "e \"mail\""), .init("session", "3")],
    module: "Server"
  )

  private static func text(_ line: LogLine, _ isJSON: Bool, _ hasPriority: Bool) -> String {
    String(decoding: line.bytes(LogFormat(isJSON: isJSON, hasPriority: hasPriority)), as: UTF8.self)
  }

  @Test func `is a text for people`() {
    #expect(
      Self.text(Self.line, false, false)
        == #"2026-11-23T08:00:00.250+00:00 notice formd: cell="e \"mail\"" session=3 [Server] a turn was slow"# + "\n"
    )
  }

  @Test func `or a JSON object with stable members`() {
    var line = Self.line
    line.more = 7
    #expect(
      Self.text(line, true, false)
        == #"{"time":"2026-11-23T08:00:00.250+00:00","level":"notice","message":"a turn was slow","module":"Server","#
        + #""details":{"cell":"e \"mail\"","session":"3"},"more":7}"# + "\n"
    )
  }

  @Test(arguments: zip(Logger.Level.allCases, [7, 7, 6, 5, 4, 3, 2]))
  func `begins with its priority for journald`(_ level: Logger.Level, _ priority: Int) {
    var line = Self.line
    line.level = level
    #expect(Self.text(line, false, true).hasPrefix("<\(priority)>2026"))
    #expect(Self.text(line, true, true).hasPrefix("<\(priority)>{"))
  }

  @Test func `of several lines has the priority in each`() {
    let line = LogLine(stamp: "T", level: .error, message: "a.json:1:2: error: no\n    write \"b\"")
    #expect(Self.text(line, false, true) == "<3>T error formd: a.json:1:2: error: no\n<3>    write \"b\"\n")
    #expect(Self.text(line, true, true).split(separator: "\n").count == 1)
  }

  @Test(arguments: ["한", "\"", "\u{1}"])
  func `stays JSON when it is cut`(_ character: String) throws {
    let long = String(repeating: character, count: 10_000)
    let line = LogLine(stamp: "T", level: .info, message: long, details: (1...9).map { .init("d\($0)", long) })
    let bytes = line.bytes(LogFormat(isJSON: true, hasPriority: false))
    #expect(bytes.count <= LogQueue.lineBytesMax)
    let json = try JSON(parsing: Array(bytes.dropLast()))
    #expect(json["message"]?.stringValue?.hasSuffix("…") == true && json["details"]?.objectValue?.count == 9)
  }

  @Test func `about a message is not counted with its kind`() {
    var queue = LogQueue()
    let line = LogLine(stamp: "T", level: .debug, message: "a message was handled")
    for _ in 0..<100 { queue.append(line, at: Instant(nanoseconds: 0)) }
    #expect(queue.takeAll(stamp: "T").filter { $0 == UInt8(ascii: "\n") }.count == 100)
  }
}
