internal import Texts

/// A length of time (`google.protobuf.Duration`), to the nanosecond, up to about 292 years either way: the range of
/// 64 bits of nanoseconds, as other implementations have it.
public struct DurationValue: Hashable, Sendable {
  /// The length in nanoseconds.
  public let nanoseconds: Int64

  /// A length of so many nanoseconds.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
}

extension DurationValue: Comparable {
  public static func < (left: DurationValue, right: DurationValue) -> Bool { left.nanoseconds < right.nanoseconds }
}

extension DurationValue {
  /// Reads a duration such as `1h30m`, `-1.5s`, `300ms`: a sign, then numbers each with a unit `h`, `m`, `s`, `ms`,
  /// `us` (or `µs`) or `ns`; `0` needs no unit. nil for anything else and for a duration that 64 bits of nanoseconds do
  /// not hold.
  public init?(_ text: String) {
    guard let parsed = text.withCodeUnits({ DurationValue.parse($0) }) else { return nil }
    self = parsed
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> DurationValue? {
    var position = 0
    var isNegative = false
    if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      position = 1
    }
    if bytes.count == position + 1, bytes[position] == UInt8(ascii: "0") { return DurationValue(nanoseconds: 0) }
    guard position < bytes.count else { return nil }
    // The magnitude is collected unsigned, so that the least duration can be written.
    var total: UInt64 = 0
    while position < bytes.count {
      guard let part = parsePart(bytes, &position) else { return nil }
      let (sum, overflow) = total.addingReportingOverflow(part)
      guard !overflow else { return nil }
      total = sum
    }
    if isNegative {
      guard total <= UInt64(Int64.max) + 1 else { return nil }
      return DurationValue(nanoseconds: Int64(truncatingIfNeeded: 0 &- total))
    }
    return Int64(exactly: total).map(DurationValue.init(nanoseconds:))
  }

  /// One number with its unit, in nanoseconds.
  private static func parsePart(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> UInt64? {
    var whole: UInt64 = 0
    var hasDigits = false
    while position < bytes.count, let digit = digit(bytes[position]) {
      let (scaled, overflow) = whole.multipliedReportingOverflow(by: 10)
      let (sum, overflowAgain) = scaled.addingReportingOverflow(digit)
      guard !overflow, !overflowAgain else { return nil }
      whole = sum
      hasDigits = true
      position += 1
    }
    var fraction: [UInt64] = []
    if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
      position += 1
      while position < bytes.count, let digit = digit(bytes[position]) {
        // No unit is longer than 3.6e12 ns, so that later digits are less than a nanosecond.
        if fraction.count < 13 { fraction.append(digit) }
        hasDigits = true
        position += 1
      }
    }
    guard hasDigits, let unit = unit(bytes, &position) else { return nil }
    let (scaled, overflow) = whole.multipliedReportingOverflow(by: unit)
    var rest: UInt64 = 0
    var remainder: UInt64 = 0
    var scale: UInt64 = 1
    for digit in fraction {
      remainder = remainder * 10 + digit
      scale *= 10
    }
    // remainder < 10^13 and unit < 4 * 10^12 together exceed 64 bits.
    let product = remainder.multipliedFullWidth(by: unit)
    rest = scale.dividingFullWidth(product).quotient
    let (sum, overflowAgain) = scaled.addingReportingOverflow(rest)
    return overflow || overflowAgain ? nil : sum
  }

  private static func digit(_ byte: UInt8) -> UInt64? {
    byte >= 0x30 && byte <= 0x39 ? UInt64(byte - 0x30) : nil
  }

  private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> UInt64? {
    let start = position
    while position < bytes.count, digit(bytes[position]) == nil, bytes[position] != UInt8(ascii: ".") { position += 1 }
    return switch String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<position]), as: UTF8.self) {
    case "h": 3_600_000_000_000
    case "m": 60_000_000_000
    case "s": 1_000_000_000
    case "ms": 1_000_000
    // The micro sign and the Greek letter look the same and are both in use.
    case "us", "\u{b5}s", "\u{3bc}s": 1_000
    case "ns": 1
    default: nil
    }
  }

  /// The length in seconds with as many decimals as are needed and the suffix `s`: `90s`, `-0.5s`.
  public var secondsText: String {
    let magnitude = nanoseconds.magnitude
    var text = (nanoseconds < 0 ? "-" : "") + String(magnitude / 1_000_000_000)
    let rest = magnitude % 1_000_000_000
    if rest != 0 {
      var digits = String(rest)
      digits = String(repeating: "0", count: 9 - digits.utf8.count) + digits
      while digits.utf8.last == 0x30 { digits.removeLast() }
      text += "." + digits
    }
    return text + "s"
  }
}
