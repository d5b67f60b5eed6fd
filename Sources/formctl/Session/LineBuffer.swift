#if canImport(Glibc)
  internal import Glibc
#endif

/// Cuts a stream of bytes into lines. Each byte is looked at once, however the bytes arrive.
struct LineBuffer {
  /// The most bytes of a line without its line break.
  private let bytesMax: Int
  /// The bytes; those before `start` are taken, and those from `start` to `searched` have no line break.
  private var bytes: [UInt8] = []
  private var start = 0
  private var searched = 0
  private var line = 1

  /// The most bytes of a line that a person or a program types.
  static let lineBytesMax = 16 << 20

  init(bytesMax: Int = lineBytesMax) { self.bytesMax = bytesMax }

  /// Adds bytes of the stream. The caller takes all lines before it adds more.
  mutating func append(_ chunk: ArraySlice<UInt8>) {
    if start > 0 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes += chunk
  }

  /// Takes the next line, without its line break; nil without a whole line. At the end of the stream, the rest is a
  /// line.
  ///
  /// - Throws: ``CommandFailure`` for a line that is too long, whether or not it has ended.
  mutating func next(atEnd: Bool) throws(CommandFailure) -> String? {
    let newline = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
    let end = newline ?? bytes.count
    guard end - start <= bytesMax else {
      throw CommandFailure(message: "-:\(line): the line has more than \(bytesMax) bytes; send a long list in parts")
    }
    guard newline != nil || atEnd && start < end else {
      searched = end
      return nil
    }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    start = min(end + 1, bytes.count)
    searched = start
    line += 1
    return text
  }

  /// The next line of standard input, after waiting for it; nil at the end.
  ///
  /// - Throws: ``CommandFailure`` for a line that is too long, or if standard input cannot be read.
  mutating func readLine() throws(CommandFailure) -> String? {
    while true {
      if let line = try next(atEnd: false) { return line }
      guard let chunk = try Console.readChunk(of: STDIN_FILENO, "-") else { return try next(atEnd: true) }
      append(chunk)
    }
  }
}
