import Logging
internal import Processes
import Testing
internal import Times

@Suite struct `The queue of the log` {
  private static func line(_ message: String, _ number: Int = 0) -> LogLine {
    LogLine(stamp: "T", level: .info, message: message, details: [.init("number", "\(number)")], module: "Server")
  }

  private static func lines(_ queue: inout LogQueue) -> [String] {
    String(decoding: queue.takeAll(stamp: "T"), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private static func second(_ number: Int64) -> Instant { Instant(nanoseconds: number * 1_000_000_000) }

  @Test func `gives lines back whole and in order, once`() {
    var queue = LogQueue()
    #expect(queue.isEmpty)
    queue.append(Self.line("one", 1), at: Self.second(0))
    queue.append(Self.line("two", 2), at: Self.second(0))
    #expect(!queue.isEmpty)
    #expect(
      Self.lines(&queue) == ["T info formd: number=1 [Server] one", "T info formd: number=2 [Server] two"]
    )
    #expect(queue.isEmpty)
    #expect(Self.lines(&queue).isEmpty)
  }

  @Test func `takes some lines of a kind in a second, and tells of the others behind it`() {
    var queue = LogQueue()
    for number in 1...532 { queue.append(Self.line("again", number), at: Self.second(0)) }
    // Another kind of line is not affected.
    queue.append(Self.line("other"), at: Self.second(0))
    var lines = Self.lines(&queue)
    #expect(lines.count == LogQueue.linesPerKindMax + 1)
    #expect(lines.last == "T info formd: number=0 [Server] other")
    #expect(queue.isCounting)

    queue.append(Self.line("again", 533), at: Self.second(1))
    lines = Self.lines(&queue)
    #expect(
      lines == [
        "T info formd: number=532 [Server] again (and 511 more like this)", "T info formd: number=533 [Server] again",
      ]
    )
  }

  @Test func `tells of what it held back when its second is over and nothing else comes`() {
    var queue = LogQueue()
    for number in 0...LogQueue.linesPerKindMax { queue.append(Self.line("again", number), at: Self.second(0)) }
    _ = queue.takeAll(stamp: "T")
    #expect(queue.isEmpty && queue.isCounting)
    queue.endWindow(stamp: "U")
    #expect(Self.lines(&queue) == ["U info formd: number=\(LogQueue.linesPerKindMax) [Server] again"])
    #expect(!queue.isCounting)
  }

  @Test func `holds so many bytes, and says how many lines it dropped`() {
    var queue = LogQueue()
    let text = String(repeating: "x", count: 1000)
    for number in 0..<5000 { queue.append(Self.line(text + "\(number)"), at: Self.second(Int64(number))) }
    let bytes = queue.takeAll(stamp: "T")
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    #expect(bytes.count <= LogQueue.bytesMax + 64)
    #expect(lines.last == "T warning formd: \(5000 - (lines.count - 1)) log lines were dropped")
    #expect(lines.dropLast().enumerated().allSatisfy { $1.hasSuffix("x\($0)") })
    // There is room again.
    queue.append(Self.line("next"), at: Self.second(6000))
    #expect(Self.lines(&queue) == ["T info formd: number=0 [Server] next"])
  }

  @Test func `counts what was held back where it has no room for that either`() {
    var queue = LogQueue()
    for number in 0..<(LogQueue.linesPerKindMax + 7) { queue.append(Self.line("again", number), at: Self.second(0)) }
    let text = String(repeating: "x", count: LogQueue.lineBytesMax / 2)
    var count = 0
    while count < 1000 {
      queue.append(Self.line(text + "\(count)"), at: Self.second(0))
      count += 1
    }
    queue.endWindow(stamp: "T")
    let lines = Self.lines(&queue)
    let kept = lines.filter { $0.contains("xxx") }.count
    #expect(lines.last == "T warning formd: \(count - kept + 7) log lines were dropped")
  }

  @Test func `counts so many kinds and lets the lines of others pass`() {
    var queue = LogQueue()
    for kind in 0..<LogQueue.kindsMax { queue.append(Self.line("kind \(kind)"), at: Self.second(0)) }
    for _ in 0..<100 { queue.append(Self.line("one more"), at: Self.second(0)) }
    #expect(Self.lines(&queue).filter { $0.hasSuffix("one more") }.count == 100)
  }

  @Test func `cuts a long line between two characters`() {
    var queue = LogQueue()
    queue.append(Self.line(String(repeating: "한", count: 100_000)), at: Self.second(0))
    let bytes = queue.takeAll(stamp: "T")
    #expect(bytes.count <= LogQueue.lineBytesMax)
    #expect(bytes.count > LogQueue.lineBytesMax - 8)
    #expect(String(validating: bytes, as: UTF8.self)?.hasSuffix("한…\n") == true)
  }
}
