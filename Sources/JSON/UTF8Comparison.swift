#if canImport(Glibc)
  public import Glibc
#endif

/// The representation of small strings (15 bytes of UTF-8 at most), as the standard library's StringObject lays it out: bit
/// 61 of the second word says that it is small, bit 62 that it is ASCII; everything else is the text and its length.
public enum SmallString {
  /// The bit that says that a string is small, or no bit at all if this standard library does it another way.
  public static let flag: UInt64 = {
    let bit: UInt64 = 1 << 61
    let small = unsafeBitCast("short" as String, to: (UInt64, UInt64).self).1
    let other = unsafeBitCast("kürz" as String, to: (UInt64, UInt64).self).1
    let large = unsafeBitCast(String(repeating: "long", count: 20), to: (UInt64, UInt64).self).1
    let isSo = small & bit != 0 && other & bit != 0 && large & bit == 0 && small & ascii != 0 && other & ascii == 0
    return isSo && MemoryLayout<String>.size == 16 ? bit : 0
  }()

  /// The bit that says that a small string is ASCII; one that is may be without it.
  @usableFromInline static let ascii: UInt64 = 1 << 62

  /// Whether two small strings are the same text.
  @inlinable @inline(__always)
  public static func areSame(_ words: (UInt64, UInt64), _ others: (UInt64, UInt64)) -> Bool {
    words.0 == others.0 && (words.1 ^ others.1) & ~ascii == 0
  }
}

extension String {
  /// Whether both texts are the same code points. `==` on `String` asks for canonical equivalence instead, under which
  /// `"é"` (one code point) equals `"e\u{301}"` (two).
  @inlinable
  public func hasSameUTF8(as other: String) -> Bool {
    // The same representation is the same text; this settles shared texts, and short ones whatever they are.
    let words = unsafeBitCast(self, to: (UInt64, UInt64).self)
    let otherWords = unsafeBitCast(other, to: (UInt64, UInt64).self)
    if words == otherWords { return true }
    if words.1 & otherWords.1 & SmallString.flag != 0 { return SmallString.areSame(words, otherWords) }
    let left = utf8
    let right = other.utf8
    let count = left.count
    guard count == right.count else { return false }
    if count == 0 { return true }
    if let equal = left.withContiguousStorageIfAvailable({ a in
      right.withContiguousStorageIfAvailable { b in memcmp(a.baseAddress!, b.baseAddress!, count) == 0 }
    }), let equal {
      return equal
    }
    return left.elementsEqual(right)
  }

  /// Whether this text comes before the other in code point order, which is the order of the UTF-8 bytes.
  public func precedesInUTF8(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Feeds the UTF-8 bytes, so that texts that ``hasSameUTF8(as:)`` calls equal hash equally.
  public func hashUTF8(into hasher: inout Hasher) {
    if utf8.withContiguousStorageIfAvailable({ hasher.combine(bytes: UnsafeRawBufferPointer($0)) }) == nil {
      for byte in utf8 { hasher.combine(byte) }
    }
    hasher.combine(0xff as UInt8)
  }
}
