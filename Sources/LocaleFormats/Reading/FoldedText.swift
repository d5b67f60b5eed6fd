/// The scalars of a text as people mean them: digits of any script and full-width signs become ASCII, white space
/// becomes a space, and marks of the writing direction are left out. Spaces at the ends are left out.
struct FoldedText {
  private(set) var scalars: [Unicode.Scalar] = []

  init(_ text: some StringProtocol) {
    for scalar in text.unicodeScalars {
      if let folded = Self.fold(scalar) { scalars.append(folded) }
    }
    while scalars.last == " " { scalars.removeLast() }
    scalars = Array(scalars.drop { $0 == " " })
  }

  private static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    if scalar.isASCII { return scalar.properties.isWhitespace ? " " : scalar }
    switch scalar.value {
    // Marks of the writing direction (Unicode's Bidi_Control).
    case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: return nil
    // Minus signs and hyphens.
    case 0x2010, 0x2011, 0x2013, 0x2212, 0xFE63, 0xFF0D: return "-"
    // Apostrophes.
    case 0x2018, 0x2019, 0x02BC: return "'"
    // Percent signs.
    case 0x066A, 0xFE6A: return "%"
    case 0xFFE1: return "£"
    case 0xFFE5: return "¥"
    case 0xFFE6: return "₩"
    // Full-width forms of ASCII.
    case 0xFF01...0xFF5E: return Unicode.Scalar(scalar.value - 0xFEE0)
    default: break
    }
    let properties = scalar.properties
    if properties.isWhitespace { return " " }
    if properties.numericType == .decimal, let value = properties.numericValue {
      return Unicode.Scalar(0x30 + UInt8(value))
    }
    return scalar
  }
}

extension Unicode.Scalar {
  /// An ASCII digit.
  var isDigit: Bool { ("0"..."9").contains(self) }
}
