internal import Files
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// The `formd` that this program starts.
struct DaemonProgram {
  /// The path of the program.
  let path: String

  /// The program beside the running formctl, else the first in `PATH`.
  ///
  /// - Throws: ``CommandFailure`` if there is none.
  init() throws(CommandFailure) {
    var folders = (ProcessEnvironment["PATH"] ?? "").split(separator: ":").map(String.init)
    if let own = try? FileIdentity.realPath(of: "/proc/self/exe"), let slash = own.utf8.lastIndex(of: UInt8(ascii: "/"))
    {
      folders.insert(String(own[..<slash]), at: 0)
    }
    guard let path = folders.lazy.map({ $0 + "/formd" }).first(where: Self.isProgram) else {
      throw CommandFailure(
        message: """
          there is no formd to start, neither beside formctl nor in PATH
            install it beside formctl, or start a daemon and name its socket: --socket PATH
          """
      )
    }
    self.path = path
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }

  /// The parent of this program may have left files open, such as a lock or a pipe. A daemon that runs for long must
  /// not inherit them.
  private static func keepOthersFromChildren() {
    guard let folder = opendir("/proc/self/fd") else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let descriptor = CInt(name), descriptor > STDERR_FILENO else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }

  /// Starts the program so that the terminal's signals do not reach it.
  ///
  /// - Parameters:
  ///   - arguments: the arguments behind `formd serve`.
  ///   - streams: its standard input, output and error.
  ///   - kept: another file that stays open in the daemon; -1: none.
  ///   - variables: additional environment variables.
  ///   - isAlone: whether it must also outlive the terminal's session.
  /// - Throws: ``CommandFailure`` if the system refuses.
  func start(
    _ arguments: [String],
    streams: (input: CInt, output: CInt, error: CInt),
    keeping kept: CInt = -1,
    variables: [String: String] = [:],
    isAlone: Bool
  ) throws(CommandFailure) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, streams.input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, streams.error, STDERR_FILENO)
    Self.keepOthersFromChildren()
    // A file duplicated onto itself stays open after the exec (posix_spawn_file_actions_adddup2(3p)).
    if kept >= 0 { posix_spawn_file_actions_adddup2(&actions, kept, kept) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(isAlone ? Self.newSession : POSIX_SPAWN_SETPGROUP))
    var words: [UnsafeMutablePointer<CChar>?] = (["formd", "serve"] + arguments).map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = []
    var position = environ
    while let entry = position.pointee {
      // A service manager set these variables for this program, and not for the daemon.
      let name = String(cString: entry).prefix { $0 != "=" }
      let isLeftOut =
        ["NOTIFY_", "WATCHDOG_", "LISTEN_"].contains { name.hasPrefix($0) } || variables[String(name)] != nil
      if !isLeftOut { environment.append(strdup(entry)) }
      position += 1
    }
    environment += variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + environment { free(word) } }
    var process = pid_t()
    let error = posix_spawn(&process, path, &actions, &attributes, &words, &environment)
    guard error == 0 else { throw CommandFailure(message: "\(path): \(SystemError(code: error))") }
  }

  /// `POSIX_SPAWN_SETSID`, which Glibc declares under `_GNU_SOURCE` only (spawn.h).
  private static let newSession: CInt = 0x80
}
