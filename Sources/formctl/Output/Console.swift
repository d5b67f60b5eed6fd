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
        Glibc.exit(descriptor == STDOUT_FILENO && errno == EPIPE ? 0 : 2)
      }
      rest = rest.dropFirst(count)
    }
  }

  /// All of standard input.
  static func readInput() -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// All of a file, or of standard input for `-`.
  ///
  /// - Throws: ``CommandFailure`` with the file's name and what the system says.
  static func readFile(_ path: String) throws(CommandFailure) -> [UInt8] {
    if path == "-" { return readInput() }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandFailure(message: "\(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw CommandFailure(message: "\(path): \(String(cString: strerror(errno)))") }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
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
