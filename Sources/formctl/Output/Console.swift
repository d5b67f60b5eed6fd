internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// Standard output and error.
enum Console {
  /// Whether a person reads the output.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// Writes a line to standard output at once, so that a pipe sees it when it happens.
  static func say(_ line: String) {
    write(line, to: STDOUT_FILENO)
  }

  /// Writes a line to standard error, with the program's name.
  static func complain(_ line: String) {
    write("formctl: " + line, to: STDERR_FILENO)
  }

  /// Writes a value: over several lines for people, on one for programs.
  static func say(_ value: JSON, compact: Bool = !isTerminal) {
    say(compact ? value.description : value.indentedText)
  }

  private static func write(_ line: String, to descriptor: CInt) {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        // Nobody reads any more, as with `| head`: there is nothing left to do here.
        Glibc.exit(descriptor == STDOUT_FILENO && errno == EPIPE ? 0 : 2)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// All of a file, or of standard input for `-`.
  ///
  /// - Throws: ``CommandFailure`` with the file's name and what the system says.
  static func readFile(_ path: String) throws(CommandFailure) -> [UInt8] {
    do throws(SystemError) {
      return try path == "-" ? FileBytes.readStandardInput() : FileBytes.read(path)
    } catch {
      throw CommandFailure(message: "\(path): \(error)")
    }
  }

  /// The JSON value of a file, or of standard input for `-`.
  ///
  /// - Throws: ``CommandFailure`` with file, line and column.
  static func readJSON(_ path: String) throws(CommandFailure) -> JSON {
    try parse(try readFile(path), file: path)
  }

  /// The JSON value of a file's text.
  ///
  /// - Throws: ``CommandFailure`` with file, line and column.
  static func parse(_ bytes: [UInt8], file: String) throws(CommandFailure) -> JSON {
    do throws(JSONReadError) {
      return try JSON(parsing: bytes)
    } catch {
      throw CommandFailure(Diagnostic(error, file: file))
    }
  }
}
