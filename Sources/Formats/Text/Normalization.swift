internal import CUnistring

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Normalization Form C (UAX #15): different input sequences of one text become one composed form. A text without a
/// code point from U+0300 on, which is the usual case, is returned unchanged.
///
/// The work grows with the text, some 20 ns a byte, however many marks follow one letter: libunistring sorts them by
/// merging. So the stream-safe format (UAX #15, section 13), which bounds such runs by putting U+034F between the
/// marks, is not applied. It would add a character that the user did not type, and a service that composes the same
/// text by itself would get another text.
public func nfc(_ text: String) -> String {
  // U+0300 is the first code point that may change, or change the one before it; its UTF-8 begins with 0xCC.
  text.utf8.contains { $0 >= 0xCC } ? normalized(text, formd_uninorm_nfc()) : text
}

/// The most bytes of a text that may be composed in one piece while other work waits: some 20 ms, if every letter has
/// its marks in the wrong order.
public let composedBytesMax = 256 << 10

/// The number of extended grapheme clusters (UAX #29), which people call characters. A family emoji is one.
public func graphemeCount(_ text: String) -> Int { text.count }

/// Normalization Form KC (UAX #15): full-width, small and other variants of characters become the usual ones. It loses
/// distinctions that a text may need.
public func nfkc(_ text: String) -> String {
  text.utf8.span.isASCII ? text : normalized(text, formd_uninorm_nfkc())
}

/// The text in a form of libunistring's.
private func normalized(_ text: String, _ form: uninorm_t?) -> String {
  var text = text
  return text.withUTF8 { bytes in
    var count = 0
    guard let result = u8_normalize(form, bytes.baseAddress, bytes.count, nil, &count) else {
      // A `String` is always valid UTF-8, so the only remaining cause is missing memory (uninorm.h).
      preconditionFailure("u8_normalize failed for \(bytes.count) bytes: errno \(errno)")
    }
    defer { free(result) }
    return String(decoding: UnsafeBufferPointer(start: result, count: count), as: UTF8.self)
  }
}
