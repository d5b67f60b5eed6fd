/// The separators that a number is read with.
struct NumberSigns {
  /// Before the fraction.
  let decimal: Set<Unicode.Scalar>
  /// Between the digits of the whole part.
  let group: Set<Unicode.Scalar>
  /// The digits of the last group, and then of each group before it.
  let groupSizes: [Int]

  /// The separators of a locale. A space or an apostrophe separates groups everywhere, because nobody uses them for
  /// anything else. Amounts may be written with the separators of numbers.
  init(_ conventions: LocaleConventions, isAmount: Bool) {
    let (groups, others) = ([conventions.group], isAmount ? [conventions.amountGroup] : [])
    var group = Set((groups + others).flatMap { FoldedText($0).scalars })
    var decimal = Set(FoldedText(isAmount ? conventions.amountDecimal : conventions.decimal).scalars)
    group.subtract(decimal)
    if isAmount { decimal.formUnion(Set(FoldedText(conventions.decimal).scalars).subtracting(group)) }
    self.decimal = decimal.union(["\u{66B}"])
    self.group = group.union([" ", "'", "\u{66C}"])
    groupSizes = conventions.groupSizes
  }

  /// The separators that a form's author names.
  init(decimal: String, group: String?) {
    self.decimal = Set(FoldedText(decimal).scalars)
    self.group = group.map { $0.allSatisfy(\.isWhitespace) ? [" "] : Set(FoldedText($0).scalars) } ?? []
    groupSizes = [3]
  }

  /// Digits with their separators, without a sign, as ASCII with a point. Nil if they are not a number.
  func number(_ text: ArraySlice<Unicode.Scalar>) -> String? {
    guard text.count <= DecimalText.bytesMax else { return nil }
    let whole = text.prefix { !decimal.contains($0) }
    guard let digits = wholeDigits(whole) else { return nil }
    if whole.count == text.count { return digits.isEmpty ? nil : digits }
    let fraction = text[(whole.endIndex + 1)...]
    guard !fraction.isEmpty, fraction.allSatisfy(\.isDigit) else { return nil }
    return (digits.isEmpty ? "0" : digits) + "." + String(String.UnicodeScalarView(fraction))
  }

  /// The digits of the whole part. Nil if its groups do not have their sizes: then the separator may be meant as the
  /// decimal one.
  private func wholeDigits(_ text: ArraySlice<Unicode.Scalar>) -> String? {
    guard let separator = text.first(where: { !$0.isDigit }) else { return String(String.UnicodeScalarView(text)) }
    guard group.contains(separator) else { return nil }
    let groups = text.split(separator: separator, omittingEmptySubsequences: false)
    guard let first = groups.first, first.allSatisfy(\.isDigit), first.first != "0",
      groups.dropFirst().allSatisfy({ $0.allSatisfy(\.isDigit) }),
      Self.haveSizes(groups.map(\.count), [3]) || Self.haveSizes(groups.map(\.count), groupSizes)
    else { return nil }
    return String(String.UnicodeScalarView(groups.joined()))
  }

  private static func haveSizes(_ counts: [Int], _ sizes: [Int]) -> Bool {
    guard let last = sizes.first, let other = sizes.last, let first = counts.first else { return false }
    return counts.last == last && counts.dropFirst().dropLast().allSatisfy { $0 == other }
      && (1...other).contains(first)
  }
}
