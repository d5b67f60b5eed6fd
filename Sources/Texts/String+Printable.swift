extension String {
  /// The text with `?` for each character that a terminal obeys instead of showing it: controls, line and paragraph
  /// ends, and characters that change the direction of writing (Unicode's categories Cc, Zl, Zp and Cf).
  package var printable: String {
    if unicodeScalars.allSatisfy({ !$0.isObeyed }) { return self }
    return String(UnicodeScalarView(unicodeScalars.map { $0.isObeyed ? "?" : $0 }))
  }
}

extension Unicode.Scalar {
  fileprivate var isObeyed: Bool {
    if value < 0x7f { return value < 0x20 }
    return switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}
