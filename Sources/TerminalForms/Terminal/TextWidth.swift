internal import CUnistring

extension Character {
  /// How many columns of a terminal the character takes: 0, 1 or 2.
  ///
  /// A code point's width is what libunistring's `uc_width` says, which goes by Unicode's East_Asian_Width; ambiguous ones are narrow. A
  /// character is as wide as its widest code point: marks, joiners and the later parts of a Hangul syllable add nothing. One that a
  /// variation selector makes an emoji is wide. A control character has no width: ``StyledLine`` shows another in its place.
  package var columns: Int {
    // A flag is a pair of regional indicators, each of which is narrow by itself.
    if unicodeScalars.count == 2, unicodeScalars.allSatisfy({ ("\u{1F1E6}"..."\u{1F1FF}").contains($0) }) { return 2 }
    var width = 0
    for scalar in unicodeScalars {
      if scalar == "\u{FE0F}", unicodeScalars.count > 1 { return 2 }
      width = max(width, Int(uc_width(scalar.value, "UTF-8")))
    }
    return width
  }
}

extension StringProtocol {
  /// How many columns of a terminal the text takes on one line.
  package var columns: Int { reduce(0) { $0 + $1.columns } }
}
