package import JSON
internal import Texts

/// Distinguishes values: a number that is equal for equal values, in every process and on every machine.
///
/// It is FNV-1a over the values as compact JSON (Fowler, Noll, Vo; draft-eastlake-fnv). Two values have equal numbers
/// by chance once in 2^64, and an attacker can make two such values. So the number reports changes, and protects
/// nothing.
package struct JSONFingerprint: Hashable, Sendable {
  /// The number.
  package private(set) var rawValue: UInt64 = 0xcbf2_9ce4_8422_2325

  /// The number of nothing.
  init() {}

  /// The number of a value.
  package init(_ value: JSON) { add(value) }

  /// Takes in one more value.
  mutating func add(_ part: JSON) {
    let buffer = OutputBuffer()
    buffer.write(part)
    for byte in buffer.copiedBytes { rawValue = (rawValue ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  /// The number in sixteen hexadecimal digits.
  package var text: String { rawValue.hexDigits }
}
