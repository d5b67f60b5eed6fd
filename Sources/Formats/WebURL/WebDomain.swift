internal import CIDN2

/// "Domain to ASCII" of the URL Standard, section 3.3, with beStrict false: UTS #46, non-transitional, without its
/// rules on hyphens and lengths. A domain that libidn2 accepts is valid. If libidn2 refuses a domain because of the
/// stricter rules of IDNA2008 (symbols, hyphens, lengths), it gets a second reading by UTS #46 alone.
enum WebDomain {
  /// The domain in ASCII and lower case, or nil: failure.
  static func toASCII(_ input: [Unicode.Scalar]) -> String? {
    var labels: [String] = []
    var unicode: [[Unicode.Scalar]] = []
    let parts = input.split(omittingEmptySubsequences: false) { scalar in
      scalar == "." || scalar == "\u{3002}" || scalar == "\u{FF0E}" || scalar == "\u{FF61}"
    }
    for part in parts {
      guard let label = self.label(Array(part)) else { return nil }
      labels.append(label)
      // Empty labels are allowed here, and have no direction.
      if !label.isEmpty { unicode.append(decoded(label)) }
    }
    guard BidiRule.accepts(unicode) else { return nil }
    return labels.joined(separator: ".")
  }

  private static func label(_ input: [Unicode.Scalar]) -> String? {
    var ascii = ""
    if input.allSatisfy(\.isASCII) {
      for scalar in input {
        ascii.unicodeScalars.append(scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar)
      }
      guard ascii.hasPrefix("xn--") else { return ascii }
    } else {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: input)
      ascii = String(view)
    }
    // libidn2 ends a text at NUL, and no domain holds one.
    guard !ascii.utf8.contains(0) else { return nil }
    var result: UnsafeMutablePointer<UInt8>?
    let flags = CInt(IDN2_NONTRANSITIONAL.rawValue | IDN2_NFC_INPUT.rawValue)
    let status = Array(ascii.utf8 + [0]).withUnsafeBufferPointer { idn2_lookup_u8($0.baseAddress, &result, flags) }
    defer { if let result { idn2_free(result) } }
    if status == IDN2_OK.rawValue, let result { return String(cString: result) }
    // The rules for joiners need tables that only libidn2 has: without libidn2, joiners do not get a second reading.
    guard !input.contains(where: { $0.value == 0x200C || $0.value == 0x200D }) else { return nil }
    return WebLabel.toASCII(ascii)
  }

  /// The Unicode form of a label, which the rule on directions needs.
  private static func decoded(_ label: String) -> [Unicode.Scalar] {
    guard label.hasPrefix("xn--") else { return Array(label.unicodeScalars) }
    let bytes = Array(label.utf8.dropFirst(4))
    return Punycode.decode(bytes.span) ?? []
  }
}
