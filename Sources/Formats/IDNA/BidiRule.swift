/// The Bidi Rule: RFC 5893, section 2. It binds every label of a name that has a right-to-left label.
enum BidiRule {
  private static let rightToLeft = compile("[\\p{bc:R}\\p{bc:AL}\\p{bc:AN}]")
  /// Rules 1 to 4: a label that begins right-to-left.
  private static let rightToLeftLabel = compile(
    "\\A[\\p{bc:R}\\p{bc:AL}]"
      + "[\\p{bc:R}\\p{bc:AL}\\p{bc:AN}\\p{bc:EN}\\p{bc:ES}\\p{bc:CS}\\p{bc:ET}\\p{bc:ON}\\p{bc:BN}\\p{bc:NSM}]*"
      + "(?<=[\\p{bc:R}\\p{bc:AL}\\p{bc:EN}\\p{bc:AN}])\\p{bc:NSM}*\\z"
  )
  private static let bothDigits = compile("\\p{bc:EN}.*\\p{bc:AN}|\\p{bc:AN}.*\\p{bc:EN}")
  /// Rules 1, 5 and 6: a label that begins left-to-right.
  private static let leftToRightLabel = compile(
    "\\A\\p{bc:L}[\\p{bc:L}\\p{bc:EN}\\p{bc:ES}\\p{bc:CS}\\p{bc:ET}\\p{bc:ON}\\p{bc:BN}\\p{bc:NSM}]*"
      + "(?<=[\\p{bc:L}\\p{bc:EN}])\\p{bc:NSM}*\\z"
  )

  /// Whether a name of these labels (in Unicode) obeys the rule.
  static func accepts(_ labels: [[Unicode.Scalar]]) -> Bool {
    guard labels.contains(where: { label in label.contains { $0.value >= 0x590 } }) else { return true }
    let texts = labels.map { label in
      var view = String.UnicodeScalarView()
      view.append(contentsOf: label)
      return String(view)
    }
    guard texts.contains(where: { matches(rightToLeft, $0) }) else { return true }
    return texts.allSatisfy { text in
      matches(leftToRightLabel, text) || (matches(rightToLeftLabel, text) && !matches(bothDigits, text))
    }
  }

  private static func matches(_ pattern: CompiledPattern?, _ text: String) -> Bool {
    var text = text
    return text.withUTF8 { pattern?.matches($0) == .match }
  }

  /// The expressions above are constants, and the tests of names with right-to-left labels run each.
  private static func compile(_ source: String) -> CompiledPattern? {
    try? CompiledPattern(native: source)
  }
}
