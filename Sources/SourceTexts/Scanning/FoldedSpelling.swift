/// The spelling of a text in a language in which a text can be folded over several lines (YAML).
///
/// Folding and indentation change only white space. So all other bytes of the content follow one another in the
/// spelling, and an alignment finds them.
struct FoldedSpelling {
  private let bytes: [UInt8]
  private var position: Int
  private let end: Int
  private let quote: UInt8?

  /// - Parameters:
  ///   - range: the bytes of the text, with its quotes, its tag, its anchor, and the header of a block.
  ///   - bytes: the bytes of the document.
  private init(_ range: Range<Int>, in bytes: [UInt8]) {
    self.bytes = bytes
    var position = range.lowerBound
    func skip(_ isSkipped: (UInt8) -> Bool) {
      while position < range.upperBound, isSkipped(bytes[position]) { position += 1 }
    }
    // A text without quotes cannot begin with one of these marks.
    while position < range.upperBound, bytes[position] == UInt8(ascii: "&") || bytes[position] == UInt8(ascii: "!") {
      skip { $0 > 0x20 }
      skip { $0 <= 0x20 }
    }
    let first = position < range.upperBound ? bytes[position] : 0
    var end = range.upperBound
    var quote: UInt8?
    if first == UInt8(ascii: "|") || first == UInt8(ascii: ">") {
      skip { $0 != UInt8(ascii: "\n") }
    } else if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
      quote = first
      position += 1
      if end > position, bytes[end - 1] == first { end -= 1 }
    }
    self.position = position
    self.end = end
    self.quote = quote
  }

  /// The byte at which each byte of a content is written, and the byte behind the last one; nil if the content is not
  /// written there, as for an alias.
  static func offsets(of content: [UInt8], writtenAt range: Range<Int>, in bytes: [UInt8]) -> [Int]? {
    var spelling = FoldedSpelling(range, in: bytes)
    return spelling.offsets(of: content)
  }

  private mutating func offsets(of content: [UInt8]) -> [Int]? {
    var offsets: [Int] = []
    offsets.reserveCapacity(content.count + 1)
    var index = 0
    while index < content.count {
      let byte = content[index]
      if Self.isBlank(byte), !isAtEscape {
        guard position == end || Self.isBlank(bytes[position]) else { return nil }
        offsets.append(position)
        position = min(position + 1, end)
        index += 1
        continue
      }
      skipFolding()
      guard position < end else { return nil }
      let start = position
      var length = 1
      if isAtEscape {
        position += lengthOfEscape
        length = Self.lengthOfCodePoint(byte)
      } else if bytes[position] == byte {
        position += quote == UInt8(ascii: "'") && byte == quote ? 2 : 1
      } else {
        return nil
      }
      for _ in 0..<min(length, content.count - index) { offsets.append(start) }
      index += length
    }
    offsets.append(min(position, end))
    return offsets
  }

  /// Skips white space, and backslashes before the ends of lines in quotes.
  private mutating func skipFolding() {
    while position < end {
      if quote == UInt8(ascii: "\""), bytes[position] == UInt8(ascii: "\\"), !isAtEscape {
        position += 1
      } else if Self.isBlank(bytes[position]) {
        position += 1
      } else {
        return
      }
    }
  }

  /// Whether an escape that means a character begins here.
  private var isAtEscape: Bool {
    guard quote == UInt8(ascii: "\""), position + 1 < end, bytes[position] == UInt8(ascii: "\\") else { return false }
    return bytes[position + 1] != UInt8(ascii: "\n") && bytes[position + 1] != UInt8(ascii: "\r")
  }

  /// YAML 1.2.2, section 5.7.
  private var lengthOfEscape: Int {
    switch bytes[position + 1] {
    case UInt8(ascii: "x"): 4
    case UInt8(ascii: "u"): 6
    case UInt8(ascii: "U"): 10
    default: 2
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d }

  private static func lengthOfCodePoint(_ first: UInt8) -> Int {
    first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  }
}
