internal import Texts

/// Where each value of a JSON text stands, for diagnostics: jansson keeps no positions.
///
/// A scan of its own over a text that is already known to be JSON. It is never used on the path of a request.
public struct JSONPlaces: Sendable {
  /// A value of the text, by the one that it stands in.
  private struct Key: Hashable {
    /// The number of the object or array around it; -1 for the whole text.
    var container: Int32
    /// The member's name, or the element's position.
    var token: UTF8Key
  }

  /// The byte offsets of the member's name (-1 where there is none), of the value, and of what stands behind the value.
  private struct Entry {
    var number: Int32
    var name: Int
    var value: Int
    var end: Int
  }

  private let bytes: [UInt8]
  private let entries: [Key: Entry]
  /// The offset of each line's first byte.
  private let lineStarts: [Int]
  /// The code points before each block of ``blockBytes``.
  private let codePoints: [Int]

  private static let blockBytes = 256

  /// Scans a text that ``JSON/init(parsing:limits:)-(String,_)`` accepts; what it finds in another text is unspecified, but it
  /// ends and does not trap.
  public init(of bytes: [UInt8]) {
    var scanner = Scanner(bytes: bytes)
    scanner.scanValue(Key(container: -1, token: UTF8Key(text: "")), name: -1, depth: 0)
    self.bytes = bytes
    entries = scanner.entries
    var lineStarts = [0]
    var codePoints: [Int] = []
    var count = 0
    for (offset, byte) in bytes.enumerated() {
      if offset % Self.blockBytes == 0 { codePoints.append(count) }
      if byte & 0xc0 != 0x80 { count += 1 }
      if byte == UInt8(ascii: "\n") { lineStarts.append(offset + 1) }
    }
    if bytes.count % Self.blockBytes == 0 { codePoints.append(count) }
    self.lineStarts = lineStarts
    self.codePoints = codePoints
  }

  /// Where the value at that place stands; for a place that does not exist, its nearest container that does.
  public func place(of pointer: JSONPointer) -> TextPlace {
    place(atOffset: nearest(pointer).entry?.value ?? 0)
  }

  /// The bytes of the value at that place; nil where there is no such place.
  package func range(of pointer: JSONPointer) -> Range<Int>? {
    guard case (let entry?, true) = nearest(pointer), entry.end <= bytes.count else { return nil }
    return entry.value..<entry.end
  }

  /// Where the name of that member stands; where the value stands if it is no member.
  public func placeOfName(_ pointer: JSONPointer) -> TextPlace {
    let (entry, isExact) = nearest(pointer)
    if let entry, isExact, entry.name >= 0 { return place(atOffset: entry.name) }
    return place(of: pointer)
  }

  /// The place inside a string value, that many code points after its first.
  ///
  /// Escapes count as the one code point (or surrogate pair) that they stand for.
  public func place(of pointer: JSONPointer, codePoint: Int) -> TextPlace {
    guard case (let entry?, true) = nearest(pointer), entry.value < bytes.count,
      bytes[entry.value] == UInt8(ascii: "\"")
    else { return place(of: pointer) }
    var position = entry.value + 1
    var remaining = codePoint
    while remaining > 0, position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      if bytes[position] == UInt8(ascii: "\\") {
        let isUnicode = position + 1 < bytes.count && bytes[position + 1] == UInt8(ascii: "u")
        // A high surrogate (\uD8.. to \uDB..) takes the low one with it.
        let isHigh =
          isUnicode && position + 3 < bytes.count && bytes[position + 2] | 0x20 == UInt8(ascii: "d")
          && [UInt8(ascii: "8"), UInt8(ascii: "9"), UInt8(ascii: "a"), UInt8(ascii: "b")].contains(
            bytes[position + 3] | 0x20
          )
        position += isHigh ? 12 : isUnicode ? 6 : 2
      } else {
        position += 1
        while position < bytes.count, bytes[position] & 0xc0 == 0x80 { position += 1 }
      }
      remaining -= 1
    }
    return place(atOffset: position)
  }

  /// The innermost value on the way to a place, and whether it is that place.
  private func nearest(_ pointer: JSONPointer) -> (entry: Entry?, isExact: Bool) {
    var found = entries[Key(container: -1, token: UTF8Key(text: ""))]
    for token in pointer.tokens {
      guard let container = found, let next = entries[Key(container: container.number, token: UTF8Key(text: token))]
      else { return (found, false) }
      found = next
    }
    return (found, true)
  }

  /// Line and column of a byte, without going through the text before it.
  private func place(atOffset offset: Int) -> TextPlace {
    // A text that is no JSON may end before what should stand there.
    let offset = min(offset, bytes.count)
    var line = 0
    var beyond = lineStarts.count
    while beyond - line > 1 {
      let middle = (line + beyond) / 2
      if lineStarts[middle] <= offset { line = middle } else { beyond = middle }
    }
    let column = codePoints(before: offset) - codePoints(before: lineStarts[line])
    return TextPlace(line: line + 1, column: column + 1)
  }

  private func codePoints(before offset: Int) -> Int {
    let block = offset / Self.blockBytes
    return bytes[(block * Self.blockBytes)..<offset].reduce(codePoints[block]) { $0 + ($1 & 0xc0 != 0x80 ? 1 : 0) }
  }

  private struct Scanner {
    let bytes: [UInt8]
    var position = 0
    var entries: [Key: Entry] = [:]
    private var count: Int32 = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
      while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    /// Steps over a string; returns where it stands, quotes included.
    @discardableResult
    mutating func scanString() -> Range<Int> {
      let start = position
      position += 1
      while let byte = current, byte != UInt8(ascii: "\"") {
        position += byte == UInt8(ascii: "\\") ? 2 : 1
      }
      position = min(position + 1, bytes.count)
      return start..<position
    }

    /// The text of a string; escapes are resolved by jansson's own reading.
    func text(of string: Range<Int>) -> String {
      guard bytes[string].contains(UInt8(ascii: "\\")) else {
        return String(decoding: bytes[string].dropFirst().dropLast(), as: UTF8.self)
      }
      return (try? JSON(parsing: Array(bytes[string])))?.stringValue ?? ""
    }

    mutating func scanValue(_ key: Key, name: Int, depth: Int) {
      skipSpace()
      let number = count
      count += 1
      entries[key] = Entry(number: number, name: name, value: position, end: position)
      defer { entries[key]?.end = position }
      guard let byte = current, depth < 2048 else { return }
      switch byte {
      case UInt8(ascii: "{"):
        position += 1
        skipSpace()
        while current == UInt8(ascii: "\"") {
          let name = scanString()
          skipSpace()
          position += 1  // the colon
          let key = Key(container: number, token: UTF8Key(text: text(of: name)))
          scanValue(key, name: name.lowerBound, depth: depth + 1)
          skipSpace()
          guard current == UInt8(ascii: ",") else { break }
          position += 1
          skipSpace()
        }
        position += 1
      case UInt8(ascii: "["):
        position += 1
        skipSpace()
        var index = 0
        while let next = current, next != UInt8(ascii: "]") {
          scanValue(Key(container: number, token: UTF8Key(text: String(index))), name: -1, depth: depth + 1)
          index += 1
          skipSpace()
          guard current == UInt8(ascii: ",") else { break }
          position += 1
        }
        position += 1
      case UInt8(ascii: "\""):
        scanString()
      default:
        while let next = current, next != UInt8(ascii: ","), next != UInt8(ascii: "}"), next != UInt8(ascii: "]"),
          next > 0x20
        {
          position += 1
        }
      }
    }
  }
}
