internal import DataLanguages
internal import JSON
internal import SourceTexts

extension Caret {
  /// A caret in a form or in tests. A text that can be read has its path; around other carets, the lines count.
  ///
  /// - Parameter offset: the byte right behind the caret.
  init(at offset: Int, in scanned: ScannedText, ofAuthored language: DataLanguage) {
    let path = scanned.path(atOffset: offset)
    if language == .yaml, path.node.kind == .string, path.spot == .value, path.node.range.lowerBound < offset {
      self.init(at: offset, in: scanned)
    } else {
      self.init(at: offset, in: scanned, language: language)
    }
  }

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
    if language == .yaml, let flow = FlowCaret(source, from: Self.start(ofFlowAround: number, in: source), to: offset) {
      let outer = Self.tokens(ofLine: flow.line, in: source)
      self.init(flow.isName ? .name(nil) : .value(nil), nil, outer + flow.tokens, flow.start..<offset)
      return
    }
    if let key = line.key {
      self.init(.value(nil), container, tokens + [key], line.value)
    } else {
      self.init(.name(nil), container, tokens, line.word)
    }
  }

  /// The keys of a line that begins a flow: the keys around it, and its own.
  private static func tokens(ofLine number: Int, in source: SourceText) -> [String] {
    let range = source.line(number)
    let line = LineOfData(source.bytes, range, before: range.upperBound, separator: ":")
    var tokens = keys(around: line, above: number, in: source)
    if line.isItem { tokens.append("0") }
    if let key = line.key { tokens.append(key) }
    return tokens
  }

  /// The first line whose brackets may be open at a line: a flow has no blank lines here, and is not longer than this.
  private static func start(ofFlowAround number: Int, in source: SourceText) -> Int {
    var first = number
    for above in stride(from: number, through: max(0, number - flowLinesMax), by: -1) {
      let bytes = source.bytes[source.line(above)]
      if bytes.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }) { first = above }
    }
    return first
  }

  /// At most this many lines are searched for the beginning of a flow.
  private static let flowLinesMax = 50

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

/// A caret in the flow notation of YAML: `{a: 1, b: [2]}`.
private struct FlowCaret {
  /// The line with the first open bracket.
  let line: Int
  /// The path within the flow.
  let tokens: [String]
  /// Whether a name is written at the caret, and not a value.
  let isName: Bool
  /// The first byte of the word at the caret.
  let start: Int

  /// An open bracket.
  private struct Level {
    let isMap: Bool
    /// The key before the value that is being written; nil while the key itself is written.
    var key: String?
    var index = 0
  }

  /// - Parameters:
  ///   - first: the line with which reading begins.
  ///   - offset: the byte right behind the caret.
  /// - Returns: nil if no bracket is open at the caret.
  init?(_ source: SourceText, from first: Int, to offset: Int) {
    let bytes = source.bytes
    var levels: [Level] = []
    var beginning = 0
    var word = offset
    var quote: UInt8?
    var isWordOpen = false
    var index = source.line(first).lowerBound
    while index < offset {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
        index += 1
        continue
      }
      switch byte {
      case UInt8(ascii: "#") where index == 0 || bytes[index - 1] <= 0x20:
        index = bytes[index..<offset].firstIndex(of: UInt8(ascii: "\n")) ?? offset
        continue
      case UInt8(ascii: "'"), UInt8(ascii: "\""):
        // Within a word, a quote means itself.
        if !isWordOpen {
          quote = byte
          word = index
          isWordOpen = true
        }
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard !levels.isEmpty || !isWordOpen else { break }
        if levels.isEmpty { beginning = index }
        levels.append(Level(isMap: byte == UInt8(ascii: "{")))
        isWordOpen = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = levels.popLast()
        isWordOpen = false
      case UInt8(ascii: ","):
        guard !levels.isEmpty else { break }
        levels[levels.count - 1].key = nil
        levels[levels.count - 1].index += 1
        isWordOpen = false
      case UInt8(ascii: ":")
      where index + 1 >= bytes.count || bytes[index + 1] <= 0x20 || bytes[index - 1] == UInt8(ascii: "\""):
        if !levels.isEmpty, isWordOpen {
          let name = String(decoding: bytes[word..<index], as: UTF8.self)
          levels[levels.count - 1].key = name.filter { $0 != "\"" && $0 != "'" }
        }
        isWordOpen = false
      case UInt8(ascii: "\n"): if levels.isEmpty { isWordOpen = false }
      case 0x20, 0x09, 0x0d: break
      default:
        if !isWordOpen {
          word = index
          isWordOpen = true
        }
      }
      index += 1
    }
    guard let last = levels.last else { return nil }
    line = source.line(of: beginning)
    isName = last.isMap && last.key == nil
    tokens = levels.enumerated().compactMap { position, level in
      if !level.isMap { return String(level.index) }
      return level.key ?? (position == levels.count - 1 ? nil : "")
    }
    start = isWordOpen ? word : offset
  }
}
