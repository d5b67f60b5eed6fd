internal import Texts

extension String {
  private static func outOfRange(_ index: Int64) -> Value {
    .failure(.indexOutOfBounds, "index out of range: \(index)")
  }

  /// The code point at that index as a text; empty just past the end.
  func character(at index: Int64) -> Value {
    withCodeUnits { bytes in
      guard let start = Int(exactly: index).flatMap({ bytes.offset(ofCodePoint: $0) }) else {
        return Self.outOfRange(index)
      }
      guard start < bytes.count else { return .string("") }
      return .string(String(codeUnits: bytes[start..<(start + bytes.codePointLength(at: start))]))
    }
  }

  /// The index of the first occurrence that begins at `start` or later; -1 if there is none, an error if `start` is
  /// outside.
  func firstIndex(of needle: String, from start: Int64) -> Value {
    withCodeUnits { bytes in
      guard let offset = Int(exactly: start).flatMap({ bytes.offset(ofCodePoint: $0) }) else {
        return Self.outOfRange(start)
      }
      return needle.withCodeUnits { needle in
        guard let found = bytes.offset(of: needle, from: offset) else { return .int(-1) }
        return .int(start + Int64(UnsafeBufferPointer(rebasing: bytes[offset..<found]).codePointCount))
      }
    }
  }

  /// The index of the last occurrence that begins at `last` or before; -1 if there is none, an error if `last` is
  /// outside.
  func lastIndex(of needle: String, upTo last: Int64?) -> Value {
    withCodeUnits { bytes in
      var limit = bytes.count
      if let last {
        guard let offset = Int(exactly: last).flatMap({ bytes.offset(ofCodePoint: $0) }) else {
          return Self.outOfRange(last)
        }
        limit = offset
      }
      return needle.withCodeUnits { needle in
        guard let found = bytes.lastOffset(of: needle, upTo: limit) else { return .int(-1) }
        return .int(Int64(UnsafeBufferPointer(rebasing: bytes[..<found]).codePointCount))
      }
    }
  }

  /// The text from the index `start` up to but not including `end`, or to the end of the text.
  func part(from start: Int64, to end: Int64?) -> Value {
    withCodeUnits { bytes in
      guard let startOffset = Int(exactly: start).flatMap({ bytes.offset(ofCodePoint: $0) }) else {
        return Self.outOfRange(start)
      }
      var endOffset = bytes.count
      if let end {
        guard let offset = Int(exactly: end).flatMap({ bytes.offset(ofCodePoint: $0) }) else {
          return Self.outOfRange(end)
        }
        guard end >= start else {
          return .failure(.indexOutOfBounds, "invalid substring range: start \(start), end \(end)")
        }
        endOffset = offset
      }
      return .string(String(codeUnits: bytes[startOffset..<endOffset]))
    }
  }
}
