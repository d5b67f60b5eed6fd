internal import JSON
internal import SourceTexts

/// Reads lines `NAME=value`, as shells and `docker --env-file` do.
///
/// A line is empty, a comment behind `#`, or a name, `=` and a value; `export` may precede the name. A value without
/// quotes ends with its line, or before white space and `#`. In single quotes, every character means itself; in double
/// quotes `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are escapes; both may go over several lines. Nothing is expanded. All
/// values are texts, and the names are names of top-level members.
struct EnvironmentReader {
  private let bytes: [UInt8]
  private let limits: JSONLimits
  private var builder = ScannedTreeBuilder()
  private var position = 0

  /// Reads a text.
  static func read(_ source: SourceText, _ limits: JSONLimits) -> ScannedText {
    var reader = EnvironmentReader(bytes: source.bytes, limits: limits)
    reader.read()
    return reader.builder.finish(source, syntax: .lines)
  }

  private init(bytes: [UInt8], limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  private mutating func read() {
    guard bytes.count <= ScannedTreeBuilder.bytesMax else {
      builder.report(SyntaxProblem(.nodes, at: 0..<0, "the text has more than 1 GiB; split it"), loses: true)
      return
    }
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { position = 3 }
    builder.open(object: true, at: 0)
    while position < bytes.count {
      skipBlanks()
      guard let byte = current else { break }
      if isLineEnd(byte) {
        position += 1
      } else if byte == UInt8(ascii: "#") {
        skipLine()
      } else if builder.count > limits.nodesMax {
        builder.report(
          SyntaxProblem(
            .nodes,
            at: position..<position,
            "there are more than \(limits.nodesMax) values; the rest is not read"
          ),
          loses: true
        )
        break
      } else {
        readAssignment()
      }
    }
    builder.close(at: bytes.count)
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private mutating func skipBlanks() {
    while let byte = current, isBlank(byte) { position += 1 }
  }

  private mutating func skipLine() {
    while let byte = current, !isLineEnd(byte) { position += 1 }
  }

  private mutating func readAssignment() {
    let line = position
    if bytes[position...].starts(with: "export".utf8), position + 6 < bytes.count, isBlank(bytes[position + 6]) {
      position += 6
      skipBlanks()
    }
    let start = position
    while let byte = current, isName(byte) { position += 1 }
    let range = start..<position
    skipBlanks()
    guard !range.isEmpty, current == UInt8(ascii: "=") else {
      skipLine()
      builder.report(
        SyntaxProblem(.line, at: line..<trimmed(line..<position), "this line is not an assignment; write NAME=value"),
        loses: true
      )
      return
    }
    position += 1
    skipBlanks()
    let name = ScannedTreeBuilder.Name(String(decoding: bytes[range], as: UTF8.self), in: range)
    readValue(name)
  }

  private func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."):
      true
    default: byte >= 0x80
    }
  }

  private mutating func readValue(_ name: ScannedTreeBuilder.Name) {
    let start = position
    guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      while let byte = current, !isLineEnd(byte) {
        if byte == UInt8(ascii: "#"), position > start, isBlank(bytes[position - 1]) { break }
        position += 1
      }
      let range = start..<trimmed(start..<position)
      skipLine()
      return add(Array(bytes[range]), in: range, name, isClosed: true)
    }
    position += 1
    var text: [UInt8] = []
    while let byte = current, byte != quote {
      position += 1
      guard byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), let escaped = current else {
        text.append(byte)
        continue
      }
      position += 1
      switch escaped {
      case UInt8(ascii: "n"): text.append(0x0a)
      case UInt8(ascii: "r"): text.append(0x0d)
      case UInt8(ascii: "t"): text.append(0x09)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): text.append(escaped)
      default: text += [byte, escaped]
      }
    }
    guard current == quote else {
      // The text goes on to the end of the file, which is not intended: it ends with its line, and the next lines are
      // read.
      position = start
      skipLine()
      let range = start..<trimmed(start..<position)
      let quote = quote == UInt8(ascii: "'") ? "'" : "\""
      builder.report(
        SyntaxProblem(.unclosedString, at: range, "the text has no closing quote; write \(quote) after it")
      )
      return add(Array(bytes[range].dropFirst()), in: range, name, isClosed: false)
    }
    position += 1
    add(text, in: start..<position, name, isClosed: true)
    skipBlanks()
    guard let byte = current, !isLineEnd(byte) else { return }
    let rest = position
    skipLine()
    if byte != UInt8(ascii: "#") {
      builder.report(
        SyntaxProblem(
          .unexpected,
          at: rest..<trimmed(rest..<position),
          "there is more text after the closing quote; remove it, or write \\\" for a quote in the text"
        ),
        loses: true
      )
    }
  }

  private mutating func add(_ text: [UInt8], in range: Range<Int>, _ name: ScannedTreeBuilder.Name, isClosed: Bool) {
    if String(validating: text, as: UTF8.self) == nil {
      builder.report(SyntaxProblem(.utf8, at: range, "this is not UTF-8; save the text as UTF-8"))
    }
    builder.add(.string(String(decoding: text, as: UTF8.self)), in: range, name: name, isClosed: isClosed)
  }

  /// The end of a range without white space before it.
  private func trimmed(_ range: Range<Int>) -> Int {
    var end = range.upperBound
    while end > range.lowerBound, isBlank(bytes[end - 1]) { end -= 1 }
    return end
  }
}
