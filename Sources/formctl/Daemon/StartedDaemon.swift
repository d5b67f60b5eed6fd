internal import Client
internal import Files
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// A `formd serve --stdio` that belongs to this program. It ends with its connection.
struct StartedDaemon {
  /// The connection to it.
  let connection: FormConnection
  /// Its standard error: a file without a name, so that its output never disturbs the terminal.
  private let log: CInt

  /// Starts the daemon.
  ///
  /// - Parameter arguments: the arguments behind `formd serve --stdio`.
  /// - Throws: ``CommandFailure`` if there is no `formd`, or if it cannot be started.
  init(_ arguments: [String]) throws(CommandFailure) {
    let program = try DaemonProgram()
    log = try Self.openLog()
    var ends: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw CommandFailure(message: "socketpair: \(SystemError.last)")
    }
    connection = FormConnection(connected: ends[0], named: program.path)
    defer { close(ends[1]) }
    try program.start(
      ["--stdio", "--log-level", "warning"] + arguments,
      streams: (ends[1], ends[1], log),
      isAlone: false
    )
  }

  /// The problems that it reported before it ended; nil if there are none.
  var lastWords: String? {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    lseek(log, 0, SEEK_SET)
    while true {
      let count = read(log, &chunk, chunk.count)
      guard count > 0 else { break }
      text += chunk[..<count]
    }
    let lines = String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline)
    return lines.isEmpty ? nil : lines.suffix(5).joined(separator: "\n")
  }

  private static func openLog() throws(CommandFailure) -> CInt {
    var template = Array("/tmp/formctl-XXXXXX\0".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw CommandFailure(message: "/tmp: \(SystemError.last)") }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    unlink(template)
    return file
  }
}
