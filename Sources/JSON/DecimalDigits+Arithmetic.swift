/// Exact arithmetic on decimals.
extension DecimalDigits {
  /// The number with the other sign.
  package var negated: DecimalDigits { DecimalDigits(isNegative: !isNegative, digits: digits, exponent: exponent) }

  /// The number ×10^exponent.
  package func scaled(by exponent: Int) -> DecimalDigits {
    DecimalDigits(isNegative: isNegative, digits: digits, exponent: self.exponent + exponent)
  }

  /// The sum of two numbers; nil where it takes more digits than that.
  package func adding(_ other: DecimalDigits, digitsMax: Int) -> DecimalDigits? {
    if digits.isEmpty { return other }
    if other.digits.isEmpty { return self }
    let lowest = min(exponent, other.exponent)
    // One more, for what is carried.
    let width = max(digits.count + exponent, other.digits.count + other.exponent) - lowest + 1
    guard width <= digitsMax else { return nil }
    var first = aligned(to: lowest, width)
    var second = other.aligned(to: lowest, width)
    var isNegative = isNegative
    if isNegative == other.isNegative {
      var carry: UInt8 = 0
      for place in first.indices.reversed() {
        let sum = first[place] + second[place] + carry
        first[place] = sum % 10
        carry = sum / 10
      }
    } else {
      if first.lexicographicallyPrecedes(second) {
        swap(&first, &second)
        isNegative = other.isNegative
      }
      var borrowed: UInt8 = 0
      for place in first.indices.reversed() {
        let less = second[place] + borrowed
        borrowed = first[place] < less ? 1 : 0
        first[place] = first[place] + borrowed * 10 - less
      }
    }
    return DecimalDigits(isNegative: isNegative, digits: first, exponent: lowest)
  }

  /// The digits from the most significant of so many places down to that exponent.
  private func aligned(to lowest: Int, _ width: Int) -> [UInt8] {
    let behind = exponent - lowest
    return Array(repeating: 0, count: width - behind - digits.count) + digits + Array(repeating: 0, count: behind)
  }

  /// The number times a factor of up to 2^60.
  package func multiplied(by factor: UInt64) -> DecimalDigits {
    precondition(factor <= 1 << 60, "a digit times the factor and what is carried has to fit in 64 bits")
    var product: [UInt8] = []
    var carry: UInt64 = 0
    for digit in digits.reversed() {
      carry += UInt64(digit) * factor
      product.append(UInt8(carry % 10))
      carry /= 10
    }
    while carry > 0 {
      product.append(UInt8(carry % 10))
      carry /= 10
    }
    return DecimalDigits(isNegative: isNegative, digits: product.reversed(), exponent: exponent)
  }

  /// The number without what lies below that power of ten, rounded away from zero.
  package func roundedAwayFromZero(toExponent lowest: Int) -> DecimalDigits {
    guard exponent < lowest, !digits.isEmpty else { return self }
    let kept = digits.dropLast(lowest - exponent)
    let whole = DecimalDigits(isNegative: isNegative, digits: kept, exponent: lowest)
    let one = DecimalDigits(isNegative: isNegative, digits: [1], exponent: lowest)
    // What is dropped is not zero: digits do not end with one.
    return whole.adding(one, digitsMax: .max) ?? one
  }
}

extension DecimalDigits: CustomStringConvertible {
  /// The number as it may be written: `-12`, `12e3`.
  package var description: String {
    if digits.isEmpty { return "0" }
    let text = (isNegative ? "-" : "") + String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
    return exponent == 0 ? text : "\(text)e\(exponent)"
  }
}
