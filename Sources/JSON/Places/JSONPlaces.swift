/// Where each value of a JSON text stands, for diagnostics: jansson keeps no positions.
///
/// A scan of its own over a text that is already known to be JSON. It is never used on the path of a request.
public struct JSONPlaces: Sendable {
  private struct Entry {
    var key: Int?
    var value: Int
  }

  private let bytes: [UInt8]
  /// By pointer text: the byte offsets of the member's name and of the value.
  private let entries: [String: Entry]

  /// Scans a text that ``JSON/init(parsing:limits:)-(String,_)`` accepts; what it finds in another text is unspecified, but it
  /// ends and does not trap.
  public init(of bytes: [UInt8]) {
    var scanner = Scanner(bytes: bytes)
    scanner.scanValue(path: "", key: nil, depth: 0)
    self.bytes = bytes
    entries = scanner.entries
  }

  /// Where the value at that place stands; for a place that does not exist, its nearest container that does.
  public func place(of pointer: JSONPointer) -> TextPlace {
    var tokens = pointer.tokens
    while true {
      if let entry = entries[JSONPointer(tokens: tokens).description] { return place(atOffset: entry.value) }
      guard !tokens.isEmpty else { return TextPlace(line: 1, column: 1) }
      tokens.removeLast()
    }
  }

  /// Where the name of that member stands; where the value stands if it is no member.
  public func placeOfName(_ pointer: JSONPointer) -> TextPlace {
    if let key = entries[pointer.description]?.key { return place(atOffset: key) }
    return place(of: pointer)
  }

  /// The place inside a string value, that many code points after its first.
  ///
  /// Escapes count as the one code point (or surrogate pair) that they stand for.
  public func place(of pointer: JSONPointer, codePoint: Int) -> TextPlace {
    guard let entry = entries[pointer.description], entry.value < bytes.count, bytes[entry.value] == UInt8(ascii: "\"")
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
    return place(atOffset: min(position, bytes.count))
  }

  private func place(atOffset offset: Int) -> TextPlace {
    bytes.withUnsafeBufferPointer { TextPlace(offset: offset, in: $0) }
  }

  private struct Scanner {
    let bytes: [UInt8]
    var position = 0
    var entries: [String: Entry] = [:]

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skipSpace() {
      while let byte = current, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { position += 1 }
    }

    /// Steps over a string; returns its text (escapes resolved by jansson's own reading).
    mutating func scanString() -> String {
      let start = position
      position += 1
      while let byte = current, byte != UInt8(ascii: "\"") {
        position += byte == UInt8(ascii: "\\") ? 2 : 1
      }
      position = min(position + 1, bytes.count)
      let raw = Array(bytes[start..<position])
      return (try? JSON(parsing: raw))?.stringValue ?? ""
    }

    mutating func scanValue(path: String, key: Int?, depth: Int) {
      skipSpace()
      entries[path] = Entry(key: key, value: position)
      guard let byte = current, depth < 2048 else { return }
      switch byte {
      case UInt8(ascii: "{"):
        position += 1
        skipSpace()
        while current == UInt8(ascii: "\"") {
          let keyOffset = position
          let name = scanString()
          skipSpace()
          position += 1  // the colon
          scanValue(path: path + "/" + JSONPointer.escape(name), key: keyOffset, depth: depth + 1)
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
          scanValue(path: path + "/\(index)", key: nil, depth: depth + 1)
          index += 1
          skipSpace()
          guard current == UInt8(ascii: ",") else { break }
          position += 1
        }
        position += 1
      case UInt8(ascii: "\""):
        _ = scanString()
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
