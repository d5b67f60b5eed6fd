/// Eight bytes of a text, examined at once.
///
/// A search marks the bytes that it finds: the top bit of such a byte is set. The lowest mark is exact. Higher marks
/// may be wrong, since a borrow runs upwards. So marks tell whether anything was found and where the first byte is (H.
/// S. Warren, Hacker's Delight, section 6-1).
@frozen
@usableFromInline package struct EightBytes {
  /// The first byte is the lowest.
  @usableFromInline let word: UInt64

  /// The eight bytes from there on.
  @inlinable @inline(__always)
  package init(at start: UnsafePointer<UInt8>) {
    word = UInt64(littleEndian: UnsafeRawPointer(start).loadUnaligned(as: UInt64.self))
  }

  /// Stores the bytes.
  @inlinable @inline(__always)
  package func store(at start: UnsafeMutablePointer<UInt8>) {
    UnsafeMutableRawPointer(start).storeBytes(of: word.littleEndian, as: UInt64.self)
  }

  /// The position of the first mark, 0 to 7; 8 when there is none.
  @inlinable @inline(__always)
  package static func first(of marks: UInt64) -> Int { marks.trailingZeroBitCount >> 3 }

  /// Marks bytes equal to that one.
  @inlinable @inline(__always)
  package func marks(of byte: UInt8) -> UInt64 {
    let difference = word ^ (Self.ones &* UInt64(byte))
    return (difference &- Self.ones) & ~difference & Self.tops
  }

  /// Marks the control characters of ASCII, 0x00 to 0x1f.
  @inlinable @inline(__always)
  package var controls: UInt64 { (word &- Self.ones &* 0x20) & ~word & Self.tops }

  /// Marks the bytes that are not ASCII.
  @inlinable @inline(__always)
  package var nonASCII: UInt64 { word & Self.tops }

  /// Marks the bytes that a JSON string has to escape: control characters, quotes and backslashes (RFC 8259, section
  /// 7).
  @inlinable @inline(__always)
  package var escapes: UInt64 { controls | marks(of: UInt8(ascii: "\"")) | marks(of: UInt8(ascii: "\\")) }

  /// How many decimal digits the bytes begin with: 0 to 8.
  @inlinable @inline(__always)
  package var digitCount: Int {
    // The digits become 0 to 9. The addition lifts every greater number of seven bits to the top bit, and carries
    // nothing over; so all marks are exact here.
    let values = word ^ (Self.ones &* UInt64(UInt8(ascii: "0")))
    return Self.first(of: ((values & ~Self.tops) &+ Self.ones &* 0x76 | values) & Self.tops)
  }

  /// The number that the first digits make, 1 to 8 of them.
  ///
  /// All digits are put together at once: each step makes one number of every two neighbours (D. Lemire, "Quickly
  /// parsing eight digits", 2018).
  @inlinable @inline(__always)
  package func number(ofDigits count: Int) -> UInt64 {
    assert(count >= 1 && count <= digitCount, "\(count) digits of \(digitCount)")
    // Zeros in front of the first: it is the lowest byte.
    let digits = (word & (Self.ones &* 0x0f)) &<< UInt64(truncatingIfNeeded: 64 &- 8 &* count)
    let pairs = (digits &* 10 &+ digits &>> 8) & 0x00ff_00ff_00ff_00ff
    let fours = (pairs &* 100 &+ pairs &>> 16) & 0x0000_ffff_0000_ffff
    return (fours &* 10_000 &+ fours &>> 32) & 0xffff_ffff
  }

  @usableFromInline static let ones: UInt64 = 0x0101_0101_0101_0101
  @usableFromInline static let tops: UInt64 = 0x8080_8080_8080_8080
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether no byte is above 0x7F.
  @inlinable @inline(__always)
  package var isASCII: Bool {
    guard var position = baseAddress else { return true }
    let end = position + count
    if count < 8 {
      while position < end {
        if position.pointee >= 0x80 { return false }
        position += 1
      }
      return true
    }
    while end - position > 8 {
      if EightBytes(at: position).nonASCII != 0 { return false }
      position += 8
    }
    // The last eight bytes. The first ones of them may be looked at twice.
    return EightBytes(at: end - 8).nonASCII == 0
  }
}
