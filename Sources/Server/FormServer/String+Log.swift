extension String {
  /// A text of a client, cut to the length that a line of the log has room for. The ``QueuedLogHandler`` replaces
  /// control characters.
  var forLog: String { String(UnicodeScalarView(unicodeScalars.prefix(256))) }
}
