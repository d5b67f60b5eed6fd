/// A small string (see ``SmallTextLayout``), taken out of its own words: it is looked at in registers, without a look
/// at memory and without a reference that is counted.
@frozen @usableFromInline
package struct SmallText {
  /// The first eight bytes; zeros behind the end of the text.
  @usableFromInline package let low: EightBytes
  /// The second eight bytes, in the same form.
  @usableFromInline package let high: EightBytes
  /// How many bytes of UTF-8 the text has: 15 at most.
  @usableFromInline package let count: Int

  /// The text; nil if it is not small.
  @inlinable @inline(__always)
  package init?(_ text: borrowing String) {
    let words = TextWords(of: text)
    guard SmallTextLayout.current.isSmall(words) else { return nil }
    low = EightBytes(word: words.first)
    high = EightBytes(word: words.second & SmallTextLayout.textBits)
    count = Int(truncatingIfNeeded: words.second &>> SmallTextLayout.countShift & SmallTextLayout.countMax)
  }

  /// The small string of bytes that are ASCII; nil if they are too many, or if small strings have another layout than
  /// ``SmallTextLayout`` knows.
  ///
  /// Its words are put together here, as the standard library does it behind checks of each byte. The standard library
  /// makes a string of the same words from the bytes: a small string is its words, and holds no reference.
  @inlinable @inline(__always)
  static func string(ascii bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let flag = SmallTextLayout.current.flag
    guard flag != 0, bytes.count <= SmallTextLayout.countMax, let start = bytes.baseAddress else { return nil }
    assert(bytes.isASCII, "a text of other bytes")
    let (low, high) = Self.words(start, bytes.count)
    let count = UInt64(truncatingIfNeeded: bytes.count) &<< SmallTextLayout.countShift
    let second = high | count | flag | SmallTextLayout.asciiFlag | SmallTextLayout.immortalFlag
    return String(smallWords: (low, second))
  }

  /// That many bytes, at most 15, as two words with zeros behind them. Nothing behind the bytes is read.
  @inlinable @inline(__always)
  static func words(_ start: UnsafePointer<UInt8>, _ count: Int) -> (UInt64, UInt64) {
    if count >= 8 {
      let low = EightBytes(at: start).word
      // The last eight bytes, without those that are in the first word already.
      let last = EightBytes(at: start + (count &- 8)).word
      let rest = UInt64(truncatingIfNeeded: 8 &* (16 &- count))
      return (low, rest == 64 ? 0 : last &>> rest)
    }
    var word: UInt64 = 0
    for index in 0..<count { word |= UInt64(start[index]) &<< UInt64(truncatingIfNeeded: 8 &* index) }
    return (word, 0)
  }

  /// The byte at that position, which is before the end.
  @inlinable @inline(__always)
  package subscript(index: Int) -> UInt8 {
    let word = index < 8 ? low.word : high.word
    return UInt8(truncatingIfNeeded: word &>> UInt64(truncatingIfNeeded: (index & 7) &* 8))
  }

  /// Whether no byte is above 0x7F.
  @inlinable @inline(__always)
  package var isASCII: Bool { low.nonASCII | high.nonASCII == 0 }

  /// Marks the bytes that a JSON string has to escape; see ``EightBytes/escapes``. Bytes behind the end do not count.
  @inlinable @inline(__always)
  package var escapes: UInt64 {
    // A borrow runs upwards only: bytes behind the text do not make marks in it.
    let lowBits = count >= 8 ? UInt64.max : (1 &<< UInt64(truncatingIfNeeded: count &* 8)) &- 1
    let highBits = count <= 8 ? 0 : (1 &<< UInt64(truncatingIfNeeded: (count &- 8) &* 8)) &- 1 as UInt64
    return low.escapes & lowBits | high.escapes & highBits
  }

  /// Whether that byte occurs in the text.
  ///
  /// - Precondition: it is not NUL, which follows the end of every text.
  @inlinable @inline(__always)
  package func contains(_ byte: UInt8) -> Bool { low.marks(of: byte) | high.marks(of: byte) != 0 }
}

extension String {
  /// The same text. A small text holds no reference, so its words are the copy, and no reference is looked for.
  @inlinable @inline(__always)
  package static func copy(of text: borrowing String) -> String {
    let words = TextWords(of: text)
    if SmallTextLayout.current.isSmall(words) { return String(smallWords: (words.first, words.second)) }
    return copy text
  }

  /// The text of these words. They are the words of a small string and hold no reference. It is taken out of them
  /// directly: a cast would be a copy, which counts a reference if the compiler cannot exclude one.
  @inlinable @inline(__always)
  init(smallWords words: (UInt64, UInt64)) {
    var words = words
    self = withUnsafeMutablePointer(to: &words) { $0.withMemoryRebound(to: String.self, capacity: 1) { $0.move() } }
  }

  /// The text of bytes that are known to be ASCII.
  @inlinable @inline(__always)
  package init(ascii bytes: UnsafeBufferPointer<UInt8>) {
    self = SmallText.string(ascii: bytes) ?? String(decoding: bytes, as: UTF8.self)
  }
}
