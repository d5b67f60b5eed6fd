#if canImport(Glibc)
  public import Glibc
#endif

// Texts here are sequences of code points. Their order is the order of the code points, which is also the order of the
// UTF-8 bytes. `String`'s own `==`, `<` and `hash` go by canonical equivalence instead, under which `"é"` (one code
// point) equals `"e\u{301}"` (two).

extension String {
  /// Whether both texts are the same code points.
  @inlinable @inline(__always)
  package func hasSameUTF8(as other: String) -> Bool {
    // Most texts that differ have different lengths.
    utf8.count == other.utf8.count && hasSameBytes(asUTF8Of: other)
  }

  /// The same for texts of one length; a separate function, so that little code is inlined at each comparison of texts.
  @usableFromInline @inline(never)
  func hasSameBytes(asUTF8Of other: String) -> Bool {
    let areSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { right in left.hasSameBytes(as: right) }
    }
    // A string that is not native has no bytes to look at in place.
    return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Negative, zero or positive as this text comes before, equals or comes after the other.
  package func utf8Order(_ other: String) -> Int {
    withCodeUnits { left in other.withCodeUnits { right in left.byteOrder(right) } }
  }

  /// Whether this text comes before the other.
  package func precedesInUTF8(_ other: String) -> Bool { utf8Order(other) < 0 }

  /// Feeds the UTF-8 bytes, so that texts that ``hasSameUTF8(as:)`` calls equal hash equally.
  package func hashUTF8(into hasher: inout Hasher) {
    withCodeUnits { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // No UTF-8 has this byte: two texts that follow each other hash unlike the same bytes split elsewhere.
    hasher.combine(0xff as UInt8)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether both have the same bytes.
  @inlinable @inline(__always)
  package func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let left = baseAddress, let right = other.baseAddress else { return true }
    // Most texts are short: their first and their last eight bytes are all.
    if count >= 8, count <= 16 {
      return EightBytes(at: left).word == EightBytes(at: right).word
        && EightBytes(at: left + count - 8).word == EightBytes(at: right + count - 8).word
    }
    // Copies of a large text share their memory.
    return left == right || memcmp(left, right, count) == 0
  }

  /// Whether these are the bytes of that literal.
  @inlinable @inline(__always)
  package func hasSameBytes(as literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard count == length else { return false }
    guard let start = baseAddress else { return true }
    return memcmp(start, literal.utf8Start, length) == 0
  }

  /// Negative, zero or positive as these bytes come before, equal or come after the others.
  package func byteOrder(_ other: UnsafeBufferPointer<UInt8>) -> Int {
    let common = Swift.min(count, other.count)
    if common > 0, let left = baseAddress, let right = other.baseAddress {
      let order = memcmp(left, right, common)
      if order != 0 { return Int(order) }
    }
    return count - other.count
  }
}
