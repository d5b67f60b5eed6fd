/// The name that is being written before a caret in a formula.
struct FormulaCaret {
  /// The name as far as it is written, with its prefix: `values.add`, `fields['/add`; empty if a name may begin here.
  let name: String
  /// The bytes of the formula before the name.
  let start: Int
  /// Whether the name is a member of an expression that is not a name, such as a call or a text.
  let isMember: Bool
  /// Whether the name is an optional member: behind `.?`.
  let isOptional: Bool
  /// Whether it is the name of a text: `text('`.
  let isText: Bool
  /// The opening quote of the name, if it has no closing quote yet.
  let quote: Character?

  /// Whether the caret is in a text that is a value of its own: `values.kind == 'del`.
  private(set) var isLiteral = false

  /// A caret in a text that is written as a value.
  ///
  /// - Parameter prefix: the formula up to the caret.
  /// - Returns: nil if the caret is not in a text.
  init?(textIn prefix: [UInt8]) {
    var scan = FormulaScan(prefix)
    while scan.next() != nil {}
    guard let quote = scan.quote, quote.start <= prefix.count else { return nil }
    name = String(decoding: prefix[quote.start...], as: UTF8.self)
    start = quote.start
    isMember = false
    isOptional = false
    isText = false
    self.quote = Character(UnicodeScalar(quote.byte))
    isLiteral = true
  }

  /// - Parameter prefix: the formula up to the caret.
  /// - Returns: nil within a text, a number or a comment, because no name can be written there.
  init?(_ prefix: [UInt8]) {
    var start = prefix.count
    // Of the text that was opened last: whether it is a part of a name, or names a text.
    var (isInName, isText) = (false, false)
    var isInNumber = false
    // The beginning of the name that ends at the scan's position; nil if there is none.
    var name: Int?
    var scan = FormulaScan(prefix)
    while let (part, index) = scan.next() {
      let byte = prefix[index]
      switch part {
      case .inside: break
      case .closing: if !isInName { name = nil }
      case .opening:
        isInName = name != nil && index > 0 && prefix[index - 1] == UInt8(ascii: "[")
        isText = prefix[..<index].suffix(5).elementsEqual("text(".utf8)
        if isText { name = index + 1 }
      case .comment: name = nil
      case .code where Self.isLetter(byte):
        isInNumber = isInNumber && name == nil
        if name == nil, !isInNumber { name = index }
      case .code where (48...57).contains(byte):
        if name == nil { isInNumber = true }
      case .code where byte == UInt8(ascii: "."):
        // Behind a bracket or a text the name of a member begins.
        if name == nil, !isInNumber { name = index }
      case .code where byte == UInt8(ascii: "[") && name != nil:
        // The name continues with a name in quotes, or ends.
        if index + 1 < prefix.count, !FormulaScan.isQuote(prefix[index + 1]) { name = nil }
      case .code where byte == UInt8(ascii: "]") && name != nil && index > 0 && FormulaScan.isQuote(prefix[index - 1]):
        // The end of a name in quotes.
        break
      case .code:
        name = nil
        isInNumber = false
      }
    }
    if scan.isInComment || isInNumber || scan.quote != nil && !isInName && !isText { return nil }
    start = name ?? prefix.count
    isMember = start < prefix.count && prefix[start] == UInt8(ascii: ".")
    if isMember { start += 1 }
    self.start = start
    isOptional = prefix[..<start].suffix(2).elementsEqual(".?".utf8)
    self.isText = scan.quote != nil && isText
    self.quote = scan.quote.map { Character(UnicodeScalar($0.byte)) }
    self.name = String(decoding: prefix[start...], as: UTF8.self)
  }

  /// The prefix of the name's last part, with its dot or bracket: `values.`, `fields['`.
  var head: String {
    if isText || isLiteral { return "" }
    let bytes = Array(name.utf8)
    let bracket = bytes.lastIndex(of: UInt8(ascii: "["))
    // Within brackets a dot is a part of the name.
    if let bracket, !bytes[bracket...].contains(UInt8(ascii: "]")) {
      return String(decoding: bytes[..<min(bracket + 2, bytes.count)], as: UTF8.self)
    }
    return bytes.lastIndex(of: UInt8(ascii: ".")).map { String(decoding: bytes[...$0], as: UTF8.self) } ?? ""
  }

  /// The number of bytes behind the caret that belong to the name. These are the rest of its word, or everything up to
  /// the bracket in quotes. An ending that the replacement has, too, also counts.
  ///
  /// - Parameter written: the name that replaces the bytes.
  func rest(in after: ArraySlice<UInt8>, for written: [UInt8]) -> Int {
    var end = after.startIndex
    if let quote = quote?.asciiValue {
      guard let close = after.firstIndex(of: quote), !after[..<close].contains(UInt8(ascii: " ")) else { return 0 }
      end = close + 1
      if !isText, !isLiteral, end < after.endIndex, after[end] == UInt8(ascii: "]") { end += 1 }
    } else {
      end = Self.endOfWord(after)
    }
    var chain = end
    while chain < after.endIndex, after[chain] == UInt8(ascii: ".") { chain = Self.endOfWord(after[(chain + 1)...]) }
    let isWhole =
      chain > end && written.count > chain - end && written.suffix(chain - end).elementsEqual(after[end..<chain])
    return (isWhole ? chain : end) - after.startIndex
  }

  /// The number of bytes behind the caret that belong to the word: up to the closing quote of a text.
  func restOfWord(in after: ArraySlice<UInt8>) -> Int {
    let end = isLiteral ? after.firstIndex { $0 == quote?.asciiValue } ?? after.startIndex : Self.endOfWord(after)
    return end - after.startIndex
  }

  private static func endOfWord(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.firstIndex { !isLetter($0) && !(48...57).contains($0) } ?? bytes.endIndex
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 0x80 || (65...90).contains(byte & 0xdf)
  }
}

/// Follows the texts and comments of a formula, byte by byte.
private struct FormulaScan {
  enum Part {
    case code
    /// The quotes of a text, and the bytes between them. An escape is one part.
    case opening, inside, closing
    /// A comment, up to the end of its line.
    case comment
  }

  private let bytes: [UInt8]
  private var index = 0
  /// The text that is open: its quote, and the position behind it.
  private(set) var quote: (byte: UInt8, start: Int)?
  /// Whether the formula ends in a comment.
  private(set) var isInComment = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") }

  /// The next part and its position; nil at the end.
  mutating func next() -> (Part, Int)? {
    guard index < bytes.count else { return nil }
    let position = index
    let byte = bytes[position]
    index += 1
    if let quote {
      if byte == UInt8(ascii: "\\") { index += 1 }
      guard byte == quote.byte else { return (.inside, position) }
      self.quote = nil
      return (.closing, position)
    }
    if Self.isQuote(byte) {
      quote = (byte, index)
      return (.opening, position)
    }
    guard byte == UInt8(ascii: "/"), index < bytes.count, bytes[index] == byte else { return (.code, position) }
    let end = bytes[index...].firstIndex(of: UInt8(ascii: "\n"))
    isInComment = end == nil
    index = end.map { $0 + 1 } ?? bytes.count
    return (.comment, position)
  }
}
