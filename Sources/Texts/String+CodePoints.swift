extension String {
  /// Calls `body` with the UTF-8; no copy is made for native strings.
  ///
  /// `utf8.span` would be shorter. In release builds of Swift 6.3.1 the span of a short text pointed to memory that was
  /// in use for something else by then.
  @inlinable @inline(__always)
  package func withCodeUnits<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    return withCopiedCodeUnits(body)
  }

  /// The same for a string that is not native; a separate function, so that little code is inlined at each call.
  @usableFromInline @inline(never)
  func withCopiedCodeUnits<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    ContiguousArray(utf8).withUnsafeBufferPointer(body)
  }

  /// The number of code points.
  @inlinable @inline(__always)
  package var codePointCount: Int { withCodeUnits { $0.codePointCount } }

  /// Whether all code points are ASCII.
  package var isASCII: Bool { withCodeUnits(\.isASCII) }

  /// Whether it is ASCII, not empty, and has no white space or control character at its ends.
  @inlinable @inline(__always)
  package var isPlainASCII: Bool {
    withCodeUnits { bytes in
      guard let first = bytes.first, let last = bytes.last, first > 0x20, last > 0x20 else { return false }
      return first != 0x7f && last != 0x7f && bytes.isASCII
    }
  }
}

extension String {
  /// The text of bytes that are known to be ASCII.
  @inlinable @inline(__always)
  package init(plainASCII bytes: UnsafeBufferPointer<UInt8>) {
    self.init(unsafeUninitializedCapacity: bytes.count) { text in
      let count = bytes.count
      guard let source = bytes.baseAddress, let target = text.baseAddress else { return 0 }
      // Most texts are short: their first and their last eight bytes are all.
      if count >= 8, count <= 16 {
        EightBytes(at: source).store(at: target)
        EightBytes(at: source + count - 8).store(at: target + count - 8)
      } else {
        target.initialize(from: source, count: count)
      }
      return count
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The number of code points in UTF-8: every byte but the continuation bytes (10xxxxxx) begins one.
  @usableFromInline package var codePointCount: Int {
    var continuing = 0
    var position = 0
    let raw = UnsafeRawBufferPointer(self)
    // Eight bytes at a time.
    while position &+ 8 <= raw.count {
      let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      continuing &+= ((word >> 7) & ~(word >> 6) & 0x0101_0101_0101_0101).nonzeroBitCount
      position &+= 8
    }
    while position < raw.count {
      if raw[position] & 0xc0 == 0x80 { continuing &+= 1 }
      position &+= 1
    }
    return raw.count &- continuing
  }
}

extension Span<UInt8> {
  /// The text that these bytes of UTF-8 are.
  package var text: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
}
