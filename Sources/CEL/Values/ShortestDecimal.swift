/// A double's shortest decimal digits that read back as the same double.
struct ShortestDecimal {
  /// Whether the sign is negative; true for negative zero.
  let isNegative: Bool
  /// ASCII digits without leading or trailing zeros; `0` for zero.
  let digits: [UInt8]
  /// The position of the point: the value is 0.d1d2d3... times ten to this power.
  let pointPosition: Int

  /// The digits of a finite number.
  init(_ number: Double) {
    var digits: [UInt8] = []
    var point: Int?
    var exponent = 0
    var isExponent = false
    var exponentIsNegative = false
    // The standard library prints the shortest digits, as `123.456` or `1.5e-07`; only their arrangement differs.
    for byte in number.magnitude.description.utf8 {
      switch byte {
      case UInt8(ascii: "."): point = digits.count
      case UInt8(ascii: "e"): isExponent = true
      case UInt8(ascii: "-"): exponentIsNegative = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if isExponent { exponent = exponent * 10 + Int(byte - 0x30) } else { digits.append(byte) }
      default: break
      }
    }
    var position = (point ?? digits.count) + (exponentIsNegative ? -exponent : exponent)
    let leading = digits.prefix { $0 == 0x30 }.count
    digits.removeFirst(leading)
    position -= leading
    while digits.last == 0x30 { digits.removeLast() }
    isNegative = number.sign == .minus
    self.digits = digits.isEmpty ? [0x30] : digits
    pointPosition = digits.isEmpty ? 1 : position
  }

  /// Without an exponent, with the decimals that are needed: `0.0001`, `1000000`.
  var plain: String {
    var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    if pointPosition <= 0 {
      text += [UInt8(ascii: "0"), UInt8(ascii: ".")]
      text += [UInt8](repeating: 0x30, count: -pointPosition)
      text += digits
    } else if pointPosition >= digits.count {
      text += digits
      text += [UInt8](repeating: 0x30, count: pointPosition - digits.count)
    } else {
      text += digits[..<pointPosition]
      text.append(UInt8(ascii: "."))
      text += digits[pointPosition...]
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// C's `%g` with as many digits as are needed: an exponent of at least two digits from 1e6 on and below 1e-4 (`%g`
  /// as C++ and Go apply it to the shortest digits).
  var general: String {
    let exponent = pointPosition - 1
    guard exponent < -4 || exponent >= Self.exponentFrom else { return plain }
    var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    text.append(digits[0])
    if digits.count > 1 {
      text.append(UInt8(ascii: "."))
      text += digits[1...]
    }
    text += Array("e\(exponent < 0 ? "-" : "+")\(abs(exponent) < 10 ? "0" : "")\(abs(exponent))".utf8)
    return String(decoding: text, as: UTF8.self)
  }

  /// Numbers of ten to this power and more are printed with an exponent; a C++ or Go peer prints `1e+06` too.
  private static let exponentFrom = 6
}

extension Double {
  /// The text of `string(x)`.
  var celText: String {
    if isNaN { return "NaN" }
    if isInfinite { return self < 0 ? "-Infinity" : "Infinity" }
    return ShortestDecimal(self).general
  }
}
