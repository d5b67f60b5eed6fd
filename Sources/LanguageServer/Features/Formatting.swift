internal import DataLanguages
internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import SourceTexts

extension FormattingParams {
  func answer(from workspace: inout Workspace) throws(RPCError) -> [TextEdit] {
    let key = DocumentURI.key(of: document.uri)
    guard let scanned = workspace.scanned(key) else { return [] }
    let source = scanned.source
    let indent = options.insertsSpaces ? String(repeating: " ", count: min(max(options.tabSize, 1), 8)) : "\t"
    let text: [UInt8]?
    switch workspace.kind(of: key) {
    case .data(.yaml)?: text = YAMLLayout.laidOut(scanned)
    case .form?, .test?:
      text = scanned.syntax == .lines ? YAMLLayout.laidOut(scanned) : JSONLayout.laidOut(scanned, indent: indent)
    case .data(.env)?, nil: text = nil
    case .configuration?, .data(.json)?, .data(.jsonc)?: text = JSONLayout.laidOut(scanned, indent: indent)
    }
    guard let text, text != source.bytes else { return [] }
    // Only the part that differs is replaced, so that carets stay.
    let start = zip(text, source.bytes).prefix { $0 == $1 }.count
    let shorter = min(text.count, source.bytes.count) - start
    let end = min(zip(text.reversed(), source.bytes.reversed()).prefix { $0 == $1 }.count, shorter)
    var range = start..<source.bytes.count - end
    // Edits begin and end between code points.
    while range.lowerBound > 0, range.lowerBound < source.bytes.count, source.bytes[range.lowerBound] & 0xc0 == 0x80 {
      range = range.lowerBound - 1..<range.upperBound
    }
    while range.upperBound < source.bytes.count, source.bytes[range.upperBound] & 0xc0 == 0x80 {
      range = range.lowerBound..<range.upperBound + 1
    }
    let replacement = text[range.lowerBound..<text.count - (source.bytes.count - range.upperBound)]
    return [
      TextEdit(
        range: source.range(range, in: workspace.encoding),
        newText: String(decoding: replacement, as: UTF8.self)
      )
    ]
  }
}

/// The layout of JSON, with its comments: a container stays in one line if it is in one line and fits into it. Else
/// each member has a line of its own. Blank lines between members stay, one at a time.
struct JSONLayout {
  private enum Token: Equatable {
    case open(UInt8)
    case close(UInt8)
    case comma
    case colon
    /// A text, a number or a word.
    case scalar([UInt8])
    /// A comment to the end of the line, or of several lines.
    case comment([UInt8], isLine: Bool)
  }

  /// A line is at most this long, if a container can be broken.
  private static let columnsMax = 100

  private let indent: [UInt8]
  private let lineEnd: [UInt8]
  /// The tokens, each with the number of line ends before it.
  private var tokens: [(token: Token, lines: Int)] = []
  /// By position of an opening bracket: the position of its closing bracket.
  private var ends: [Int: Int] = [:]

  init(_ bytes: [UInt8], indent: String) {
    self.indent = Array(indent.utf8)
    lineEnd = bytes.contains(0x0d) ? [0x0d, 0x0a] : [0x0a]
    var index = 0
    var lines = 0
    var open: [Int] = []
    while index < bytes.count {
      let byte = bytes[index]
      let start = index
      index += 1
      var token: Token?
      switch byte {
      case 0x0a: lines += 1
      case 0x20, 0x09, 0x0d: break
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        open.append(tokens.count)
        token = .open(byte)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if let first = open.popLast() { ends[first] = tokens.count }
        token = .close(byte)
      case UInt8(ascii: ","): token = .comma
      case UInt8(ascii: ":"): token = .colon
      case UInt8(ascii: "\""):
        while index < bytes.count, bytes[index] != byte { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        index = min(index + 1, bytes.count)
        token = .scalar(Array(bytes[start..<index]))
      case UInt8(ascii: "/") where index < bytes.count && bytes[index] == UInt8(ascii: "*"):
        index += 1
        while index < bytes.count, !(bytes[index] == UInt8(ascii: "/") && bytes[index - 1] == UInt8(ascii: "*")) {
          index += 1
        }
        index = min(index + 1, bytes.count)
        token = .comment(Array(bytes[start..<index]), isLine: false)
      case UInt8(ascii: "/") where index < bytes.count && bytes[index] == byte:
        var end = bytes[index...].firstIndex(of: 0x0a) ?? bytes.count
        index = end
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        token = .comment(Array(bytes[start..<end]), isLine: true)
      default:
        while index < bytes.count, bytes[index] > 0x20, !",:{}[]/\"".utf8.contains(bytes[index]) { index += 1 }
        token = .scalar(Array(bytes[start..<index]))
      }
      if let token {
        tokens.append((token, lines))
        lines = 0
      }
    }
  }

  /// - Returns: nil if the text cannot be read.
  static func laidOut(_ scanned: ScannedText, indent: String) -> [UInt8]? {
    // A comment is a problem of a form, but its layout is clear.
    let isClear = scanned.problems.allSatisfy { $0.code == .comment || $0.code == .trailingComma }
    return isClear && scanned.root.kind != .missing ? JSONLayout(scanned.source.bytes, indent: indent).text() : nil
  }

  /// The bytes of the laid out text.
  func text() -> [UInt8] {
    var output: [UInt8] = []
    // By open bracket: whether the container is broken into lines.
    var broken: [Bool] = []
    var column = 0
    func append(_ bytes: [UInt8]) {
      output += bytes
      column += bytes.count { $0 & 0xc0 != 0x80 }
    }
    func newLine(_ depth: Int, blank: Bool = false) {
      while output.last == 0x20 { output.removeLast() }
      if blank { output += lineEnd }
      output += lineEnd
      column = 0
      for _ in 0..<depth { append(indent) }
    }
    for (position, (token, lines)) in tokens.enumerated() {
      let isFirst = position == 0
      let previous = isFirst ? nil : tokens[position - 1].token
      // The token begins in a line of its own, behind a blank, or right behind the previous token.
      var isOpening = false
      if case .open? = previous { isOpening = true }
      var isBehindLineComment = false
      if case .comment(_, let isLine)? = previous { isBehindLineComment = isLine || lines > 0 }
      switch token {
      case .close:
        let wasBroken = broken.popLast() ?? false
        if wasBroken, !isOpening || isBehindLineComment {
          newLine(broken.count)
        } else if isBehindLineComment {
          newLine(broken.count)
        }
      case .comma, .colon: if isBehindLineComment { newLine(broken.count) }
      case .comment where lines == 0 && !isFirst: append([0x20])
      case .open, .scalar, .comment:
        if isFirst { break }
        if previous == .colon, !isBehindLineComment {
          append([0x20])
        } else if let previous, isComment(previous), !isBehindLineComment {
          append([0x20])
        } else if broken.last ?? true || isBehindLineComment || lines > 0 && isComment(token) {
          newLine(broken.count, blank: lines > 1 && !isOpening)
        } else if !isOpening {
          append([0x20])
        } else if case .open(UInt8(ascii: "{"))? = previous {
          append([0x20])
        }
      }
      switch token {
      case .open(let bracket):
        append([bracket])
        broken.append(!fits(from: position, at: column))
      case .close(let bracket):
        if bracket == UInt8(ascii: "}"), let last = output.last, last != UInt8(ascii: "{"), column > 0, !isOpening,
          last != 0x20, last != 0x0a, last != 0x09
        {
          append([0x20])
        }
        append([bracket])
      case .comma: append([UInt8(ascii: ",")])
      case .colon: append([UInt8(ascii: ":")])
      case .scalar(let bytes): append(bytes)
      case .comment(let bytes, _):
        append(bytes)
      // The container must go on in the next line.
      }
    }
    while output.last.map({ $0 <= 0x20 }) ?? false { output.removeLast() }
    return output + lineEnd
  }

  private func isComment(_ token: Token) -> Bool { if case .comment = token { true } else { false } }

  /// Whether a container is in one line, and fits into the line.
  private func fits(from position: Int, at column: Int) -> Bool {
    guard let end = ends[position] else { return false }
    var width = column
    for index in position + 1..<end + 1 {
      let (token, lines) = tokens[index]
      if lines > 0 { return false }
      switch token {
      case .open, .close: width += 2
      case .comma, .colon: width += 2
      case .scalar(let bytes): width += bytes.count { $0 & 0xc0 != 0x80 }
      case .comment(let bytes, let isLine):
        if isLine { return false }
        width += bytes.count + 1
      }
      if width > Self.columnsMax { return false }
    }
    return true
  }
}

/// The layout of YAML: no blanks at the ends of lines, one blank behind dashes and colons, at most one blank line, and
/// one line end at the end. The structure, comments and texts of several lines stay.
enum YAMLLayout {
  /// - Returns: nil if the text cannot be read, or if another layout might change its values.
  static func laidOut(_ scanned: ScannedText) -> [UInt8]? {
    guard scanned.problemCount == 0 else { return nil }
    let source = scanned.source
    // Lines of texts that have several lines do not change.
    var fixed: Set<Int> = []
    var waiting = [scanned.root]
    while let node = waiting.popLast() {
      waiting += node.children
      guard node.kind == .string, !node.range.isEmpty else { continue }
      let first = source.line(of: node.range.lowerBound)
      let last = source.line(of: max(node.range.lowerBound, node.range.upperBound - 1))
      if last > first { fixed.formUnion(first...last) }
    }
    var output: [UInt8] = []
    var isBehindBlank = true
    for number in 0..<source.lineCount {
      var line = Array(source.bytes[source.line(number)])
      while line.last == 0x0a || line.last == 0x0d { line.removeLast() }
      if !fixed.contains(number) {
        while line.last == 0x20 || line.last == 0x09 { line.removeLast() }
        line = withSingleBlanks(line)
        let isBlank = line.isEmpty
        if isBlank, isBehindBlank { continue }
        isBehindBlank = isBlank
      } else {
        isBehindBlank = false
      }
      output += line + [0x0a]
    }
    while output.suffix(2) == [0x0a, 0x0a] { output.removeLast() }
    let read = ScannedText(SourceText(output), language: .yaml)
    return read.problemCount == 0 && read.value == scanned.value ? output : nil
  }

  /// One blank behind the dashes at the beginning of a line, and behind the colon of its first name.
  private static func withSingleBlanks(_ line: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var index = line.firstIndex { $0 != 0x20 } ?? line.count
    result += line[..<index]
    func skipBlanks() { while index < line.count, line[index] == 0x20 { index += 1 } }
    // The columns of an element's members depend on its dash, so blanks behind dashes stay.
    while index + 1 < line.count, line[index] == UInt8(ascii: "-"), line[index + 1] == 0x20 {
      result.append(line[index])
      index += 1
      while index < line.count, line[index] == 0x20 {
        result.append(0x20)
        index += 1
      }
    }
    guard index < line.count, line[index] != UInt8(ascii: "#"), line[index] != UInt8(ascii: "\""),
      line[index] != UInt8(ascii: "'"), line[index] != UInt8(ascii: "{"), line[index] != UInt8(ascii: "["),
      let colon = line[index...].indices.first(where: {
        line[$0] == UInt8(ascii: ":") && $0 + 1 < line.count && line[$0 + 1] == 0x20
      })
    else { return result + line[index...] }
    result += line[index...colon]
    index = colon + 1
    skipBlanks()
    // Blanks before a comment stay, because comments are often aligned.
    if index < line.count, line[index] == UInt8(ascii: "#") { return result + line[(colon + 1)...] }
    return result + [0x20] + line[index...]
  }
}
