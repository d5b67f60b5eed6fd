package import Logging
internal import Texts

/// The handler to which swift-log gives events: it makes their text, on the thread that logs, and leaves the rest to a
/// ``LogWriter``.
package struct QueuedLogHandler: LogHandler {
  /// The level that a logger has set for itself; nil: the ``LogWriter/level``.
  private var ownLevel: Logger.Level?
  package var metadata: Logger.Metadata = [:]
  private let label: String
  private let writer: LogWriter

  /// A handler for the logger of that label.
  package init(label: String, writer: LogWriter) {
    self.label = label
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
    let particulars = all.sorted { $0.key < $1.key }.map { " \($0.key)=\(Self.text(of: $0.value))" }.joined()
    writer.write(
      LogLine(
        stamp: LogLine.stamp(),
        level: event.level,
        message: "\(event.message)",
        details: "\(label):\(particulars) [\(event.source)]"
      )
    )
  }

  /// A value in a form that nobody can mistake for several values, or for another line. It is quoted if it has a space,
  /// a sign of equality or a quote.
  private static func text(of value: Logger.MetadataValue) -> String {
    let text = "\(value)".printable
    guard text.isEmpty || text.contains(where: { " =\"".contains($0) }) else { return text }
    return "\"" + text.reduce(into: "") { $0 += "\"\\".contains($1) ? "\\\($1)" : String($1) } + "\""
  }
}
