import Logging

/// Notes the lines that a daemon logs.
final class TestLog: @unchecked Sendable {
  struct Line {
    var level: Logger.Level
    var message: String
    var metadata: [String: String]
  }

  /// Only the test's thread writes it, because the daemon runs on that thread.
  private(set) var lines: [Line] = []

  var handler: any LogHandler { Handler(log: self) }

  private struct Handler: LogHandler {
    let log: TestLog
    var logLevel = Logger.Level.info
    var metadata: Logger.Metadata = [:]

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      log.lines.append(
        Line(
          level: event.level,
          message: "\(event.message)",
          metadata: (event.metadata ?? [:]).mapValues { "\($0)" }
        )
      )
    }
  }
}
