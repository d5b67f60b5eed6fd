/// Durations of RFC 3339, appendix A: `P`, then weeks alone, or a date and a time part in which the units follow one
/// another without a gap (`P1Y2D` skips the months and is none). Numbers are whole.
enum DurationText {
  static func isDuration(_ text: Span<UInt8>) -> Bool {
    guard text.count >= 3, text[0] == UInt8(ascii: "P") else { return false }
    var index = 1
    if text[1] != UInt8(ascii: "T") {
      guard let unit = unit(text, at: &index) else { return false }
      if unit == UInt8(ascii: "W") { return index == text.count }
      guard units(text, first: unit, at: &index, order: ("Y", "M", "D")) else { return false }
      if index == text.count { return true }
    }
    guard text[index] == UInt8(ascii: "T") else { return false }
    index += 1
    guard let unit = unit(text, at: &index) else { return false }
    return units(text, first: unit, at: &index, order: ("H", "M", "S")) && index == text.count
  }

  /// Reads digits and the letter behind them.
  private static func unit(_ text: Span<UInt8>, at index: inout Int) -> UInt8? {
    let start = index
    while index < text.count, ASCII.isDigit(text[index]) { index += 1 }
    guard index > start, index < text.count else { return nil }
    index += 1
    return text[index - 1]
  }

  /// Checks that `first` and the units behind it up to a `T` or the end are neighbors in `order`.
  private static func units(
    _ text: Span<UInt8>,
    first: UInt8,
    at index: inout Int,
    order: (Unicode.Scalar, Unicode.Scalar, Unicode.Scalar)
  ) -> Bool {
    func rank(_ letter: UInt8) -> Int? {
      switch Unicode.Scalar(letter) {
      case order.0: 0
      case order.1: 1
      case order.2: 2
      default: nil
      }
    }
    guard var last = rank(first) else { return false }
    while index < text.count, text[index] != UInt8(ascii: "T") {
      guard let letter = unit(text, at: &index), let next = rank(letter), next == last + 1 else { return false }
      last = next
    }
    return true
  }
}
