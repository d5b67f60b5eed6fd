internal import Files

#if canImport(Glibc)
  internal import Glibc
#endif

/// The format of the log's lines.
package struct LogFormat: Hashable, Sendable {
  /// Whether a line is a JSON object.
  package var isJSON = false
  /// Whether a line begins with its priority, such as `<4>`, for journald (sd-daemon(3)).
  package var hasPriority = false
  /// The name of the program in a line of text.
  package var program = "formd"

  /// Lines of text, without priorities.
  package init() {}

  package init(isJSON: Bool, hasPriority: Bool, program: String = "formd") {
    self.program = program
    self.isJSON = isJSON
    self.hasPriority = hasPriority
  }

  /// Whether journald reads that open file. `JOURNAL_STREAM` has the device and inode of the file that systemd has
  /// connected to it (systemd.exec(5)).
  package static func isReadByJournal(_ descriptor: CInt) -> Bool {
    guard let stream = ProcessEnvironment["JOURNAL_STREAM"] else { return false }
    var status = stat()
    return fstat(descriptor, &status) == 0 && stream == "\(status.st_dev):\(status.st_ino)"
  }
}
