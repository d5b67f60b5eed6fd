/// Punycode: RFC 3492, with the parameters of IDNA.
///
/// libidn2 has it for others only since 2.3.5 (`idn2_punycode_encode`, `idn2_punycode_decode`), and Debian 12 has
/// 2.3.3. Its other functions judge the label, too, which is wrong here: the URL Standard takes labels that IDNA2008
/// refuses.
enum Punycode {
  private static let base: UInt32 = 36
  private static let thresholdMin: UInt32 = 1
  private static let thresholdMax: UInt32 = 26
  private static let skew: UInt32 = 38
  private static let damp: UInt32 = 700
  private static let initialBias: UInt32 = 72
  private static let initialCode: UInt32 = 0x80

  /// The decoded code points of `text` (ASCII, without `xn--`), or nil. Section 6.2.
  static func decode(_ text: Span<UInt8>) -> [Unicode.Scalar]? {
    var output: [UInt32] = []
    var position = 0
    if let delimiter = text.lastIndex(of: UInt8(ascii: "-")) {
      for index in 0..<delimiter {
        guard text[index] < 0x80 else { return nil }
        output.append(UInt32(text[index]))
      }
      position = delimiter + 1
    }
    var scalar = initialCode
    var index: UInt32 = 0
    var bias = initialBias
    while position < text.count {
      let start = index
      var weight: UInt32 = 1
      var step = base
      while true {
        guard position < text.count, let digit = digitValue(text[position]) else { return nil }
        position += 1
        let (addend, overflowed) = digit.multipliedReportingOverflow(by: weight)
        let (sum, carried) = index.addingReportingOverflow(addend)
        guard !overflowed, !carried else { return nil }
        index = sum
        let threshold = self.threshold(step: step, bias: bias)
        if digit < threshold { break }
        let (next, tooLarge) = weight.multipliedReportingOverflow(by: base - threshold)
        guard !tooLarge else { return nil }
        weight = next
        step += base
      }
      let count = UInt32(output.count) + 1
      bias = adapt(index - start, count: count, isFirst: start == 0)
      let (sum, overflowed) = scalar.addingReportingOverflow(index / count)
      guard !overflowed, sum <= 0x10FFFF else { return nil }
      scalar = sum
      index %= count
      output.insert(scalar, at: Int(index))
      index += 1
    }
    var scalars: [Unicode.Scalar] = []
    for value in output {
      guard let scalar = Unicode.Scalar(value) else { return nil }
      scalars.append(scalar)
    }
    return scalars
  }

  /// The Punycode of `scalars`, without `xn--`; nil only when it is too long to count. Section 6.3.
  static func encode(_ scalars: [Unicode.Scalar]) -> [UInt8]? {
    var output: [UInt8] = scalars.filter { $0.value < 0x80 }.map { UInt8($0.value) }
    let basicCount = UInt32(output.count)
    if basicCount > 0 { output.append(UInt8(ascii: "-")) }
    var handled = basicCount
    var scalar = initialCode
    var delta: UInt32 = 0
    var bias = initialBias
    while handled < UInt32(scalars.count) {
      guard let next = scalars.lazy.map(\.value).filter({ $0 >= scalar }).min() else { return nil }
      let (steps, overflowed) = (next - scalar).multipliedReportingOverflow(by: handled + 1)
      let (sum, carried) = delta.addingReportingOverflow(steps)
      guard !overflowed, !carried else { return nil }
      delta = sum
      scalar = next
      for value in scalars.lazy.map(\.value) {
        if value < scalar {
          guard delta < .max else { return nil }
          delta += 1
        }
        guard value == scalar else { continue }
        var rest = delta
        var step = base
        while true {
          let threshold = self.threshold(step: step, bias: bias)
          if rest < threshold { break }
          output.append(digit(threshold + (rest - threshold) % (base - threshold)))
          rest = (rest - threshold) / (base - threshold)
          step += base
        }
        output.append(digit(rest))
        bias = adapt(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      guard delta < .max else { return nil }
      delta += 1
      scalar += 1
    }
    return output
  }

  private static func threshold(step: UInt32, bias: UInt32) -> UInt32 {
    step <= bias + thresholdMin ? thresholdMin : step >= bias + thresholdMax ? thresholdMax : step - bias
  }

  private static func adapt(_ delta: UInt32, count: UInt32, isFirst: Bool) -> UInt32 {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var step: UInt32 = 0
    while delta > (base - thresholdMin) * thresholdMax / 2 {
      delta /= base - thresholdMin
      step += base
    }
    return step + (base - thresholdMin + 1) * delta / (delta + skew)
  }

  private static func digitValue(_ byte: UInt8) -> UInt32? {
    if ASCII.isDigit(byte) { return UInt32(byte - 0x30) + 26 }
    if ASCII.isLetter(byte) { return UInt32((byte | 0x20) - 0x61) }
    return nil
  }

  private static func digit(_ value: UInt32) -> UInt8 { UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30) }
}
