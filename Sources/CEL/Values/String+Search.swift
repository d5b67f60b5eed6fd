internal import Texts

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

// In the language, texts are sequences of code points. Swift's own `String` operations compare by canonical equivalence
// and count characters, so this code does not use them.

extension String {
  /// Whether the other text occurs in this one.
  func containsCodePoints(of other: String) -> Bool {
    withCodeUnits { haystack in
      other.withCodeUnits { needle in haystack.offset(of: needle, from: 0) != nil }
    }
  }

  /// Whether this text begins with the other.
  func startsWithCodePoints(of other: String) -> Bool {
    withCodeUnits { text in
      other.withCodeUnits { prefix in
        text.count >= prefix.count && UnsafeBufferPointer(rebasing: text[..<prefix.count]).hasSameBytes(as: prefix)
      }
    }
  }

  /// Whether this text ends with the other.
  func endsWithCodePoints(of other: String) -> Bool {
    withCodeUnits { text in
      other.withCodeUnits { suffix in
        text.count >= suffix.count
          && UnsafeBufferPointer(rebasing: text[(text.count - suffix.count)...]).hasSameBytes(as: suffix)
      }
    }
  }

  /// The text of those bytes, which must be whole code points of a valid text.
  init(codeUnits: Slice<UnsafeBufferPointer<UInt8>>) {
    self.init(decoding: UnsafeBufferPointer(rebasing: codeUnits), as: UTF8.self)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first occurrence of the needle at or after `start`, as an offset in bytes; `start` itself for an empty needle.
  @inline(__always)
  func offset(of needle: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    // Most needles are one character, such as the `@` of an address.
    guard needle.count == 1, let base = baseAddress, start < count else { return wideOffset(of: needle, from: start) }
    let found = memchr(base + start, Int32(needle[0]), count - start)
    return found.map { UnsafeRawPointer($0) - UnsafeRawPointer(base) }
  }

  /// The same for a needle of any length.
  @inline(never)
  private func wideOffset(of needle: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    guard let pattern = needle.baseAddress, needle.count > 0 else { return start }
    guard let base = baseAddress, count - start >= needle.count else { return nil }
    var position = start
    var work = 0
    while position + needle.count <= count {
      guard let candidate = memchr(base + position, Int32(pattern[0]), count - needle.count + 1 - position) else {
        return nil
      }
      position = UnsafeRawPointer(candidate) - UnsafeRawPointer(base)
      if memcmp(base + position, pattern, needle.count) == 0 { return position }
      // A needle that almost matches everywhere would make this quadratic; from here on the search is linear.
      work += needle.count
      position += 1
      if work > 16 * count { return linearOffset(of: needle, from: position) }
    }
    return nil
  }

  /// The search of Knuth, Morris and Pratt, which never looks back in the text.
  private func linearOffset(of needle: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    // borders[i]: the length of the longest proper prefix of needle[...i] that is also its suffix.
    var borders = [Int](repeating: 0, count: needle.count)
    var matched = 0
    for index in needle.indices.dropFirst() {
      while matched > 0, needle[index] != needle[matched] { matched = borders[matched - 1] }
      if needle[index] == needle[matched] { matched += 1 }
      borders[index] = matched
    }
    matched = 0
    for index in start..<Swift.max(start, count) {
      while matched > 0, self[index] != needle[matched] { matched = borders[matched - 1] }
      if self[index] == needle[matched] { matched += 1 }
      if matched == needle.count { return index + 1 - needle.count }
    }
    return nil
  }

  /// The last occurrence of the needle that begins at or before `last`, as an offset in bytes.
  func lastOffset(of needle: UnsafeBufferPointer<UInt8>, upTo last: Int) -> Int? {
    guard needle.count <= count else { return nil }
    let last = Swift.min(last, count - needle.count)
    guard last >= 0 else { return nil }
    guard needle.count > 0 else { return last }
    // Searching the reversed bytes from the front keeps the linear bound of the forward search.
    let reversedText = ContiguousArray(UnsafeBufferPointer(rebasing: self[..<(last + needle.count)]).reversed())
    let reversedNeedle = ContiguousArray(needle.reversed())
    return reversedText.withUnsafeBufferPointer { text in
      reversedNeedle.withUnsafeBufferPointer { pattern in
        text.offset(of: pattern, from: 0).map { last - $0 }
      }
    }
  }

  /// The offset in bytes of the code point with that index; the length for the index just past the end; nil beyond it.
  func offset(ofCodePoint index: Int) -> Int? {
    guard index >= 0, index <= count else { return nil }
    var remaining = index
    var offset = 0
    while remaining > 0 {
      guard offset < count else { return nil }
      offset += codePointLength(at: offset)
      remaining -= 1
    }
    return offset
  }

  /// The length in bytes of the code point that begins there.
  @inline(__always)
  func codePointLength(at offset: Int) -> Int {
    let lead = self[offset]
    let length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    // A valid text never ends inside a code point; the minimum keeps a broken one from reading past its end.
    return Swift.min(length, count - offset)
  }
}
