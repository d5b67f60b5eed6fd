import Testing

@testable internal import formctl

@Suite struct `Lines of standard input` {
  private func lines(_ chunks: [String], bytesMax: Int = 100) throws -> [String] {
    var buffer = LineBuffer(bytesMax: bytesMax)
    var lines: [String] = []
    for chunk in chunks {
      buffer.append(Array(chunk.utf8)[...])
      while let line = try buffer.next(atEnd: false) { lines.append(line) }
    }
    while let line = try buffer.next(atEnd: true) { lines.append(line) }
    return lines
  }

  @Test(arguments: [
    (["a=1\nb=2\n"], ["a=1", "b=2"]), (["a", "=1", "\n\nb", "=2"], ["a=1", "", "b=2"]), ([], []), (["\n"], [""]),
    (["é", "\r\n", "x"], ["é\r", "x"]), (["", "a", ""], ["a"]),
  ])
  func `are cut wherever the bytes arrive in parts`(_ chunks: [String], _ expected: [String]) throws {
    #expect(try lines(chunks) == expected)
    #expect(try lines(chunks.joined().map { String($0) }) == expected)
  }

  @Test func `have a bound, whether or not they end`() throws {
    #expect(try lines(["12345\n12345"], bytesMax: 5) == ["12345", "12345"])
    for chunks in [["x\n123456\n"], ["x\n123456"], ["x\n123", "456"]] {
      let error = #expect(throws: CommandFailure.self) { try lines(chunks, bytesMax: 5) }
      #expect(error?.message.hasPrefix("-:2: the line has more than 5 bytes") == true)
    }
  }

  @Test func `cost one look at each byte`() throws {
    // One byte at a time: with a search from the beginning each time, this would be 2 * 10^12 looks.
    var buffer = LineBuffer()
    let chunk: [UInt8] = Array(repeating: UInt8(ascii: "x"), count: 8)
    for _ in 0..<250_000 {
      buffer.append(chunk[...])
      #expect(try buffer.next(atEnd: false) == nil)
    }
    #expect(try buffer.next(atEnd: true)?.utf8.count == 2_000_000)
    // Many lines at once: with the rest moved for each line, this would move 10^12 bytes.
    var lines = LineBuffer()
    lines.append(Array(repeating: UInt8(ascii: "\n"), count: 1_000_000)[...])
    var count = 0
    while try lines.next(atEnd: false) != nil { count += 1 }
    #expect(count == 1_000_000)
  }
}
