package import Logging
internal import Texts

/// The handler to which swift-log gives events: it makes their text, on the thread that logs, and leaves the rest to a
/// ``LogWriter``.
package struct QueuedLogHandler: LogHandler {
  /// The level that a logger has set for itself; nil: the ``LogWriter/level``.
  private var ownLevel: Logger.Level?
  package var metadata: Logger.Metadata = [:]
  private let writer: LogWriter

  /// A handler that hands lines to that writer.
  package init(_ writer: LogWriter) {
    self.writer = writer
  }

  package var logLevel: Logger.Level {
    get { ownLevel ?? writer.level }
    set { ownLevel = newValue }
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, particular in particular }
    writer.write(
      LogLine(
        stamp: LogLine.stamp(),
        level: event.level,
        message: "\(event.message)",
        details: all.sorted { $0.key < $1.key }.map { LogLine.Detail($0.key, "\($0.value)".printable) },
        module: event.source
      )
    )
  }
}
