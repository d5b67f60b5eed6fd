/// Reading valid UTF-8 in place.
extension Span<UInt8> {
  /// The first position of `byte` at `start` or later.
  func firstIndex(of byte: UInt8, from start: Int = 0) -> Int? {
    var index = start
    while index < count {
      if self[index] == byte { return index }
      index += 1
    }
    return nil
  }

  /// The last position of `byte`.
  func lastIndex(of byte: UInt8) -> Int? {
    var index = count - 1
    while index >= 0 {
      if self[index] == byte { return index }
      index -= 1
    }
    return nil
  }

  /// Whether no byte is above 0x7F.
  var isASCII: Bool {
    for index in 0..<count where self[index] >= 0x80 { return false }
    return true
  }

  /// Whether `text` (lower-case ASCII) begins here, in either case.
  func hasPrefixIgnoringCase(_ text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount else { return false }
    for index in 0..<text.utf8CodeUnitCount where self[index] | 0x20 != text.utf8Start[index] | 0x20 { return false }
    return true
  }

  /// The code point that begins at `index` and the number of its bytes. The text is valid UTF-8; anything that is not
  /// reads as U+FFFD of one byte, so that a mistake of a caller stays harmless.
  func scalar(at index: Int) -> (value: UInt32, length: Int) {
    let first = self[index]
    if first < 0x80 { return (UInt32(first), 1) }
    let length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2
    guard first >= 0xC2, index + length <= count else { return (0xFFFD, 1) }
    var value = UInt32(first & (0xFF >> UInt8(length + 1)))
    for offset in 1..<length { value = value << 6 | UInt32(self[index + offset] & 0x3F) }
    return (value, length)
  }

  /// A copy as text.
  var string: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }
}
