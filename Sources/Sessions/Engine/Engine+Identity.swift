internal import Texts

extension Engine {
  /// 128 random bits in 32 hexadecimal digits.
  static func randomIdentity() -> String { .randomHex(bits: 128) }
}
