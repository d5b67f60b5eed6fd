internal import Files
internal import Logging

#if canImport(Glibc)
  internal import Glibc
#endif

/// The file of an audit: a line of JSON for each act of a client (``ServerEnvironment/audit``).
enum AuditFile {
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
