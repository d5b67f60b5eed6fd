/// The two words that a `String` is made of, for comparing texts without counting a reference.
///
/// Equal words mean an equal text: a small string holds its text in them, a large one the address of its text. They
/// mean something only as long as the string lives.
@frozen @usableFromInline
package struct TextWords: Equatable {
  @usableFromInline let first: UInt64
  @usableFromInline let second: UInt64

  /// The words of a string.
  @inlinable @inline(__always)
  package init(of text: borrowing String) {
    (first, second) = unsafeBitCast(copy text, to: (UInt64, UInt64).self)
  }
}

/// The standard library's layout of small strings: strings of 15 bytes of UTF-8 at most, which hold their text in their
/// own words.
///
/// The layout is taken from the standard library's `StringObject`. Bit 61 of the second word says that a string is
/// small, and bit 62 that it is ASCII. Bits 56 to 59 are its length. Everything else is the text, with zeros behind its
/// end. It is private to the standard library, but the compiler puts it into every program. So ``current`` is found by
/// looking at literals, which costs next to nothing when the program runs; if they have another layout, no string
/// counts as small, and texts are compared by their bytes.
@frozen @usableFromInline
package struct SmallTextLayout: Sendable {
  /// The bit that says that a string is small; no bit at all if the layout is another.
  @usableFromInline let flag: UInt64

  /// The bit that says that a small string is ASCII; the standard library may leave it out.
  @usableFromInline static let asciiFlag: UInt64 = 1 << 62

  /// The bit of strings without a reference to count; every small string has it.
  @usableFromInline static let immortalFlag: UInt64 = 1 << 63

  /// The bits of the second word that are text.
  @inlinable static var textBits: UInt64 { 0x00ff_ffff_ffff_ffff }
  /// The bit of the second word at which the length begins.
  @inlinable static var countShift: UInt64 { 56 }
  /// The bits of the first word of a large string that are its length.
  @inlinable static var largeCountBits: UInt64 { 0x0000_ffff_ffff_ffff }
  /// The longest small string, and the bits of a length.
  @inlinable static var countMax: UInt64 { 15 }

  /// The layout that the compiler has put into this program.
  @inlinable @inline(__always)
  package static var current: SmallTextLayout { SmallTextLayout() }

  @inlinable @inline(__always)
  init() {
    let bit: UInt64 = 1 << 61
    let ascii = TextWords(of: "short").second
    let other = TextWords(of: "kürz").second
    // Of a large string the first word is its length, so the second is the address, under bits of its own. A test must
    // check that the bit of small strings is not among those bits: the compiler does not know an address, and a look at
    // that word would stay in the program.
    let large = TextWords(of: "longer than fifteen bytes").first
    let saysSmall = ascii & bit != 0 && other & bit != 0 && large & Self.largeCountBits == 25
    let saysASCII = ascii & Self.asciiFlag != 0 && other & Self.asciiFlag == 0
    // "short te" and "xt", the first byte the lowest, and ten bytes in all.
    let text = TextWords(of: "short text")
    let holdsText =
      text.first == 0x6574_2074_726f_6873
      && text.second == bit | Self.asciiFlag | Self.immortalFlag | 10 << Self.countShift | 0x7478
    flag = saysSmall && saysASCII && holdsText ? bit : 0
  }

  /// Whether a string with those words is small.
  @inlinable @inline(__always)
  package func isSmall(_ words: TextWords) -> Bool { words.second & flag != 0 }

  /// Whether two small strings have equal texts; nil when one of the strings is not small.
  @inlinable @inline(__always)
  package func areSame(_ words: TextWords, _ others: TextWords) -> Bool? {
    guard words.second & others.second & flag != 0 else { return nil }
    return words.first == others.first && (words.second ^ others.second) & ~Self.asciiFlag == 0
  }
}
