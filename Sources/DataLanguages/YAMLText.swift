internal import CYaml
internal import JSON
internal import SourceTexts

/// A text in the form for libyaml, and the bytes that libyaml's marks mean.
///
/// libyaml's marks count code points, and its reader gives up at a byte that YAML does not allow. Such bytes are
/// problems, and libyaml gets a question mark for each, so that all else keeps its position.
struct YAMLText {
  /// Why libyaml stopped.
  struct Failure {
    var problem: SyntaxProblem
    /// The line that is most likely to blame, from 0.
    var line: Int
  }

  private let source: SourceText
  /// The bytes for libyaml: as many as the text has.
  private(set) var bytes: [UInt8]
  /// The first byte of the content: behind a byte order mark, which comments may precede.
  let start: Int
  /// The characters that YAML does not allow at all.
  private(set) var problems: [SyntaxProblem] = []
  /// The byte that each code point begins at, behind the byte order mark, and the end; nil for a text of ASCII.
  private var offsets: [Int32]?
  /// The lines that were taken out.
  private var blanked: Set<Int> = []

  init(_ source: SourceText) {
    self.source = source
    bytes = source.bytes
    start = Self.start(of: bytes)
    var offset = start
    while offset < bytes.count {
      let length = Self.lengthOfCharacter(at: offset, in: bytes)
      if length > 0 {
        offset += length
        continue
      }
      let isControl = bytes[offset] < 0x80
      let message =
        isControl
        ? "YAML does not allow this control character; remove it"
        : "this is not UTF-8, or YAML does not allow it; save the text as UTF-8"
      problems.append(SyntaxProblem(isControl ? .controlCharacter : .utf8, at: offset..<offset + 1, message))
      bytes[offset] = UInt8(ascii: "?")
      offset += 1
    }
    count()
  }

  /// Behind the last byte order mark before the content. Before it are only comments, empty lines and such marks (YAML
  /// 1.2.2, section 9.1.1, "l-document-prefix").
  private static func start(of bytes: [UInt8]) -> Int {
    var start = 0
    var line = 0
    while line < bytes.count {
      if bytes[line...].starts(with: [0xef, 0xbb, 0xbf]) {
        line += 3
        start = line
      }
      let end = bytes[line...].firstIndex { $0 == 0x0a || $0 == 0x0d } ?? bytes.count
      guard bytes[line..<end].first(where: { $0 != 0x20 && $0 != 0x09 }) ?? UInt8(ascii: "#") == UInt8(ascii: "#")
      else {
        break
      }
      line = end + 1
    }
    return start
  }

  /// Finds the beginnings of the code points.
  private mutating func count() {
    offsets = nil
    guard bytes.contains(where: { $0 >= 0x80 }) else { return }
    var offsets = (start..<bytes.count).compactMap { bytes[$0] & 0xc0 == 0x80 ? nil : Int32($0) }
    offsets.append(Int32(bytes.count))
    self.offsets = offsets
  }

  /// The bytes of the character that begins there; 0 if YAML does not allow the character (YAML 1.2.2, section 5.1).
  private static func lengthOfCharacter(at offset: Int, in bytes: [UInt8]) -> Int {
    let first = bytes[offset]
    if first < 0x80 {
      return first >= 0x20 && first != 0x7f || first == 0x09 || first == 0x0a || first == 0x0d ? 1 : 0
    }
    let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    guard offset + length <= bytes.count, let text = String(validating: bytes[offset..<offset + length], as: UTF8.self),
      let scalar = text.unicodeScalars.first, text.unicodeScalars.count == 1
    else { return 0 }
    switch scalar.value {
    case 0x85, 0xa0...0xfefe, 0xff00...0xfffd, 0x10000...0x10ffff: return length
    default: return 0
    }
  }

  // MARK: Positions

  private func offset(of mark: yaml_mark_t) -> Int {
    guard let offsets else { return min(start + mark.index, bytes.count) }
    return Int(offsets[min(mark.index, offsets.count - 1)])
  }

  /// The bytes between the marks of an event.
  func range(of event: yaml_event_t) -> Range<Int> {
    let start = offset(of: event.start_mark)
    return start..<max(start, offset(of: event.end_mark))
  }

  /// A range without the white space at its end.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var end = range.upperBound
    while end > range.lowerBound, bytes[end - 1] <= 0x20 { end -= 1 }
    return range.lowerBound..<end
  }

  // MARK: Failures

  /// The problem that libyaml found.
  func failure(of parser: yaml_parser_t) -> Failure {
    let problem = parser.problem.map { String(cString: $0) } ?? "this is not YAML"
    let context = parser.context.map { String(cString: $0) } ?? ""
    // If a construct has no end, its beginning is wrong, and not the position at which libyaml notices it.
    let blamesContext = ["simple key", "quoted scalar", "flow"].contains { context.contains($0) }
    let mark = blamesContext ? parser.context_mark : parser.problem_mark
    let start = min(offset(of: mark), bytes.count)
    let line = source.line(of: start)
    let lineRange = source.line(line)
    var first = lineRange.lowerBound
    while first < lineRange.upperBound, bytes[first] == 0x20 || bytes[first] == 0x09 { first += 1 }
    let end = trimmed(lineRange.lowerBound..<lineRange.upperBound).upperBound
    let from = start < end ? max(first, start) : min(first, max(end, first))
    let message = context.isEmpty ? problem : "\(problem) \(context)"
    return Failure(
      problem: SyntaxProblem(.syntax, at: from..<max(from, end), "\(message); \(Self.remedy(problem, context))"),
      line: line
    )
  }

  /// A failure that is not about the text.
  func failure(_ message: String) -> Failure {
    Failure(problem: SyntaxProblem(.syntax, at: 0..<0, "\(message); split the text"), line: 0)
  }

  private static func remedy(_ problem: String, _ context: String) -> String {
    if problem.contains("expected ':'") { return "write name: value" }
    if problem.contains("escape character") { return #"write \\ for a backslash, or the text in ' quotes"# }
    if problem.contains("hexdecimal") || problem.contains("escape code") {
      return #"write a code such as \u00e9, or \\ for a backslash"#
    }
    if context.contains("quoted scalar") { return "write the closing quote" }
    if context.contains("flow") { return "write the closing bracket, or the comma" }
    if problem.contains("cannot start any token") { return "write quotes around the text, and spaces for tabs" }
    if problem.contains("mapping values are not allowed") { return "write quotes around the text, or begin a new line" }
    return "fix the indentation or the punctuation of this line"
  }

  /// Takes out a line; false if it is empty or was already taken out.
  mutating func blank(_ line: Int) -> Bool {
    guard line < source.lineCount, blanked.insert(line).inserted else { return false }
    let range = source.line(line)
    guard bytes[range].contains(where: { $0 > 0x20 }) else { return false }
    for offset in range { bytes[offset] = 0x20 }
    count()
    return true
  }
}
