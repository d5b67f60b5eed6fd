extension String {
  /// The text as a line of the log has room for it when it came from a stranger. The ``QueuedLogHandler`` takes out what would be obeyed.
  var forLog: String { String(UnicodeScalarView(unicodeScalars.prefix(256))) }
}
