extension Engine {
  /// 128 random bits in 32 hexadecimal digits.
  static func randomIdentity() -> String {
    let bits = UInt128.random(in: 0 ... .max)
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}
