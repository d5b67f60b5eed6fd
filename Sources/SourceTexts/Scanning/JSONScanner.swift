internal import JSON
internal import Texts

/// Reads JSON of any quality into a tree: it reports the problems, and reading goes on at the position that the author
/// most likely meant.
///
/// One mistake must give only one problem. So the scanner looks ahead before it decides: a text behind a colon that a
/// colon follows is the next member's name, and the value before it is missing; a bracket that does not fit may be the
/// wrong one, or others may be open. A text that ends early has one problem, at any position.
///
/// Each byte is looked at a bounded number of times, and nothing recurses. For the words see
/// `JSONScanner+Tokens.swift`.
struct JSONScanner {
  /// The token before the next token in an object or array.
  enum State {
    /// The opening bracket.
    case opened
    /// A comma, with its range.
    case comma(Range<Int>)
    /// An item: a comma or the closing bracket has to follow.
    case item
    /// Something that could not be read: anything may follow it.
    case ready
  }

  let bytes: [UInt8]
  let source: SourceText
  let allowsComments: Bool
  let limits: JSONLimits
  var builder = ScannedTreeBuilder()
  var position = 0
  /// The end of the last token, comments not counted.
  var lastEnd = 0
  /// Of each object and array that is open.
  var states: [State] = []
  /// The number of objects among them.
  var objectCount = 0
  /// Whether the text ends within a text in quotes.
  var endsInString = false
  /// The text in quotes that was read last: a look-ahead reads it first.
  var lastString: StringToken?
  /// No text in quotes is divided that begins before it.
  var splitFloor = 0

  init(_ source: SourceText, allowsComments: Bool, limits: JSONLimits) {
    bytes = source.bytes
    self.source = source
    self.allowsComments = allowsComments
    self.limits = limits
  }

  /// Reads the text; afterwards everything in the builder is closed.
  mutating func scan() {
    guard bytes.count <= ScannedTreeBuilder.bytesMax else {
      builder.report(SyntaxProblem(.nodes, at: 0..<0, "the text has more than 1 GiB; split it"), loses: true)
      return
    }
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
      position = 3
      builder.report(
        SyntaxProblem(.byteOrderMark, at: 0..<3, "the text begins with a byte order mark; remove it", replacement: "")
      )
    }
    skipSpace()
    guard position < bytes.count else {
      builder.report(SyntaxProblem(.missingValue, at: position..<position, "there is no value; write one"), loses: true)
      return
    }
    if !isPunctuation(bytes[position]) { value(named: nil) }
    while !states.isEmpty { step() }
    readTrailing()
  }

  var state: State {
    get { states[states.count - 1] }
    set { states[states.count - 1] = newValue }
  }

  private var isAfterItem: Bool {
    if case .item = state { true } else { false }
  }

  private func isPunctuation(_ byte: UInt8) -> Bool {
    [UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","), UInt8(ascii: ":")].contains(byte)
  }

  /// Goes past a token that ends there.
  mutating func advance(to end: Int) {
    position = end
    lastEnd = end
  }

  // MARK: Items

  /// Reads the next token in the object or array that is open.
  private mutating func step() {
    skipSpace()
    guard position < bytes.count else { return endEarly() }
    switch bytes[position] {
    case UInt8(ascii: "}"), UInt8(ascii: "]"): readClosingBracket()
    case UInt8(ascii: ","): readComma()
    case UInt8(ascii: ":"): readStrayColon()
    case _ where builder.isInObject: readMember()
    default: value(named: nil, lacksComma: isAfterItem)
    }
  }

  private mutating func readComma() {
    let range = position..<position + 1
    switch state {
    case .item, .ready: state = .comma(range)
    case .opened, .comma:
      if builder.isInObject {
        builder.report(
          SyntaxProblem(
            .unexpected,
            at: range,
            "there is no member before this comma; remove the comma",
            replacement: ""
          )
        )
      } else {
        builder.report(
          SyntaxProblem(
            .missingValue,
            at: position..<position,
            "a value is missing before this comma; write one, or remove the comma"
          ),
          loses: true
        )
        builder.add(nil, in: position..<position)
        state = .comma(range)
      }
    }
    advance(to: range.upperBound)
  }

  private mutating func readStrayColon() {
    let range = position..<position + 1
    guard builder.isInObject else {
      let message = "elements of an array have no names; write {} around names and values"
      builder.report(SyntaxProblem(.unexpected, at: range, message), loses: true)
      state = .ready
      return advance(to: range.upperBound)
    }
    if isAfterItem {
      builder.report(
        SyntaxProblem(.unexpected, at: range, "a colon belongs after a name; write a comma here"),
        loses: true
      )
      state = .ready
      return advance(to: range.upperBound)
    }
    builder.report(
      SyntaxProblem(.missingName, at: position..<position, "a name is missing before this colon; write one"),
      loses: true
    )
    advance(to: range.upperBound)
    value(named: .init(nil, in: range.lowerBound..<range.lowerBound))
  }

  private mutating func readMember() {
    switch bytes[position] {
    case UInt8(ascii: "{"), UInt8(ascii: "["): readNamelessMember()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): readNamedMember()
    default:
      let start = position
      let end = endOfWords(at: start)
      let lacksComma = isAfterItem
      let comma = lastEnd
      let next = peek(from: end)
      guard next < bytes.count, bytes[next] == UInt8(ascii: ":") else {
        let message = "a member begins with its name in quotes; write \"name\": before its value"
        builder.report(SyntaxProblem(.unexpected, at: start..<end, message), loses: true)
        state = .ready
        return advance(to: end)
      }
      if lacksComma { reportMissingComma(at: comma) }
      let name = String(decoding: bytes[start..<end], as: UTF8.self)
      let quoted = JSON.string(name).description
      builder.report(
        SyntaxProblem(
          .unquotedName,
          at: start..<end,
          "a name needs quotes; write \(SyntaxProblem.excerpt(quoted))",
          replacement: quoted
        )
      )
      advance(to: end)
      skipSpace()
      advance(to: position + 1)
      value(named: .init(name, in: start..<end))
    }
  }

  /// Reads a member that has a bracket in place of its name.
  private mutating func readNamelessMember() {
    if case .comma(let comma) = state, builder.depth > 1, !builder.isObject(below: 1) {
      // The next element of the array around: this object has no end.
      let message = "the { of line \(line(ofFrame: 0)) is not closed; write } before this comma"
      builder.report(SyntaxProblem(.unclosed, at: comma.lowerBound..<comma.lowerBound, message, replacement: "}"))
      closeUnclosed(1, at: comma.lowerBound)
      state = .comma(comma)
      return
    }
    if isAfterItem {
      reportMissingComma(at: lastEnd)
    } else {
      let message = "a member begins with its name; write \"name\": before this bracket"
      builder.report(SyntaxProblem(.missingName, at: position..<position, message))
    }
    builder.markLoss()
    value(named: .init(nil, in: position..<position))
  }

  private mutating func readNamedMember() {
    let lacksComma = isAfterItem
    let comma = lastEnd
    let token = nameToken()
    if lacksComma { reportMissingComma(at: comma) }
    take(token)
    state = .item
    let name = ScannedTreeBuilder.Name(token.text, in: token.range)
    if token.text.withCodeUnits({ $0.contains(0) }) {
      builder.report(SyntaxProblem(.nulInKey, at: token.range, "a name contains U+0000; leave it out"))
    }
    skipSpace()
    let next = position < bytes.count ? bytes[position] : nil
    switch next {
    case nil: return addMissing(name)
    case UInt8(ascii: ":"):
      advance(to: position + 1)
      return value(named: name)
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
      break
    case UInt8(ascii: "\"") where isFollowedByColon(string(at: position)):
      state = .ready
    default:
      if token.isClosed { reportMissingColon(replacement: ":") }
      return value(named: name)
    }
    if token.isClosed { reportMissingColon(replacement: nil) }
    addMissing(name)
  }

  /// Notes that a member has a name and no value.
  private mutating func addMissing(_ name: ScannedTreeBuilder.Name?) {
    builder.markLoss()
    builder.add(nil, in: lastEnd..<lastEnd, name: name)
  }

  private mutating func reportMissingComma(at offset: Int) {
    builder.report(
      SyntaxProblem(.missingComma, at: offset..<offset, "a comma is missing here; write ,", replacement: ",")
    )
  }

  private mutating func reportMissingColon(replacement: String?) {
    let message =
      replacement == nil
      ? "a name needs a colon and a value; write : and the value"
      : "a colon is missing after the name; write :"
    builder.report(SyntaxProblem(.missingColon, at: lastEnd..<lastEnd, message, replacement: replacement))
  }

  // MARK: Values

  /// Reads a value, or begins to read an object or array.
  ///
  /// - Parameters:
  ///   - name: the name of the member; nil in an array and at the top.
  ///   - lacksComma: whether the item before it has no comma.
  private mutating func value(named name: ScannedTreeBuilder.Name?, lacksComma: Bool = false) {
    skipSpace()
    guard builder.count < limits.nodesMax else { return giveUp() }
    if !states.isEmpty { state = .item }
    while position < bytes.count, bytes[position] == UInt8(ascii: ":"), name != nil {
      builder.report(
        SyntaxProblem(.unexpected, at: position..<position + 1, "one colon is enough; remove this one", replacement: "")
      )
      advance(to: position + 1)
      skipSpace()
    }
    guard position < bytes.count else { return addMissing(name) }
    switch bytes[position] {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"):
      reportMissingValue()
      addMissing(name)
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if lacksComma { reportMissingComma(at: lastEnd) }
      open(name)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let next = string(at: position)
      if name != nil, isFollowedByColon(next) {
        // The name of the next member, typed or to be typed behind a value that is missing.
        reportMissingValue()
        addMissing(name)
        state = .ready
        return
      }
      if lacksComma { reportMissingComma(at: lastEnd) }
      let token = valueToken()
      take(token)
      if !token.isClosed, token.range.upperBound == bytes.count, states.isEmpty { reportUnclosed(token) }
      builder.add(.string(token.text), in: token.range, name: name, isClosed: token.isClosed)
    default:
      let word = word(at: position, endsText: states.isEmpty)
      if lacksComma, word.value != nil { reportMissingComma(at: lastEnd) }
      if let problem = word.problem { builder.report(problem, loses: word.value == nil) }
      if word.value == nil { builder.markLoss() }
      advance(to: word.range.upperBound)
      builder.add(word.value, in: word.range, name: name, isClosed: word.isClosed)
    }
  }

  private mutating func reportMissingValue() {
    let message = "a value is missing; write one"
    builder.report(SyntaxProblem(.missingValue, at: lastEnd..<lastEnd, message), loses: true)
  }

  private mutating func open(_ name: ScannedTreeBuilder.Name?) {
    let isObject = bytes[position] == UInt8(ascii: "{")
    guard builder.depth < limits.depthMax else {
      let start = position
      skipContainer()
      let message = "values are nested deeper than \(limits.depthMax) levels here; reduce the nesting"
      builder.report(SyntaxProblem(.depth, at: start..<start + 1, message), loses: true)
      return builder.add(nil, in: start..<position, name: name)
    }
    builder.open(object: isObject, at: position, name: name)
    states.append(.opened)
    if isObject { objectCount += 1 }
    advance(to: position + 1)
  }

  /// Goes past an object or array without looking at its content.
  private mutating func skipContainer() {
    var depth = 0
    repeat {
      switch bytes[position] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      case UInt8(ascii: "\""): position = endOfString(at: position) - 1
      default: break
      }
      position += 1
    } while depth > 0 && position < bytes.count
    lastEnd = position
  }
}
