/// What a formula has before a caret: the name that is being written.
struct FormulaCaret {
  /// The name as far as it is written, with all that leads to it: `values.add`, `fields['/add`; empty where one may begin.
  let name: String
  /// The bytes of the formula before the name.
  let start: Int
  /// Whether the name is a member of something else than a name: of a call, of a text.
  let isMember: Bool
  /// Whether it is a member that may be missing: behind `.?`.
  let isOptional: Bool
  /// Whether it is the name of a text: `text('`.
  let isText: Bool
  /// The quote that the name stands in, and that has not ended yet.
  let quote: Character?

  /// - Parameter prefix: the formula up to the caret.
  /// - Returns: nil within a text, a number or a comment, where no name can be.
  init?(_ prefix: [UInt8]) {
    var start = prefix.count
    var quote: (byte: UInt8, isInName: Bool, isText: Bool)?
    var isInNumber = false
    // The beginning of the name that ends where the scan is; nil where none does.
    var name: Int?
    var index = 0
    while index < prefix.count {
      let byte = prefix[index]
      if let open = quote {
        if byte == UInt8(ascii: "\\") {
          index += 1
        } else if byte == open.byte {
          quote = nil
          if !open.isInName { name = nil }
        }
      } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
        let isInName = name != nil && index > 0 && prefix[index - 1] == UInt8(ascii: "[")
        let isText = prefix[..<index].suffix(5).elementsEqual("text(".utf8)
        quote = (byte, isInName, isText)
        if isText { name = index + 1 }
      } else if byte == UInt8(ascii: "/"), index + 1 < prefix.count, prefix[index + 1] == byte {
        guard let end = prefix[index...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        index = end
        name = nil
      } else if Self.isLetter(byte) {
        isInNumber = isInNumber && name == nil
        if name == nil, !isInNumber { name = index }
      } else if (48...57).contains(byte) {
        if name == nil { isInNumber = true }
      } else if byte == UInt8(ascii: ".") {
        // Behind a bracket or a text the name of a member begins.
        if name == nil, !isInNumber { name = index }
      } else if byte == UInt8(ascii: "["), name != nil {
        // It goes on with a name in quotes, or ends.
        let next = index + 1 < prefix.count ? prefix[index + 1] : UInt8(ascii: "'")
        if next != UInt8(ascii: "'"), next != UInt8(ascii: "\"") { name = nil }
      } else if byte == UInt8(ascii: "]"), name != nil, index > 0,
        prefix[index - 1] == UInt8(ascii: "'") || prefix[index - 1] == UInt8(ascii: "\"")
      {
        // The end of a name in quotes.
      } else {
        name = nil
        isInNumber = false
      }
      index += 1
    }
    if let quote, !quote.isInName, !quote.isText { return nil }
    if isInNumber { return nil }
    start = name ?? prefix.count
    isMember = start < prefix.count && prefix[start] == UInt8(ascii: ".")
    if isMember { start += 1 }
    self.start = start
    isOptional = prefix[..<start].suffix(2).elementsEqual(".?".utf8)
    isText = quote?.isText ?? false
    self.quote = quote.map { Character(UnicodeScalar($0.byte)) }
    self.name = String(decoding: prefix[start...], as: UTF8.self)
  }

  /// What leads to the last part of the name, its dot or bracket included: `values.`, `fields['`.
  var head: String {
    if isText { return "" }
    let bytes = Array(name.utf8)
    let bracket = bytes.lastIndex(of: UInt8(ascii: "["))
    // Within brackets a dot is a part of the name.
    if let bracket, !bytes[bracket...].contains(UInt8(ascii: "]")) {
      return String(decoding: bytes[..<min(bracket + 2, bytes.count)], as: UTF8.self)
    }
    return bytes.lastIndex(of: UInt8(ascii: ".")).map { String(decoding: bytes[...$0], as: UTF8.self) } ?? ""
  }

  /// How many of the bytes behind the caret are a part of the name: what is left of its word, in quotes all up to their bracket, and what
  /// the name that takes its place ends with, too.
  ///
  /// - Parameter written: the name that takes its place.
  func rest(in after: ArraySlice<UInt8>, for written: [UInt8]) -> Int {
    var end = after.startIndex
    if let quote = quote?.asciiValue {
      guard let close = after.firstIndex(of: quote), !after[..<close].contains(UInt8(ascii: " ")) else { return 0 }
      end = close + 1
      if !isText, end < after.endIndex, after[end] == UInt8(ascii: "]") { end += 1 }
    } else {
      end = Self.endOfWord(after)
    }
    var chain = end
    while chain < after.endIndex, after[chain] == UInt8(ascii: ".") { chain = Self.endOfWord(after[(chain + 1)...]) }
    let isWhole =
      chain > end && written.count > chain - end && written.suffix(chain - end).elementsEqual(after[end..<chain])
    return (isWhole ? chain : end) - after.startIndex
  }

  private static func endOfWord(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.firstIndex { !isLetter($0) && !(48...57).contains($0) } ?? bytes.endIndex
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 0x80 || (65...90).contains(byte & 0xdf)
  }
}
