/// An array as a server writes it: `{1,NULL,"a\"b",{2,3}}`, perhaps with bounds before it, `[0:1]={1,2}`
/// (<https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO>).
indirect enum PostgresArray {
  case null
  /// The text of an element, without quotes and escapes.
  case element([UInt8])
  /// A list of one dimension less.
  case list([PostgresArray])

  /// As many dimensions as PostgreSQL admits (`MAXDIM`).
  private static let depthMax = 6

  /// Reads an array; nil if the text is not an array.
  init?(_ text: UnsafeRawBufferPointer, delimiter: UInt8) {
    var reader = Reader(text: text, delimiter: delimiter)
    if text.first == UInt8(ascii: "[") {
      guard let sign = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      reader.position = sign + 1
    }
    guard let array = reader.readList(depth: 1), reader.position == text.count else { return nil }
    self = array
  }

  private struct Reader {
    let text: UnsafeRawBufferPointer
    let delimiter: UInt8
    var position = 0

    private var next: UInt8? { position < text.count ? text[position] : nil }

    mutating func readList(depth: Int) -> PostgresArray? {
      guard depth <= depthMax, next == UInt8(ascii: "{") else { return nil }
      position += 1
      var elements: [PostgresArray] = []
      if next == UInt8(ascii: "}") {
        position += 1
        return .list(elements)
      }
      while true {
        guard let element = next == UInt8(ascii: "{") ? readList(depth: depth + 1) : readElement() else { return nil }
        elements.append(element)
        let end = next
        position += 1
        if end == UInt8(ascii: "}") { return .list(elements) }
        guard end == delimiter else { return nil }
      }
    }

    private mutating func readElement() -> PostgresArray? {
      var bytes: [UInt8] = []
      if next == UInt8(ascii: "\"") {
        position += 1
        while let byte = next, byte != UInt8(ascii: "\"") {
          if byte == UInt8(ascii: "\\") { position += 1 }
          guard let byte = next else { return nil }
          bytes.append(byte)
          position += 1
        }
        position += 1
        return .element(bytes)
      }
      while let byte = next, byte != delimiter, byte != UInt8(ascii: "}") {
        if byte == UInt8(ascii: "\\") { position += 1 }
        guard let byte = next else { return nil }
        bytes.append(byte)
        position += 1
      }
      return bytes.elementsEqual("NULL".utf8) ? .null : .element(bytes)
    }
  }
}
