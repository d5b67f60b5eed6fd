internal import CUnistring

extension Character {
  /// The number of terminal columns of the character: 0, 1 or 2.
  ///
  /// The width of a code point is libunistring's `uc_width`, which uses Unicode's East_Asian_Width; ambiguous ones are
  /// narrow. A character is as wide as its widest code point: marks, joiners and the later parts of a Hangul syllable
  /// add nothing. A character with the variation selector for emoji is wide. A control character has no width:
  /// ``StyledLine`` replaces it.
  package var columns: Int {
    // A flag is a pair of regional indicators, and a single indicator is narrow.
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
  /// The number of terminal columns of the text on one line.
  package var columns: Int { reduce(0) { $0 + $1.columns } }
}
