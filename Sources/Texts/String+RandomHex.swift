extension String {
  /// Random bits in hexadecimal, 16 digits for each 64 of them. They are the system's, so nobody can guess them.
  ///
  /// - Parameter bits: how many: a multiple of 64.
  package static func randomHex(bits: Int) -> String {
    precondition(bits.isMultiple(of: 64), "\(bits) random bits are not whole words")
    var generator = SystemRandomNumberGenerator()
    return (0..<bits / 64).map { _ in generator.next().hexDigits }.joined()
  }
}

extension UInt64 {
  /// The number in all of its 16 hexadecimal digits.
  package var hexDigits: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
