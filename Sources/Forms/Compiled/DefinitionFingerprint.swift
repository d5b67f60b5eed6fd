internal import JSON
internal import Texts

/// Tells one definition from another: a number that is the same for the same definition, in every process and on every machine.
///
/// It is FNV-1a over the definition as compact JSON (Fowler, Noll, Vo; draft-eastlake-fnv). Two definitions have the same one by chance once
/// in 2^64, and whoever wants may make two such: it says what has changed, and guards nothing.
package struct DefinitionFingerprint: Hashable, Sendable {
  /// The number.
  package private(set) var rawValue: UInt64 = 0xcbf2_9ce4_8422_2325

  /// Takes in one more part of the definition.
  mutating func add(_ part: JSON) {
    let buffer = OutputBuffer()
    buffer.write(part)
    for byte in buffer.bytes { rawValue = (rawValue ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// The number in sixteen hexadecimal digits.
  package var text: String { rawValue.hexDigits }
}
