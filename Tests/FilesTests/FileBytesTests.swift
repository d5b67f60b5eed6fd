internal import Files
import Foundation
import JSON
import Testing

@Suite struct `A file` {
  private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000])
  func `is read whole`(length: Int) throws {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
    try withFile(bytes) { path in
      let all = try FileBytes.read(path)
      let atMost = try FileBytes.read(path, bytesMax: length)
      #expect(all == bytes)
      #expect(atMost == bytes)
    }
  }

  @Test func `loses the byte order mark at its start, and no other`() throws {
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    try withFile(mark + [0x31] + mark) { path in
      let bytes = try FileBytes.read(path)
      #expect(bytes == [0x31] + mark)
    }
    try withFile(mark.dropLast()) { path in
      let bytes = try FileBytes.read(path)
      #expect(bytes == mark.dropLast())
    }
  }

  @Test func `that is too large, is not there or is a folder is an error of the system`() throws {
    try withFile([1, 2, 3]) { path in
      let large = #expect(throws: SystemError.tooLarge(bytesMax: 2)) { try FileBytes.read(path, bytesMax: 2) }
      #expect(large?.isTooLarge == true && large?.description == "It has more than 2 bytes; use a smaller file")
      #expect(throws: SystemError(code: ENOENT)) { try FileBytes.read(path + "x") }
    }
    let error = #expect(throws: SystemError(code: EISDIR)) { try FileBytes.read("/tmp") }
    #expect(error?.description == "Is a directory")
  }

  @Test func `with a hole that is larger than the limit is refused before it is read`() throws {
    try withFile([]) { path in
      #expect(truncate(path, 200_000_000_000) == 0)
      let error = #expect(throws: SystemError.tooLarge(bytesMax: FileBytes.bytesMax)) { try FileBytes.read(path) }
      #expect(error?.description == "It has more than 256 MiB; use a smaller file")
    }
  }

  @Test func `that is a pipe or a device is refused without waiting for it, unless waiting is wanted`() throws {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let error = #expect(throws: SystemError.notRegular) { try FileBytes.read(path) }
    #expect(error?.description == "It is not a regular file")
    #expect(throws: SystemError.notRegular) { try FileBytes.read("/dev/zero") }
    #expect(throws: SystemError.tooLarge(bytesMax: 1 << 20)) {
      try FileBytes.read("/dev/zero", bytesMax: 1 << 20, mayWait: true)
    }
    #expect(throws: SystemError(code: EISDIR)) { try FileBytes.read("/tmp", mayWait: true) }
    #expect(try FileBytes.read("/dev/null", mayWait: true).isEmpty)
  }
}
