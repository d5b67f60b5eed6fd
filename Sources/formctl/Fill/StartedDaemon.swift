internal import Client
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// A `formd serve --stdio` of this program's own. It ends when its connection does.
struct StartedDaemon {
  /// The connection to it.
  let connection: FormConnection
  /// What it writes to standard error: a file without a name, so that it never disturbs the terminal.
  private let log: CInt

  /// Starts one.
  ///
  /// - Parameter arguments: what follows `formd serve --stdio`.
  /// - Throws: ``CommandFailure`` when there is no `formd`, or it cannot be started.
  init(_ arguments: [String]) throws(CommandFailure) {
    guard let program = Self.program() else {
      throw CommandFailure(
        message: """
          no daemon is running, and there is no formd to start, beside formctl or in PATH
            install it beside formctl, or start a daemon and name it: --socket PATH
          """
      )
    }
    log = try Self.openLog()
    var ends: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw CommandFailure(message: "socketpair: \(SystemError.last)")
    }
    let failure = Self.spawn(
      program,
      ["formd", "serve", "--stdio", "--log-level", "warning"] + arguments,
      over: ends[1],
      log: log
    )
    close(ends[1])
    connection = FormConnection(connected: ends[0], named: program)
    guard failure == 0 else { throw CommandFailure(message: "\(program): \(SystemError(code: failure))") }
  }

  /// What it said before it ended, as far as it speaks of trouble; nil for nothing.
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

  /// Starts the program in a process group of its own, so that the terminal's signals are not for it.
  ///
  /// - Returns: 0, or the error's number.
  private static func spawn(_ program: String, _ arguments: [String], over socket: CInt, log: CInt) -> CInt {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, log, STDERR_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process = pid_t()
    return posix_spawn(&process, program, &actions, &attributes, &words, environ)
  }

  private static func openLog() throws(CommandFailure) -> CInt {
    var template = Array("/tmp/formctl-XXXXXX\0".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { throw CommandFailure(message: "/tmp: \(SystemError.last)") }
    _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    unlink(template)
    return file
  }

  /// The `formd` beside the running formctl, else the first in `PATH`.
  private static func program() -> String? {
    var folders: [String] = []
    if let own = try? FileIdentity.realPath(of: "/proc/self/exe"), let slash = own.utf8.lastIndex(of: UInt8(ascii: "/"))
    {
      folders.append(String(own[..<slash]))
    }
    if let path = ProcessEnvironment["PATH"] { folders += path.split(separator: ":").map(String.init) }
    return folders.lazy.map { $0 + "/formd" }.first { access($0, X_OK) == 0 }
  }
}
