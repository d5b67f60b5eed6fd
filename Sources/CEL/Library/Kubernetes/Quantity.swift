internal import JSON

/// An amount of a resource: a number with a suffix such as `500m`, `1.5Gi` or `2e3` (k8s.io/apimachinery, `api/resource`, "Quantity").
struct Quantity: Sendable {
  /// How it is kept. What 64 bits hold with a power of ten is kept so, and only such an amount is an integer for ``integer``, as there.
  private enum Amount: Sendable {
    case scaled(Int64, exponent: Int)
    case exact(DecimalDigits)
  }

  private let amount: Amount
  /// The text that it was read from; nil where it was computed.
  private let source: String?

  private init(_ amount: Amount, source: String? = nil) {
    self.amount = amount
    self.source = source
  }

  /// The quantity of an integer.
  init(_ integer: Int64) { self.init(.scaled(integer, exponent: 0)) }

  /// Why a text is no quantity.
  enum ParsingError: Error {
    case syntax
    case suffix
  }

  /// No sum takes more digits: one takes microseconds still.
  private static let digitsMax = 10_000
  /// Nothing is smaller than a thousand millionth.
  private static let exponentMin = -9
  /// The largest amount with a binary suffix.
  private static let binaryMax = DecimalDigits(Int64.max)
  /// A number of up to so many digits fits in 64 bits.
  private static let shortDigitsMax = 18
}

// MARK: Reading

extension Quantity {
  /// Reads a text as a whole.
  init(parsing text: String) throws(ParsingError) {
    var rest = Array(text.utf8)[...]
    guard !rest.isEmpty else { throw .syntax }
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest.removeFirst() }
    let written = Self.takeDigits(&rest)
    let whole = written.drop { $0 == 0 }
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      fraction = Self.takeDigits(&rest)
    }
    guard !written.isEmpty || !fraction.isEmpty else { throw .syntax }
    let digits = Array(whole + fraction)
    let lengthAtLeastOne = max(whole.count, 1) + fraction.count
    guard rest.allSatisfy({ Self.mayBeInSuffix($0) }) else { throw .syntax }
    switch try Self.scale(ofSuffix: rest) {
    case .decimal(let exponent):
      let exponent = exponent - fraction.count
      if lengthAtLeastOne <= Self.shortDigitsMax, exponent >= Self.exponentMin {
        self.init(.scaled(Self.integer(digits, isNegative), exponent: exponent), source: text)
      } else {
        let exact = DecimalDigits(isNegative: isNegative, digits: digits, exponent: exponent)
        self.init(.exact(exact.roundedAwayFromZero(toExponent: Self.exponentMin)), source: text)
      }
    case .binary(let exponent):
      // Such a number has about three digits for each ten bits.
      if fraction.isEmpty, 14 - lengthAtLeastOne - exponent * 3 / 10 >= 0 {
        let (product, overflows) = Self.integer(digits, isNegative).multipliedReportingOverflow(by: 1 << exponent)
        if !overflows {
          self.init(.scaled(product, exponent: 0), source: text)
          return
        }
      }
      let magnitude = DecimalDigits(isNegative: false, digits: digits, exponent: -fraction.count)
        .multiplied(by: 1 << exponent).roundedAwayFromZero(toExponent: Self.exponentMin)
      let bounded = min(magnitude, Self.binaryMax)
      self.init(.exact(isNegative ? bounded.negated : bounded), source: text)
    }
  }

  private static func takeDigits(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = text.prefix { (0x30...0x39).contains($0) }
    text.removeFirst(digits.count)
    return digits.map { $0 - 0x30 }[...]
  }

  private static func integer(_ digits: [UInt8], _ isNegative: Bool) -> Int64 {
    let magnitude = digits.reduce(0 as Int64) { $0 * 10 + Int64($1) }
    return isNegative ? -magnitude : magnitude
  }

  private static func mayBeInSuffix(_ byte: UInt8) -> Bool {
    "eEinumkKMGTP+-0123456789".utf8.contains(byte)
  }

  /// What a suffix multiplies by: a power of ten, or of two.
  private enum Scale {
    case decimal(Int)
    case binary(Int)
  }

  private static func scale(ofSuffix suffix: ArraySlice<UInt8>) throws(ParsingError) -> Scale {
    let text = String(decoding: suffix, as: UTF8.self)
    if let exponent = decimalSuffixes[text] { return .decimal(exponent) }
    if let exponent = binarySuffixes[text] { return .binary(exponent) }
    guard let first = suffix.first, first | 0x20 == UInt8(ascii: "e"), let exponent = Int32(text.dropFirst()) else {
      throw .suffix
    }
    return .decimal(Int(exponent))
  }

  private static let decimalSuffixes = [
    "n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18,
  ]
  private static let binarySuffixes = ["Ki": 10, "Mi": 20, "Gi": 30, "Ti": 40, "Pi": 50, "Ei": 60]
}

// MARK: Numbers

extension Quantity {
  private var digits: DecimalDigits {
    switch amount {
    case .scaled(let value, let exponent): DecimalDigits(value).scaled(by: exponent)
    case .exact(let digits): digits
    }
  }

  /// The same as an integer; nil where it is none, does not fit in 64 bits, or is kept as a decimal.
  var integer: Int64? {
    guard case .scaled(let value, let exponent) = amount, exponent >= 0 else { return nil }
    if value == 0 { return 0 }
    guard exponent <= Self.shortDigitsMax else { return nil }
    var scaled = value
    for _ in 0..<exponent {
      let (product, overflows) = scaled.multipliedReportingOverflow(by: 10)
      if overflows { return nil }
      scaled = product
    }
    return scaled
  }

  /// About the same as a double: the digits times a power of ten, each rounded; infinite where it is beyond all of them.
  var approximateDouble: Double {
    switch amount {
    case .scaled(let value, 0): Double(value)
    case .scaled(let value, let exponent): Double(value) * (Double("1e\(exponent)") ?? .infinity)
    case .exact(let digits): Double(digits.description) ?? .infinity
    }
  }

  /// -1, 0 or 1.
  var sign: Int64 {
    let digits = digits
    return digits.digits.isEmpty ? 0 : digits.isNegative ? -1 : 1
  }

  /// -1, 0 or 1: less than, equal to or greater than the other one.
  func compared(to other: Quantity) -> Int64 {
    let (left, right) = (digits, other.digits)
    return left < right ? -1 : left == right ? 0 : 1
  }

  /// The same amount of the other sign.
  var negated: Quantity {
    switch amount {
    case .scaled(let value, let exponent) where value != .min: Quantity(.scaled(-value, exponent: exponent))
    default: Quantity(.exact(digits.negated))
    }
  }

  /// The sum of two; nil where it has too many digits.
  func adding(_ other: Quantity) -> Quantity? {
    if case .scaled(let left, let exponent) = amount, case .scaled(let right, let otherExponent) = other.amount,
      let sum = Self.sum(left, exponent, right, otherExponent)
    {
      return Quantity(sum)
    }
    return digits.adding(other.digits, digitsMax: Self.digitsMax).map { Quantity(.exact($0)) }
  }

  /// The sum of two amounts, at the smaller of their exponents; nil where it does not fit in 64 bits.
  private static func sum(_ left: Int64, _ exponent: Int, _ right: Int64, _ otherExponent: Int) -> Amount? {
    if right == 0 { return .scaled(left, exponent: exponent) }
    if left == 0 { return .scaled(right, exponent: otherExponent) }
    if exponent < otherExponent { return sum(right, otherExponent, left, exponent) }
    guard let aligned = Quantity(.scaled(left, exponent: exponent - otherExponent)).integer else { return nil }
    let (total, overflows) = aligned.addingReportingOverflow(right)
    return overflows ? nil : .scaled(total, exponent: otherExponent)
  }
}

extension Quantity: Hashable {
  static func == (left: Quantity, right: Quantity) -> Bool { left.digits == right.digits }
  func hash(into hasher: inout Hasher) { hasher.combine(digits) }
}

extension Quantity: AbstractContent {
  static let type = TypeValue("kubernetes.Quantity")
  static let constructor = "quantity"
  var text: String { source ?? digits.description }
}
