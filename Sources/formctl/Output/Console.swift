internal import Files
internal import JSON
internal import SourceTexts

#if canImport(Glibc)
  internal import Glibc
#endif

/// Standard output and error.
enum Console {
  /// Whether standard output is a terminal.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// Whether standard output shows colors: on a terminal that has colors, unless NO_COLOR is set (no-color.org).
  static var hasColor: Bool {
    isTerminal && ProcessEnvironment["NO_COLOR"] == nil && ProcessEnvironment["TERM"] != "dumb"
  }

  /// The size of the terminal on standard output; see ``size(of:)``.
  static var size: (columns: Int, rows: Int) { size(of: STDOUT_FILENO) }

  /// The current size of a terminal; 80 by 24 if it does not know its size.
  static func size(of terminal: CInt) -> (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(terminal, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else { return (80, 24) }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Writes a text to standard output, without changes.
  static func show(_ text: String) {
    if !text.isEmpty { write(Array(text.utf8), to: STDOUT_FILENO) }
  }

  /// Writes a line to standard output at once, so that the reader of a pipe gets it without delay.
  static func say(_ line: String) {
    write(line, to: STDOUT_FILENO)
  }

  /// Writes a line to standard error, with the program's name.
  static func complain(_ line: String) {
    write("formctl: " + line, to: STDERR_FILENO)
  }

  /// Writes a line to standard error, without changes.
  static func report(_ text: String) {
    write(text, to: STDERR_FILENO)
  }

  /// Writes a value: on several lines for people, on one line for programs.
  static func say(_ value: JSON, compact: Bool = !isTerminal) {
    say(compact ? value.description : value.indentedText)
  }

  private static func write(_ line: String, to descriptor: CInt) {
    write(Array((line + "\n").utf8), to: descriptor)
  }

  private static func write(_ bytes: [UInt8], to descriptor: CInt) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        // The reader has closed the pipe, as `| head` does: there is nothing left to do.
        if descriptor == STDOUT_FILENO && errno == EPIPE { Glibc.exit(0) }
        if descriptor == STDOUT_FILENO { complain("standard output: \(SystemError.last)") }
        Glibc.exit(2)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Reads a whole file that the user names, or standard input for `-`, without a byte order mark at the start.
  ///
  /// - Throws: ``CommandFailure`` with the file's name and the system's error.
  static func readFile(
    _ path: String,
    bytesMax: Int = FileBytes.bytesMax
  ) throws(CommandFailure) -> [UInt8] {
    do throws(SystemError) {
      return try bytes(of: path, bytesMax: bytesMax)
    } catch {
      throw CommandFailure(message: "\(path): \(error)")
    }
  }

  /// Reads a whole file, with the system's error. The file may be a pipe.
  ///
  /// - Parameter bytesMax: a longer file is an error.
  static func bytes(of path: String, bytesMax: Int = FileBytes.bytesMax) throws(SystemError) -> [UInt8] {
    try path == "-"
      ? FileBytes.readStandardInput(bytesMax: bytesMax)
      : FileBytes.read(path, bytesMax: bytesMax, mayWait: true)
  }

  /// Replaces the content of a file, completely or not at all, by way of a new file beside it. If the path is a link,
  /// the link stays, and its target is replaced.
  ///
  /// - Throws: ``CommandFailure`` with the file's name and the system's error.
  static func writeFile(_ bytes: [UInt8], to path: String) throws(CommandFailure) {
    let real: String
    do throws(SystemError) {
      real = FileIdentity(path: path) == nil ? path : try FileIdentity.realPath(of: path)
    } catch {
      throw CommandFailure(message: "\(path): \(error)")
    }
    let (file, draft) = try openDraft(of: real)
    var rest = bytes[...]
    var failure: SystemError?
    while !rest.isEmpty, failure == nil {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { failure = .last }
    }
    if close(file) != 0, failure == nil { failure = .last }
    if failure == nil, rename(draft, real) != 0 { failure = .last }
    guard let failure else { return }
    unlink(draft)
    throw CommandFailure(message: "\(path): \(failure)")
  }

  /// Creates an empty file beside that file, with an unused name.
  private static func openDraft(of path: String) throws(CommandFailure) -> (descriptor: CInt, path: String) {
    var number = 1
    while true {
      let draft = "\(path).\(getpid())-\(number).new"
      let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if file >= 0 { return (file, draft) }
      guard errno == EEXIST else {
        // The draft is beside the file, so the system's error is about their folder.
        throw CommandFailure(message: "\(path): no file can be made in this folder: \(SystemError.last)")
      }
      number += 1
    }
  }

  /// Reads the available bytes of a file, after waiting for at least one byte; nil at the end.
  ///
  /// - Throws: ``CommandFailure`` with the file's name and the system's error.
  static func readChunk(of descriptor: CInt, _ path: String) throws(CommandFailure) -> ArraySlice<UInt8>? {
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw CommandFailure(message: "\(path): \(SystemError.last)") }
      return count == 0 ? nil : chunk[..<count]
    }
  }

  /// The JSON value of a file, or of standard input for `-`.
  ///
  /// - Throws: ``CommandFailure`` with file, line and column.
  static func readJSON(_ path: String) throws(CommandFailure) -> JSON {
    try parseJSON(try readFile(path), from: path)
  }

  /// Parses the JSON value of a text.
  ///
  /// - Parameters:
  ///   - source: the name of the file, or of another source of the text.
  ///   - line: the line of the source on which the text begins.
  ///   - numbers: the handling of numbers that fit neither 64 bits nor a double.
  /// - Throws: ``CommandFailure`` with source, line and column.
  static func parseJSON(
    _ bytes: [UInt8],
    from source: String,
    line: Int = 1,
    numbers: JSONNumbers = .binary
  ) throws(CommandFailure) -> JSON {
    do throws(JSONReadError) {
      return try JSON(parsing: bytes, numbers: numbers)
    } catch {
      throw CommandFailure(Diagnostic(error, file: source, line: line))
    }
  }
}
