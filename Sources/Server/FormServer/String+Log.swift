extension String {
  /// The text as a log may hold it when it came from a stranger: no line breaks or other controls, and not long.
  var forLog: String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(256).map { $0.value < 0x20 || $0.value == 0x7f ? "?" : $0 }))
  }
}
