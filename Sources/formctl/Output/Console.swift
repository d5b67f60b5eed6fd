internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// Standard output and error.
enum Console {
  /// Whether a person reads the output.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// Opens those of the three standard streams that the caller closed, for nothing. Otherwise the socket would get the number of one,
  /// and what is meant for people would go to the daemon.
  static func openMissingStreams() {
    var descriptor: CInt
    repeat {
      descriptor = open("/dev/null", O_RDWR | O_CLOEXEC)
    } while (STDIN_FILENO...STDERR_FILENO).contains(descriptor)
    close(descriptor)
  }

  /// Writes a line to standard output at once, so that a pipe sees it when it happens.
  static func say(_ line: String) {
    write(line, to: STDOUT_FILENO)
  }

  /// Writes a line to standard error, with the program's name.
  static func complain(_ line: String) {
    write("formctl: " + line, to: STDERR_FILENO)
  }

  /// Writes a text to standard error as it is.
  static func report(_ text: String) {
    write(text, to: STDERR_FILENO)
  }

  /// Writes a value: over several lines for people, on one for programs.
  static func say(_ value: JSON, compact: Bool = !isTerminal) {
    say(compact ? value.description : value.indented)
  }

  private static func write(_ line: String, to descriptor: CInt) {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        // Nobody reads any more, as with `| head`: there is nothing left to do here.
        if descriptor == STDOUT_FILENO && errno == EPIPE { Glibc.exit(0) }
        if descriptor == STDOUT_FILENO { complain("standard output: \(String(cString: strerror(errno)))") }
        Glibc.exit(2)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// All of a file, or of standard input for `-`.
  ///
  /// - Throws: ``CommandFailure`` with the file's name and what the system says.
  static func readFile(_ path: String) throws(CommandFailure) -> [UInt8] {
    if path == "-" { return try readAll(of: STDIN_FILENO, path) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandFailure(message: "\(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    return try readAll(of: descriptor, path)
  }

  private static func readAll(of descriptor: CInt, _ path: String) throws(CommandFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    while let chunk = try readChunk(of: descriptor, path) { bytes += chunk }
    return bytes
  }

  /// What can be read from a file now, waiting for at least one byte; nil at the end.
  ///
  /// - Throws: ``CommandFailure`` with the file's name and what the system says.
  static func readChunk(of descriptor: CInt, _ path: String) throws(CommandFailure) -> ArraySlice<UInt8>? {
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw CommandFailure(message: "\(path): \(String(cString: strerror(errno)))") }
      return count == 0 ? nil : chunk[..<count]
    }
  }

  /// The JSON value of a file, or of standard input for `-`.
  ///
  /// - Throws: ``CommandFailure`` with file, line and column.
  static func readJSON(_ path: String) throws(CommandFailure) -> JSON {
    try parseJSON(try readFile(path), from: path)
  }

  /// The JSON value of a text.
  ///
  /// - Parameters:
  ///   - source: the file, or whatever else the text is from.
  ///   - line: the line of the source on which the text begins.
  /// - Throws: ``CommandFailure`` with source, line and column.
  static func parseJSON(_ bytes: [UInt8], from source: String, line: Int = 1) throws(CommandFailure) -> JSON {
    do {
      return try JSON(parsing: bytes)
    } catch {
      throw CommandFailure(message: "\(source):\(line + error.line - 1):\(error.column): \(error.message)")
    }
  }
}

extension JSON {
  /// The value over several lines, two spaces a level; short arrays and objects of scalars stay on one.
  var indented: String {
    var text = ""
    write(into: &text, indentation: "")
    return text
  }

  private var isScalar: Bool {
    switch self {
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    default: true
    }
  }

  private func write(into text: inout String, indentation: String) {
    let inner = indentation + "  "
    switch self {
    case .array(let elements) where !elements.allSatisfy(\.isScalar) || description.utf8.count > 80:
      text += "["
      for (position, element) in elements.enumerated() {
        text += position == 0 ? "\n\(inner)" : ",\n\(inner)"
        element.write(into: &text, indentation: inner)
      }
      text += "\n\(indentation)]"
    case .object(let members) where !members.allSatisfy(\.value.isScalar) || description.utf8.count > 80:
      text += "{"
      for (position, member) in members.enumerated() {
        text += position == 0 ? "\n\(inner)" : ",\n\(inner)"
        text += JSON.string(member.name).description + ": "
        member.value.write(into: &text, indentation: inner)
      }
      text += "\n\(indentation)}"
    default:
      text += description
    }
  }
}
