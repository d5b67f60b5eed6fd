extension Int {
  /// The number with a comma before every three digits: `1,000`.
  package var grouped: String {
    var digits = String(magnitude)
    for index in stride(from: digits.count - 3, to: 0, by: -3) {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: index))
    }
    return (self < 0 ? "-" : "") + digits
  }
}
