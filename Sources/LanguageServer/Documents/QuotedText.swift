internal import JSON
internal import SourceTexts

/// A text of a document: its content, and the position of each byte of the content. It may be half-typed.
struct QuotedText {
  /// The content without escapes, in UTF-8.
  let content: [UInt8]
  /// The byte of the document at which each byte of the content begins, with one more entry for the end. nil if nothing
  /// is escaped.
  private let offsets: [Int]?
  /// The bytes between the quotes.
  let range: Range<Int>
  /// Whether the content is written at the range. An alias of YAML only refers to it.
  let isWritten: Bool
  /// The quote before the text; nil if it has none.
  private let quote: UInt8?

  /// A text value of a document.
  init(_ node: ScannedNode, in scanned: ScannedText) {
    self.init(node.range, of: scanned.syntax == .lines ? node.value.stringValue : nil, in: scanned)
  }

  /// The name of a member; nil if it has none.
  init?(nameOf member: ScannedNode, in scanned: ScannedText) {
    guard let range = member.keyRange else { return nil }
    self.init(range, of: member.key, in: scanned)
  }

  /// - Parameter content: the content, which YAML can fold and indent.
  private init(_ range: Range<Int>, of content: String?, in scanned: ScannedText) {
    guard scanned.syntax == .lines, let content else {
      self = QuotedText(range, in: scanned.source.bytes)
      return
    }
    let first = range.isEmpty ? 0 : scanned.source.bytes[range.lowerBound]
    let offsets = scanned.offsets(ofFolded: content, writtenAt: range)
    self.content = Array(content.utf8)
    self.offsets = offsets ?? Array(repeating: range.lowerBound, count: content.utf8.count) + [range.upperBound]
    self.range = offsets.map { $0[0]..<$0[$0.count - 1] } ?? range
    isWritten = offsets != nil
    quote = first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") ? first : nil
  }

  /// - Parameters:
  ///   - range: the bytes of the string, with quotes.
  ///   - bytes: the bytes of the document.
  init(_ range: Range<Int>, in bytes: [UInt8]) {
    let quote = range.isEmpty ? 0 : bytes[range.lowerBound]
    let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
    // Only an alias of YAML begins with this mark.
    isWritten = quote != UInt8(ascii: "*")
    self.quote = isQuoted ? quote : nil
    let start = range.lowerBound + (isQuoted ? 1 : 0)
    var end = start
    var hasEscapes = false
    while end < range.upperBound, !isQuoted || bytes[end] != quote {
      if isQuoted, bytes[end] == UInt8(ascii: "\\") {
        hasEscapes = true
        end += 1
      }
      end += 1
    }
    end = min(end, range.upperBound)
    self.range = start..<end
    guard hasEscapes else {
      content = Array(bytes[start..<end])
      offsets = nil
      return
    }
    var content: [UInt8] = []
    var offsets: [Int] = []
    var position = start
    while position < end {
      let (scalar, length) =
        bytes[position] == UInt8(ascii: "\\")
        ? Self.escape(bytes[position..<end]) : (nil, 1)
      let decoded = scalar.map { Array(String($0).utf8) } ?? [bytes[position]]
      content += decoded
      offsets += decoded.map { _ in position }
      position += length
    }
    offsets.append(end)
    self.content = content
    self.offsets = offsets
  }

  var text: String { String(decoding: content, as: UTF8.self) }

  /// The bytes of the document that spell a part of the content.
  func range(of part: Range<Int>) -> Range<Int> {
    let lower = offset(of: part.lowerBound)
    return lower..<max(lower, offset(of: part.upperBound))
  }

  private func offset(of byte: Int) -> Int {
    let byte = min(max(byte, 0), content.count)
    return offsets.map { $0[byte] } ?? range.lowerBound + byte
  }

  /// The content before a byte of the document.
  func content(before offset: Int) -> [UInt8] {
    let count =
      offsets.map { offsets in offsets.firstIndex { $0 >= offset } ?? content.count } ?? offset - range.lowerBound
    return Array(content.prefix(min(max(count, 0), content.count)))
  }

  /// The code point that an escape means, and the escape's bytes. An invalid escape means itself.
  private static func escape(_ bytes: ArraySlice<UInt8>) -> (Unicode.Scalar?, Int) {
    guard let letter = bytes.dropFirst().first else { return (nil, 1) }
    switch letter {
    case UInt8(ascii: "n"): return ("\n", 2)
    case UInt8(ascii: "t"): return ("\t", 2)
    case UInt8(ascii: "r"): return ("\r", 2)
    case UInt8(ascii: "b"): return ("\u{8}", 2)
    case UInt8(ascii: "f"): return ("\u{c}", 2)
    case UInt8(ascii: "u"):
      guard let first = unit(bytes) else { return (nil, 1) }
      if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
      guard first & 0xfc00 == 0xd800, let second = unit(bytes.dropFirst(6)), second & 0xfc00 == 0xdc00 else {
        return ("\u{fffd}", 6)
      }
      return (Unicode.Scalar(0x10000 + (first & 0x3ff) << 10 + second & 0x3ff), 12)
    case 0x20..<0x7f: return (Unicode.Scalar(letter), 2)
    default: return (nil, 1)
    }
  }

  /// The unit of UTF-16 that `\uXXXX` at the beginning spells.
  private static func unit(_ bytes: ArraySlice<UInt8>) -> UInt32? {
    let digits = bytes.dropFirst(2).prefix(4)
    guard bytes.prefix(2).elementsEqual("\\u".utf8), digits.count == 4, !digits.contains(UInt8(ascii: "+")) else {
      return nil
    }
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// Spells a part of the text for these quotes, or for a text without quotes.
  func spelled(_ part: String) -> String {
    switch quote {
    case UInt8(ascii: "\"")?: Self.escaped(part)
    case nil: part
    case .some: part.replacing("'", with: "''")
    }
  }

  /// A text with the escapes that it needs between quotes.
  static func escaped(_ text: String) -> String { String(JSON.string(text).description.dropFirst().dropLast()) }
}
