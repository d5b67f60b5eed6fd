extension Int {
  /// The number with a comma before every three digits: `1,000`.
  package var grouped: String {
    var digits = String(magnitude)
    for place in stride(from: digits.count - 3, to: 0, by: -3) {
      digits.insert(",", at: digits.index(digits.startIndex, offsetBy: place))
    }
    return (self < 0 ? "-" : "") + digits
  }
}
