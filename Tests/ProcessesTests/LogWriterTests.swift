import Foundation
import Logging
internal import Processes
import Testing

@Suite struct `The log` {
  /// A full pipe: writing one byte more would wait for a reader.
  private static func fullPipe() -> (reading: CInt, writing: CInt, byteCount: Int) {
    var ends: [CInt] = [-1, -1]
    precondition(pipe(&ends) == 0)
    let flags = fcntl(ends[1], F_GETFL)
    _ = fcntl(ends[1], F_SETFL, flags | O_NONBLOCK)
    var byteCount = 0
    while write(ends[1], ".", 1) == 1 { byteCount += 1 }
    _ = fcntl(ends[1], F_SETFL, flags)
    return (ends[0], ends[1], byteCount)
  }

  @Test func `never waits for a pipe that nobody reads, and says later what it dropped`() throws {
    let pipe = Self.fullPipe()
    let writer = LogWriter(descriptor: pipe.writing)
    let text = String(repeating: "x", count: 1000)
    for number in 0..<5000 {
      writer.write(LogLine(stamp: "T", level: .info, message: "\(number) \(text)"))
    }
    #expect(writer.flush(within: .zero) == false)

    // Somebody reads.
    Thread.detachNewThread {
      #expect(writer.flush(within: .seconds(3600)))
      close(pipe.writing)
    }
    let bytes = try #require(try FileHandle(fileDescriptor: pipe.reading, closeOnDealloc: true).readToEnd())
    let lines = String(decoding: bytes.dropFirst(pipe.byteCount), as: UTF8.self).split(separator: "\n")
    let notices = lines.filter { $0.hasSuffix(" dropped") }
    #expect(!notices.isEmpty)
    let dropped = notices.compactMap { $0.split(separator: " ").dropFirst(3).first.flatMap { Int($0) } }.reduce(0, +)
    #expect(lines.count - notices.count + dropped == 5000)
  }

  @Test func `is written whole before the end of the process, in the layout of swift-log`() throws {
    var ends: [CInt] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let writer = LogWriter(descriptor: ends[1])
    var logger = Logger(label: "formd") { _ in QueuedLogHandler(writer) }
    logger[metadataKey: "b"] = "2"
    logger.debug("not at this level")
    logger.notice("listening", metadata: ["a": "1"])
    #expect(writer.flush(within: .seconds(3600)))
    let file = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    let line = String(decoding: file.availableData, as: UTF8.self)
    #expect(
      line.wholeMatch(
        of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d notice formd: a=1 b=2 \[ProcessesTests\] listening\n/
      ) != nil
    )
  }

  @Test(arguments: [
    ("login", "login"), ("a b", #""a b""#), ("x session=99", #""x session=99""#), (#"say "no""#, #""say \"no\"""#),
    ("", #""""#), ("a\n2026 error formd: fake", #""a?2026 error formd: fake""#),
    ("\u{9b}31m\u{202e}\u{2028}", "?31m??"), (#"C:\x"#, #"C:\x"#),
  ])
  func `shows a stranger's name as one value of one line`(_ name: String, _ shown: String) throws {
    var ends: [CInt] = [-1, -1]
    #expect(pipe(&ends) == 0)
    let writer = LogWriter(descriptor: ends[1])
    let logger = Logger(label: "formd") { _ in QueuedLogHandler(writer) }
    logger.notice("a turn was slow", metadata: ["part": "\(name)"])
    #expect(writer.flush(within: .seconds(3600)))
    let line = String(decoding: FileHandle(fileDescriptor: ends[0], closeOnDealloc: true).availableData, as: UTF8.self)
    #expect(line.hasSuffix(" notice formd: part=\(shown) [ProcessesTests] a turn was slow\n"), "\(line)")
  }
}
