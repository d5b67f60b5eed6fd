internal import JSON

/// Texts in quotes, words, white space and comments.
extension JSONScanner {
  /// A text in quotes.
  struct StringToken {
    /// With its quotes, if they are present.
    var range: Range<Int>
    /// The text without quotes and escapes.
    var text: String
    /// Whether it has its closing quote.
    var isClosed: Bool
    /// The problems of the text.
    var problems: [SyntaxProblem]
  }

  /// Something that is neither in quotes nor punctuation.
  struct Word {
    var range: Range<Int>
    /// The value; nil if it is unknown.
    var value: JSON?
    /// The problem of the value.
    var problem: SyntaxProblem?
    /// Whether the value has its end, and does not just stop at the end of the text.
    var isClosed = true
  }

  // MARK: White space and comments

  /// Goes past white space and comments.
  mutating func skipSpace() {
    while true {
      position = endOfSpace(from: position)
      guard let end = endOfComment(at: position) else { return }
      let range = position..<end
      let isClosed =
        bytes[position + 1] == UInt8(ascii: "/")
        || end - position > 3 && bytes[end - 1] == UInt8(ascii: "/") && bytes[end - 2] == UInt8(ascii: "*")
      if !isClosed {
        builder.report(
          SyntaxProblem(.comment, at: range, "the comment has no end; write */ after it", replacement: nil)
        )
      } else if !allowsComments {
        builder.report(SyntaxProblem(.comment, at: range, "JSON has no comments; remove it", replacement: ""))
      }
      position = end
    }
  }

  /// The beginning of the next token, after any comments.
  func peek(from offset: Int) -> Int {
    var offset = endOfSpace(from: offset)
    while let end = endOfComment(at: offset) { offset = endOfSpace(from: end) }
    return offset
  }

  private func endOfSpace(from offset: Int) -> Int {
    var offset = offset
    while offset < bytes.count, bytes[offset].isJSONSpace { offset += 1 }
    return offset
  }

  /// The end of the comment that begins there; nil if none begins.
  func endOfComment(at start: Int) -> Int? { Self.endOfComment(at: start, in: bytes) }

  /// The end of the comment that begins there, without the end of its line; nil if none begins.
  static func endOfComment(at start: Int, in bytes: [UInt8]) -> Int? {
    guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "/") else { return nil }
    var end = start + 2
    switch bytes[start + 1] {
    case UInt8(ascii: "/"):
      while end < bytes.count, bytes[end] != UInt8(ascii: "\n"), bytes[end] != UInt8(ascii: "\r") { end += 1 }
      return end
    case UInt8(ascii: "*"):
      while end + 1 < bytes.count {
        if bytes[end] == UInt8(ascii: "*"), bytes[end + 1] == UInt8(ascii: "/") { return end + 2 }
        end += 1
      }
      return bytes.count
    default: return nil
    }
  }

  // MARK: Texts in quotes

  /// The name that begins here. If its closing quote is missing, it ends before the colon.
  mutating func nameToken() -> StringToken {
    let token = string(at: position)
    guard lacksQuote(token), let colon = bytes[token.range].firstIndex(of: UInt8(ascii: ":")) else { return token }
    return part(of: token, before: colon)
  }

  /// The text that begins here as a value. If its closing quote is missing, it ends before the last comma.
  mutating func valueToken() -> StringToken {
    let token = string(at: position)
    guard token.isClosed, lacksQuote(token), let comma = bytes[token.range].lastIndex(of: UInt8(ascii: ",")) else {
      return token
    }
    return part(of: token, before: comma)
  }

  /// Whether the quote that ends a text seems to begin another text, or the text ends with its line. Each byte is
  /// divided once at most.
  private func lacksQuote(_ token: StringToken) -> Bool {
    let end = token.range.upperBound
    guard token.range.lowerBound >= splitFloor, end < bytes.count else { return false }
    return !token.isClosed || bytes[end].isJSONWord
  }

  private mutating func part(of token: StringToken, before end: Int) -> StringToken {
    splitFloor = max(token.range.upperBound - 1, token.range.lowerBound + 1)
    var end = end
    while end > token.range.lowerBound + 1, bytes[end - 1].isJSONSpace { end -= 1 }
    return string(from: token.range.lowerBound, contentEnd: end, isClosed: false)
  }

  func isFollowedByColon(_ token: StringToken) -> Bool {
    guard token.isClosed else { return false }
    let next = peek(from: token.range.upperBound)
    return next < bytes.count && bytes[next] == UInt8(ascii: ":")
  }

  /// Goes past a text in quotes, and reports its problems.
  mutating func take(_ token: StringToken) {
    for problem in token.problems { builder.report(problem) }
    if !token.isClosed {
      if token.range.upperBound == bytes.count { endsInString = true }
      builder.markLoss()
    }
    advance(to: token.range.upperBound)
  }

  /// Says that a text has no closing quote.
  mutating func reportUnclosed(_ token: StringToken) {
    builder.report(unclosedString(token.range))
  }

  private func unclosedString(_ range: Range<Int>) -> SyntaxProblem {
    let written = String(decoding: bytes[range], as: UTF8.self)
    return SyntaxProblem(
      .unclosedString,
      at: range,
      "the text has no closing quote; write \" after it",
      replacement: written + "\""
    )
  }

  /// The text that begins there with a quote; it ends with the next one, or with its line.
  mutating func string(at start: Int) -> StringToken {
    if let lastString, lastString.range.lowerBound == start { return lastString }
    var end = endOfString(at: start)
    let isClosed = end > start + 1 && bytes[end - 1] == bytes[start] && !isEscaped(end - 1, from: start)
    if !isClosed, end < bytes.count {
      // Punctuation at the end of the line more likely belongs to the structure than to the text.
      while end > start + 1, Self.endsLine(bytes[end - 1]) { end -= 1 }
    }
    let token = string(from: start, contentEnd: isClosed ? end - 1 : end, isClosed: isClosed)
    lastString = token
    return token
  }

  private static func endsLine(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x09: true
    default: false
    }
  }

  /// Whether a byte follows an odd number of backslashes.
  private func isEscaped(_ offset: Int, from start: Int) -> Bool {
    var first = offset
    while first > start + 1, bytes[first - 1] == UInt8(ascii: "\\") { first -= 1 }
    return (offset - first) % 2 == 1
  }

  /// The end of the text that begins there: behind its closing quote, or before the end of its line.
  func endOfString(at start: Int) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      let quote = bytes[start]
      var offset = start + 1
      while offset < bytes.count {
        let byte = bytes[offset]
        if byte == quote { return offset + 1 }
        if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { return offset }
        if byte == UInt8(ascii: "\\"), offset + 1 < bytes.count, bytes[offset + 1] != UInt8(ascii: "\n"),
          bytes[offset + 1] != UInt8(ascii: "\r")
        {
          offset += 1
        }
        offset += 1
      }
      return bytes.count
    }
  }

  private func string(from start: Int, contentEnd: Int, isClosed: Bool) -> StringToken {
    let content = start + 1..<max(contentEnd, start + 1)
    let range = start..<(isClosed ? content.upperBound + 1 : content.upperBound)
    let (text, contentProblems) = StringContent.read(
      content,
      of: bytes,
      endsText: !isClosed && range.upperBound == bytes.count
    )
    var problems = contentProblems
    if !isClosed {
      if range.upperBound < bytes.count { problems.append(unclosedString(range)) }
    } else if bytes[start] == UInt8(ascii: "'") {
      let quoted = JSON.string(text).description
      problems.append(
        SyntaxProblem(
          .singleQuotes,
          at: range,
          "a text needs double quotes; write \(SyntaxProblem.excerpt(quoted))",
          replacement: quoted
        )
      )
    }
    return StringToken(range: range, text: text, isClosed: isClosed, problems: problems)
  }

  /// The bytes of the code point, or of the escape, that begins there.
  static func lengthOfCodePoint(at start: Int, in bytes: [UInt8], before end: Int) -> Int {
    if bytes[start] == UInt8(ascii: "\\") {
      let units = StringContent.unit(at: start, in: bytes, before: end)
      guard let units else { return min(2, end - start) }
      // A high surrogate takes the low one with it.
      if units & 0xfc00 == 0xd800, let low = StringContent.unit(at: start + 6, in: bytes, before: end),
        low & 0xfc00 == 0xdc00
      {
        return 12
      }
      return 6
    }
    var next = start + 1
    while next < end, bytes[next] & 0xc0 == 0x80 { next += 1 }
    return next - start
  }

  // MARK: Words

  /// The end of the words that begin there, on one line.
  func endOfWords(at start: Int) -> Int {
    var end = endOfWord(at: start)
    while true {
      var next = end
      while next < bytes.count, bytes[next] == 0x20 || bytes[next] == 0x09 { next += 1 }
      guard next > end, next < bytes.count, bytes[next].isJSONWord, bytes[next] != UInt8(ascii: "'"),
        endOfComment(at: next) == nil
      else { return end }
      end = endOfWord(at: next)
    }
  }

  private func endOfWord(at start: Int) -> Int {
    var end = start + 1
    while end < bytes.count, bytes[end].isJSONWord, endOfComment(at: end) == nil { end += 1 }
    return end
  }

  /// The word that begins there.
  ///
  /// - Parameter endsText: whether the text may end with it; else one that only lacks its rest has no problem of its
  ///   own, and no end.
  func word(at start: Int, endsText: Bool) -> Word {
    let end = endOfWord(at: start)
    if let word = textWithoutQuote(at: start, end: end) { return word }
    let scalar = JSONScalar(bytes[start..<end])
    if end == bytes.count, !endsText, scalar.mayGoOn {
      return Word(range: start..<end, value: scalar.value, isClosed: false)
    }
    let problem = scalar.problem(at: start..<end)
    if let value = scalar.value { return Word(range: start..<end, value: value, problem: problem) }
    let range = start..<endOfWords(at: start)
    let whole = range.upperBound == end ? scalar : JSONScalar(bytes[range])
    return Word(range: range, value: whole.value, problem: whole.problem(at: range))
  }
}

extension JSONScanner {
  /// A text that lacks its first quote: a word with a quote behind it, followed by a comma, a closing bracket or the
  /// end.
  private func textWithoutQuote(at start: Int, end: Int) -> Word? {
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
    let next = peek(from: end + 1)
    guard next == bytes.count || [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(bytes[next]) else {
      return nil
    }
    let text = String(decoding: bytes[start..<end], as: UTF8.self)
    let quoted = JSON.string(text).description
    let message = "the text has no opening quote; write \(SyntaxProblem.excerpt(quoted))"
    let range = start..<end + 1
    return Word(
      range: range,
      value: .string(text),
      problem: SyntaxProblem(.unclosedString, at: range, message, replacement: quoted)
    )
  }
}

extension UInt8 {
  /// Whether it can be a part of a word: neither white space nor punctuation nor a double quote.
  var isJSONWord: Bool {
    switch self {
    case 0x20, 0x0a, 0x0d, 0x09, UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"),
      UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "\""):
      false
    default: true
    }
  }
}
