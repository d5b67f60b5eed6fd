extension Library {
  /// Numbers as people write them: `round(x, digits)` and `round(x)`, halves away from zero.
  ///
  /// A double is rounded by its written decimal: 1.005 with two digits is 1.01, though the double is a little less than
  /// that.
  public static let decimals = Library(
    name: "decimals",
    functions: [
      Function(
        "round(number, digits)",
        .numbers,
        "the number as written, rounded to the given decimal places, halves away from zero",
        examples: [
          "round(1.005, 2)": "1.01", "round(2.675, 2)": "2.68", "round(-2.5)": "-3.0", "round(1250, -2)": "1300",
        ],
        overloads: [("double", CELType.double), ("int", .int)].flatMap { name, type in
          [
            Overload(
              id: "round_\(name)",
              name: "round",
              parameters: [type],
              result: type,
              implementation: .unary { $0.rounded(digits: 0) }
            ),
            Overload(
              id: "round_\(name)_int",
              name: "round",
              parameters: [type, .int],
              result: type,
              implementation: .binary { number, digits in
                guard case .int(let digits) = digits else { return .error(.noSuchOverload) }
                return number.rounded(digits: digits)
              }
            ),
          ]
        }
      )
    ]
  )
}

extension Value {
  /// The number with so many digits behind the point; before it, when negative.
  fileprivate func rounded(digits: Int64) -> Value {
    switch self {
    case .double(let number): .double(number.rounded(digits: digits))
    case .int(let number): number.rounded(digits: digits).map { .int($0) } ?? .failure(.overflow, "integer overflow")
    default: .error(.noSuchOverload)
    }
  }
}

extension Int64 {
  /// nil when the rounded number does not fit.
  fileprivate func rounded(digits: Int64) -> Int64? {
    if digits >= 0 { return self }
    // Half of 10^19 is more than any number of 64 bits is from zero.
    if digits < -19 { return 0 }
    if digits == -19 { return magnitude < 5_000_000_000_000_000_000 ? 0 : nil }
    let unit = (0..<(-digits)).reduce(UInt64(1)) { unit, _ in unit * 10 }
    let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: unit)
    let (rounded, isTooLarge) = (remainder >= unit / 2 ? quotient + 1 : quotient).multipliedReportingOverflow(by: unit)
    guard !isTooLarge else { return nil }
    return self < 0 ? Int64(exactly: rounded).map { -$0 } : Int64(exactly: rounded)
  }
}

extension Double {
  fileprivate func rounded(digits: Int64) -> Double {
    guard isFinite, !isZero else { return self }
    let decimal = ShortestDecimal(self)
    // No double has more than 309 digits before the point.
    let kept = decimal.pointPosition + Int(Swift.max(-400, Swift.min(400, digits)))
    if kept >= decimal.digits.count { return self }
    if kept < 0 { return 0 }
    // One extra digit before the kept digits takes the carry.
    var carried = [UInt8(ascii: "0")] + decimal.digits[..<kept]
    if decimal.digits[kept] >= UInt8(ascii: "5") {
      var digit = kept
      while carried[digit] == UInt8(ascii: "9") {
        carried[digit] = UInt8(ascii: "0")
        digit -= 1
      }
      carried[digit] += 1
    }
    let text = "\(String(decoding: carried, as: UTF8.self))e\(decimal.pointPosition - kept)"
    guard let magnitude = Double(text), !magnitude.isZero else { return 0 }
    if magnitude.isInfinite { return self }
    return decimal.isNegative ? -magnitude : magnitude
  }
}
