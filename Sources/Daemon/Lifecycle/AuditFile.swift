internal import Files
internal import Logging
internal import Processes

#if canImport(Glibc)
  internal import Glibc
#endif

/// The file of an audit: a line of JSON for each act of a client (``ServerEnvironment/audit``).
enum AuditFile {
  /// The reason why the daemon cannot add lines to that file; nil if no problem is found. Nothing is opened or made.
  static func problem(at path: String) -> StartError? {
    func refusal(_ error: SystemError) -> StartError { StartError("audit.file: \(path) cannot be opened: \(error)") }
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFDIR: return refusal(SystemError(code: EISDIR))
      // Opening a FIFO waits for its reader, and a socket cannot be opened.
      case S_IFIFO, S_IFSOCK: return StartError("audit.file: \(path) is a FIFO or a socket; choose another file")
      default: return access(path, W_OK) == 0 ? nil : refusal(.last)
      }
    }
    let error = SystemError.last
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard error.isMissing, stat(folder, &status) == 0 else { return refusal(error) }
    return access(folder, W_OK | X_OK) == 0 ? nil : refusal(.last)
  }

  /// Opens the file, or makes it for the daemon's user alone. New lines are added at its end, also after somebody has
  /// cut it.
  ///
  /// - Parameter log: told when the file refuses lines.
  /// - Throws: ``StartError`` if the file cannot be opened.
  static func open(_ path: String, log: Logger) throws(StartError) -> Logger {
    let descriptor = Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0o600)
    guard descriptor >= 0 else {
      throw StartError("audit.file: \(path) cannot be opened: \(SystemError(code: errno))")
    }
    let writer = LogWriter(
      descriptor: descriptor,
      format: LogFormat(isJSON: true, hasPriority: false),
      countsKinds: false,
      refused: { code in
        log.error(
          "the audit is incomplete: its file refuses lines",
          metadata: ["file": "\(path)", "reason": "\(SystemError(code: code))"]
        )
      }
    )
    return Logger(label: "audit") { _ in QueuedLogHandler(writer) }
  }
}
