internal import JSON
internal import Logging
internal import NIOConcurrencyHelpers

#if canImport(Glibc)
  internal import Glibc
#endif

/// A file that always holds the metrics of a while ago, whole: each text is written beside it and takes its place.
///
/// What collects such files is the node exporter of Prometheus (its textfile collector), which wants names that end with `.prom`.
final class MetricsFile: Sendable {
  private enum State {
    /// The next text can be written.
    case idle
    /// The file system takes its time: texts are passed over meanwhile.
    case writing
    /// The last text could not be written, and the log says so. Then `writing`.
    case failed
    /// The daemon ends, and the file goes. Nothing follows.
    case removed
  }

  private let path: String
  private let logger: Logger
  private let state = NIOLockedValueBox(State.idle)

  init(path: String, logger: Logger) {
    self.path = path
    self.logger = logger
  }

  /// Writes a text, on a thread of its own.
  func write(_ text: String) {
    let before = state.withLockedValue { state in
      defer { if state != .removed { state = .writing } }
      return state
    }
    if before == .writing || before == .removed { return }
    DetachedThread.start { [self] in
      let error = replace(with: text)
      // Once, and not each time.
      if let error, before != .failed {
        logger.error("the metrics cannot be written", metadata: ["file": "\(path)", "why": "\(error)"])
      }
      state.withLockedValue { state in
        // The file may have been made behind its removal.
        if state == .removed { unlink(path) } else { state = error == nil ? .idle : .failed }
      }
    }
  }

  /// Takes the file away: what it says is true no more.
  func remove() {
    state.withLockedValue { state in
      state = .removed
      unlink(path)
    }
  }

  private func replace(with text: String) -> SystemError? {
    let draft = "\(path).new"
    let file = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard file >= 0 else { return .last }
    var rest = Array(text.utf8)[...]
    var error: SystemError?
    while !rest.isEmpty, error == nil {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count >= 0 { rest = rest.dropFirst(count) } else if errno != EINTR { error = .last }
    }
    if close(file) != 0, error == nil { error = .last }
    if error == nil, rename(draft, path) != 0 { error = .last }
    if error != nil { unlink(draft) }
    return error
  }
}
