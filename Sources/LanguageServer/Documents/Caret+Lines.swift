internal import DataLanguages
internal import JSON
internal import SourceTexts

extension Caret {
  /// A caret in a language in which lines and columns express the structure. Only the text before the caret counts,
  /// because the rest is not written yet.
  ///
  /// - Parameter offset: the byte right behind the caret.
  init(at offset: Int, in scanned: ScannedText, language: DataLanguage) {
    guard language == .yaml || language == .env else {
      self.init(at: offset, in: scanned)
      return
    }
    let source = scanned.source
    let number = source.line(of: offset)
    let line = LineOfData(source.bytes, source.line(number), before: offset, separator: language == .env ? "=" : ":")
    var tokens = language == .env ? [] : Self.keys(around: line, above: number, in: source)
    guard !line.isComment else {
      self.init(.nothing, nil, tokens, offset..<offset)
      return
    }
    if line.isItem { tokens.append("0") }
    let container = scanned.node(at: JSONPointer(tokens: tokens))
    if let key = line.key {
      self.init(.value(nil), container, tokens + [key], line.value)
    } else {
      self.init(.name(nil), container, tokens, line.word)
    }
  }

  /// The keys that enclose a line. Each element of a list counts as the first one.
  private static func keys(around inner: LineOfData, above number: Int, in source: SourceText) -> [String] {
    var keys: [String] = []
    var indent = inner.isItem ? inner.itemIndent : inner.indent
    // YAML allows a dash in the same column as the list's name.
    var isItem = inner.isItem
    for above in stride(from: number - 1, through: 0, by: -1) where indent > 0 || isItem {
      let range = source.line(above)
      let line = LineOfData(source.bytes, range, before: range.upperBound, separator: ":")
      guard !line.isComment, !line.isBlank else { continue }
      if line.isItem, line.indent == indent, !isItem {
        // This line has the dash of the element, and its first member.
        keys.append("0")
        indent = line.itemIndent
        isItem = true
      } else if let key = line.key, line.indent < indent || isItem && !line.isItem && line.indent == indent {
        keys.append(key)
        if line.isItem { keys.append("0") }
        indent = line.isItem ? line.itemIndent : line.indent
        isItem = line.isItem
      }
    }
    return keys.reversed()
  }
}

/// One line of a file of data, up to a byte.
private struct LineOfData {
  /// The columns before the first word.
  let indent: Int
  /// The columns before the dash of an element.
  let itemIndent: Int
  /// Whether an element of a list begins in this line.
  let isItem: Bool
  let isComment: Bool
  let isBlank: Bool
  /// The name, if the line has a name and a separator behind it.
  let key: String?
  /// The bytes of the word that is being written.
  let word: Range<Int>
  /// The bytes of the value.
  let value: Range<Int>

  init(_ bytes: [UInt8], _ line: Range<Int>, before offset: Int, separator: Unicode.Scalar) {
    let end = min(max(offset, line.lowerBound), line.upperBound)
    var start = line.lowerBound
    while start < end, bytes[start] == UInt8(ascii: " ") { start += 1 }
    itemIndent = start - line.lowerBound
    let isYAML = separator == ":"
    if !isYAML, bytes[start..<end].starts(with: "export ".utf8) {
      start += 7
      while start < end, bytes[start] == UInt8(ascii: " ") { start += 1 }
    }
    var isItem = false
    while isYAML, start + 1 < end, bytes[start] == UInt8(ascii: "-"), bytes[start + 1] == UInt8(ascii: " ") {
      isItem = true
      start += 2
      while start < end, bytes[start] == UInt8(ascii: " ") { start += 1 }
    }
    self.isItem = isItem
    indent = start - line.lowerBound
    isComment = start < end && bytes[start] == UInt8(ascii: "#")
    isBlank = start == end
    let mark = UInt8(ascii: separator)
    // In YAML a blank, or the end of the line, follows the colon.
    let found = bytes[start..<end].indices.first { index in
      bytes[index] == mark && (!isYAML || index + 1 == line.upperBound || bytes[index + 1] == UInt8(ascii: " "))
    }
    word = start..<end
    guard let found else {
      key = nil
      value = end..<end
      return
    }
    let name = String(decoding: bytes[start..<found], as: UTF8.self)
    key = isYAML ? name.filter { $0 != "\"" && $0 != "'" } : name.split(separator: " ").last.map(String.init) ?? ""
    var first = found + 1
    while first < end, bytes[first] == UInt8(ascii: " ") { first += 1 }
    value = first..<max(first, end)
  }
}
