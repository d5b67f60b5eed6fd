extension String {
  /// The most combining marks in a row that a text of any language needs (Unicode Standard Annex #15, section 13,
  /// "Stream-Safe Text Format").
  package static let combiningMarksMax = 30

  /// Whether nowhere in the text more than ``combiningMarksMax`` combining marks follow each other.
  ///
  /// `String` compares and hashes by canonical equivalence, and sorts each run of marks for it: in a time that grows
  /// with the square of the run. A text from a stranger becomes a key only if it is stream-safe.
  package var isStreamSafe: Bool {
    // Each mark takes two bytes at least.
    if utf8.count <= 2 * Self.combiningMarksMax { return true }
    var run = 0
    for scalar in unicodeScalars {
      // Marks begin at U+0300.
      if scalar.value < 0x300 || scalar.properties.canonicalCombiningClass == .notReordered {
        run = 0
      } else {
        run += 1
        if run > Self.combiningMarksMax { return false }
      }
    }
    return true
  }
}
