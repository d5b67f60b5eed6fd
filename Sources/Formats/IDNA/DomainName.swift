internal import CIDN2

/// Names of hosts whose labels may hold any script: IDNA2008 (RFC 5890 to 5893), for JSON Schema's `hostname` and
/// `idn-hostname`. libidn2 decides whether a label may be registered, with the rules that depend on the neighbors of a
/// character; the rule for names with right-to-left labels concerns the whole name and is decided here.
enum DomainName {
  /// The separators between labels.
  enum Separators {
    case fullStop
    /// Also U+3002, U+FF0E and U+FF61, which IDNA2003 (RFC 3490, section 3.1) has people type for a dot.
    case ideographic
  }

  /// Whether `text` is an ASCII host name whose `xn--` labels are true A-labels.
  static func isHostname(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 1, text.count <= HostnameText.nameMax, HostnameText.isDottedLabels(text) else { return false }
    // Without "--" there can be neither an A-label nor a label that only looks like one.
    guard hasDoubleHyphen(text) else { return true }
    return isInternational(text, separators: .fullStop)
  }

  /// Whether `text` is a host name of U-labels, A-labels and plain ASCII labels.
  static func isInternational(_ text: Span<UInt8>, separators: Separators) -> Bool {
    guard text.count >= 1 else { return false }
    var labels: [[Unicode.Scalar]] = []
    var label: [Unicode.Scalar] = []
    var asciiCount = 0
    var index = 0
    while index <= text.count {
      var isEnd = index == text.count
      var length = 1
      if !isEnd {
        let (value, bytes) = text.scalar(at: index)
        length = bytes
        isEnd = value == 0x2E || (separators == .ideographic && (value == 0x3002 || value == 0xFF0E || value == 0xFF61))
        if !isEnd, let scalar = Unicode.Scalar(value) {
          label.append(scalar)
          // More code points than an A-label can have: no use in going on.
          if label.count > HostnameText.labelMax { return false }
        }
      }
      if isEnd {
        guard let result = unicodeLabel(label) else { return false }
        labels.append(result.label)
        asciiCount += result.asciiCount + 1
        if asciiCount - 1 > HostnameText.nameMax { return false }
        label.removeAll(keepingCapacity: true)
      }
      index += length
    }
    return BidiRule.accepts(labels)
  }

  private static func hasDoubleHyphen(_ text: Span<UInt8>) -> Bool {
    for index in 1..<text.count where text[index] == UInt8(ascii: "-") && text[index - 1] == UInt8(ascii: "-") {
      return true
    }
    return false
  }

  /// The label in Unicode and the length of its ASCII form; nil when it is not a label.
  private static func unicodeLabel(_ label: [Unicode.Scalar]) -> (label: [Unicode.Scalar], asciiCount: Int)? {
    guard !label.isEmpty else { return nil }
    guard label.allSatisfy(\.isASCII) else {
      guard let encoded = Punycode.encode(label), encoded.count + 4 <= HostnameText.labelMax, isULabel(label) else {
        return nil
      }
      return (label, encoded.count + 4)
    }
    let ascii = label.map { UInt8(truncatingIfNeeded: $0.value) }
    guard HostnameText.isLabel(ascii.span) else { return nil }
    guard ascii.count >= 4, ascii[2] == UInt8(ascii: "-"), ascii[3] == UInt8(ascii: "-") else {
      return (label, ascii.count)
    }
    // Only A-labels may have hyphens there (RFC 5891, section 4.2.3.1).
    guard ascii.span.hasPrefixIgnoringCase("xn") else { return nil }
    let lowered = ascii.dropFirst(4).map { ASCII.isLetter($0) ? $0 | 0x20 : $0 }
    guard let decoded = Punycode.decode(lowered.span), !decoded.allSatisfy(\.isASCII),
      Punycode.encode(decoded) == lowered, isULabel(decoded)
    else { return nil }
    return (decoded, ascii.count)
  }

  /// Whether `label`, which has a character beyond ASCII, may be registered: RFC 5891, section 4.2.
  private static func isULabel(_ label: [Unicode.Scalar]) -> Bool {
    var bytes: [UInt8] = []
    for scalar in label {
      guard scalar.value != 0 else { return false }
      bytes.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
    }
    if bytes.last == UInt8(ascii: "-") || bytes.first == UInt8(ascii: "-") { return false }
    bytes.append(0)
    var result: UnsafeMutablePointer<UInt8>?
    let status = bytes.withUnsafeBufferPointer { idn2_register_u8($0.baseAddress, nil, &result, 0) }
    if let result { idn2_free(result) }
    return status == IDN2_OK.rawValue
  }
}
