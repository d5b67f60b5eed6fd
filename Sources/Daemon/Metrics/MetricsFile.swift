internal import Files
internal import JSON
internal import Logging
internal import NIOConcurrencyHelpers

#if canImport(Glibc)
  internal import Glibc
#endif

/// A file that always holds whole and recent metrics: each text is written to a draft beside the file, which then takes
/// its place. All users may read it.
///
/// The node exporter of Prometheus collects such files (its textfile collector). It runs as another user and wants
/// names that end with `.prom`.
final class MetricsFile: Sendable {
  private enum Phase {
    /// The next text can be written.
    case idle
    /// The file system takes its time: new texts are skipped.
    case writing
    /// The daemon ends, and the file goes. Nothing follows.
    case removed
  }

  private struct State {
    var phase = Phase.idle
    /// The file that this daemon wrote last.
    var own: FileIdentity?
    /// Whether the last text could not be written, and the log says so.
    var hasFailed = false
    /// Whether the log says that another process writes the file, too.
    var isShared = false
  }

  private let path: String
  private let logger: Logger
  private let state = NIOLockedValueBox(State())

  init(path: String, logger: Logger) {
    self.path = path
    self.logger = logger
  }

  /// Writes a text, on a thread of its own.
  func write(_ text: String) {
    let begins = state.withLockedValue { state in
      guard state.phase == .idle else { return false }
      state.phase = .writing
      return true
    }
    guard begins else { return }
    DetachedThread.start { [self] in
      do throws(SystemError) {
        wasWritten(try replace(with: text))
      } catch {
        failed(error)
      }
    }
  }

  /// Removes the file, because its numbers are no longer true. A file that another process has put there stays.
  func remove() {
    state.withLockedValue { state in
      state.phase = .removed
      remove(state.own)
    }
  }

  private func remove(_ own: FileIdentity?) {
    let path = realPath
    if let own, own == FileIdentity(path: path) { unlink(path) }
  }

  private func wasWritten(_ written: FileIdentity?) {
    let hadFailed = state.withLockedValue { state in
      // The file may have been made after its removal.
      if state.phase == .removed { remove(written) } else { state.phase = .idle }
      state.own = written
      defer { state.hasFailed = false }
      return state.hasFailed
    }
    if hadFailed { logger.notice("the metrics are written again", metadata: ["file": "\(path)"]) }
  }

  private func failed(_ error: SystemError) {
    let hadFailed = state.withLockedValue { state in
      if state.phase != .removed { state.phase = .idle }
      defer { state.hasFailed = true }
      return state.hasFailed
    }
    // Logged once, not each time.
    if hadFailed { return }
    logger.error("the metrics cannot be written", metadata: ["file": "\(path)", "why": "\(error)"])
  }

  /// The file that the path leads to: a link stays one.
  private var realPath: String { (try? FileIdentity.realPath(of: path)) ?? path }

  /// - Returns: the file that holds the text.
  private func replace(with text: String) throws(SystemError) -> FileIdentity? {
    let path = realPath
    try refuseWhatIsNotRegular(path)
    warnIfShared(path)
    let (file, draft) = try openDraft(of: path)
    let written = FileIdentity(descriptor: file)
    var rest = Array(text.utf8)[...]
    // This mode does not depend on the process's mask.
    var error = fchmod(file, 0o644) == 0 ? nil : SystemError.last
    while !rest.isEmpty, error == nil {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { error = .last }
    }
    if close(file) != 0, error == nil { error = .last }
    if error == nil, rename(draft, path) != 0 { error = .last }
    guard let error else { return written }
    unlink(draft)
    throw error
  }

  private func refuseWhatIsNotRegular(_ path: String) throws(SystemError) {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw .notRegular }
  }

  private func warnIfShared(_ path: String) {
    let isNews = state.withLockedValue { state in
      guard let own = state.own, let there = FileIdentity(path: path), there != own, !state.isShared else {
        return false
      }
      state.isShared = true
      return true
    }
    guard isNews else { return }
    logger.warning(
      "another process also writes the metrics file: each daemon needs a file of its own",
      metadata: ["file": "\(self.path)"]
    )
  }

  /// Creates an empty file beside that one, of a name that none has there.
  private func openDraft(of path: String) throws(SystemError) -> (descriptor: CInt, path: String) {
    var number = 1
    while true {
      let draft = "\(path).\(getpid())-\(number).new"
      let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if file >= 0 { return (file, draft) }
      guard errno == EEXIST else { throw .last }
      number += 1
    }
  }
}
