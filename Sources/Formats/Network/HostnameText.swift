/// Names of hosts as letters, digits and hyphens: RFC 1034 section 3.5, RFC 1123 section 2.1.
enum HostnameText {
  static let labelMax = 63
  /// 255 octets on the wire are 253 characters (RFC 1035, section 2.3.4).
  static let nameMax = 253

  /// Whether `label` has 1 to 63 letters, digits and hyphens, and neither begins nor ends with a hyphen.
  static func isLabel(_ label: Span<UInt8>) -> Bool {
    guard label.count >= 1, label.count <= labelMax else { return false }
    for index in 0..<label.count {
      let byte = label[index]
      guard ASCII.isLetterOrDigit(byte) || byte == UInt8(ascii: "-") else { return false }
    }
    return label[0] != UInt8(ascii: "-") && label[label.count - 1] != UInt8(ascii: "-")
  }

  /// Whether `name` is labels with dots between them. The length of the whole is the caller's affair.
  static func isDottedLabels(_ name: Span<UInt8>) -> Bool {
    var start = 0
    while true {
      let end = name.firstIndex(of: UInt8(ascii: "."), from: start) ?? name.count
      guard isLabel(name.extracting(start..<end)) else { return false }
      if end == name.count { return true }
      start = end + 1
    }
  }
}
