#if canImport(Glibc)
  public import Glibc
#endif

extension String {
  /// Whether both texts are the same code points. `==` on `String` asks for canonical equivalence instead, under which
  /// `"é"` (one code point) equals `"e\u{301}"` (two).
  @inlinable
  public func hasSameUTF8(as other: String) -> Bool {
    // The same representation is the same text; this settles short texts and shared ones.
    if unsafeBitCast(self, to: (UInt64, UInt64).self) == unsafeBitCast(other, to: (UInt64, UInt64).self) { return true }
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
