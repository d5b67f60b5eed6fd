/// One label of a domain by UTS #46 (Processing, section 4, with the validity criteria of section 4.1):
/// non-transitional, CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength false. The mapping table is derived as its
/// section 7 derives it from properties of Unicode: NFKC, case and default ignorables.
enum WebLabel {
  /// The ASCII form of `label`, or nil: failure.
  static func toASCII(_ label: String) -> String? {
    let mapped = map(label)
    if mapped.utf8.span.isASCII {
      guard mapped.hasPrefix("xn--") else { return mapped.contains(".") ? nil : mapped }
      let bytes = Array(mapped.utf8.dropFirst(4))
      guard let decoded = Punycode.decode(bytes.span), !decoded.allSatisfy(\.isASCII), isValid(decoded),
        Punycode.encode(decoded) == bytes
      else { return nil }
      return mapped
    }
    let scalars = Array(mapped.unicodeScalars)
    guard isValid(scalars), let encoded = Punycode.encode(scalars) else { return nil }
    return "xn--" + String(decoding: encoded, as: UTF8.self)
  }

  private static func map(_ label: String) -> String {
    nfc(foldCase(nfkc(foldCase(label))))
  }

  /// Lower case and no ignorable characters. Full case folding would take ß and ς apart, which IDNA2008 keeps.
  private static func foldCase(_ text: String) -> String {
    var output = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let properties = scalar.properties
      if properties.isDefaultIgnorableCodePoint, isIgnored(scalar) { continue }
      switch scalar.value {
      case 0x13A0...0x13F5: output.append(scalar)  // Cherokee folds to its capitals.
      case 0xAB70...0xABBF, 0x13F8...0x13FD: output.append(contentsOf: properties.uppercaseMapping.unicodeScalars)
      default: output.append(contentsOf: properties.lowercaseMapping.unicodeScalars)
      }
    }
    return String(output)
  }

  /// Default ignorables that vanish; the others (fillers, controls of direction, tags) are refused.
  private static func isIgnored(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x34F, 0x180B...0x180D, 0x180F, 0x200B, 0x2060, 0x2064, 0xFE00...0xFE0F, 0xFEFF, 0x1BCA0...0x1BCA3,
      0xE0100...0xE01EF:
      true
    default: false
    }
  }

  private static func isValid(_ label: [Unicode.Scalar]) -> Bool {
    guard let first = label.first, !isMark(first), label.allSatisfy(isValid) else { return false }
    var view = String.UnicodeScalarView()
    view.append(contentsOf: label)
    let text = String(view)
    // Nothing that the mapping would change may be left: this also asks for NFC.
    return map(text).utf8.elementsEqual(text.utf8)
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  private static func isValid(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar != "." }
    switch scalar.value {
    case 0x2FF0...0x2FFF, 0x31EF, 0xFFFC, 0xFFFD, 0x1D173...0x1D17A: return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .unassigned, .control, .format, .surrogate, .privateUse, .spaceSeparator, .lineSeparator, .paragraphSeparator:
      return false
    default:
      return !scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isNoncharacterCodePoint
    }
  }
}
