internal import JSON

/// Decides which bracket ends which container, and which containers are open at the end of the text.
extension JSONScanner {
  mutating func readClosingBracket() {
    let isObject = bytes[position] == UInt8(ascii: "}")
    let range = position..<position + 1
    if builder.isInObject == isObject {
      if isObject, builder.depth == 1, hasMoreMembers(behind: range.upperBound) {
        let message = "this } ends the whole text, but more members follow; remove it"
        builder.report(SyntaxProblem(.unexpected, at: range, message, replacement: ""))
        return advance(to: range.upperBound)
      }
      return close()
    }
    let others = isObject ? objectCount : builder.depth - objectCount
    let below = others == 0 ? nil : (1..<builder.depth).first { builder.isObject(below: $0) == isObject }
    let right = builder.isInObject ? "}" : "]"
    if let below, !isWrongBracket(below: below) {
      reportUnclosed(below)
      return closeUnclosed(below, at: position)
    }
    let next = peek(from: range.upperBound)
    if below != nil || next == bytes.count || bytes[next] == UInt8(ascii: ",") {
      let message =
        "the \(builder.isInObject ? "{" : "[") of line \(line(ofFrame: 0)) ends with \(right); write \(right)"
      builder.report(SyntaxProblem(.unexpected, at: range, message, replacement: right))
      close()
    } else {
      let message = "this bracket closes nothing; remove it"
      builder.report(SyntaxProblem(.unexpected, at: range, message, replacement: ""))
      advance(to: range.upperBound)
    }
  }

  /// Ends the innermost container with the bracket at this position.
  private mutating func close() {
    if case .comma(let comma) = state, !allowsComments {
      let message = "a comma after the last item is not allowed; remove it"
      builder.report(SyntaxProblem(.trailingComma, at: comma, message, replacement: ""))
    }
    if builder.isInObject { objectCount -= 1 }
    states.removeLast()
    advance(to: position + 1)
    builder.close(at: position)
  }

  /// Ends the innermost container, that many times, without a bracket.
  mutating func closeUnclosed(_ count: Int, at end: Int) {
    for _ in 0..<count {
      builder.markLoss()
      if builder.isInObject { objectCount -= 1 }
      states.removeLast()
      builder.close(at: end, isClosed: false)
    }
  }

  /// Whether this bracket was written by mistake for the bracket that closes the innermost container. Otherwise it
  /// would end the container around that one, and the text behind it would not fit.
  private func isWrongBracket(below: Int) -> Bool {
    guard below == 1 else { return false }
    let next = peek(from: position + 1)
    if builder.depth == 2 { return next < bytes.count }
    guard !builder.isObject(below: 2), next < bytes.count, bytes[next] == UInt8(ascii: ",") else { return false }
    return isName(at: peek(from: next + 1))
  }

  /// Whether further members follow the apparent end of the text.
  private func hasMoreMembers(behind end: Int) -> Bool {
    let next = peek(from: end)
    guard next < bytes.count else { return false }
    return isName(at: bytes[next] == UInt8(ascii: ",") ? peek(from: next + 1) : next)
  }

  /// Whether a name and a colon follow.
  private func isName(at offset: Int) -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { return false }
    let next = peek(from: endOfString(at: offset))
    return next < bytes.count && bytes[next] == UInt8(ascii: ":")
  }

  /// Reports that the innermost objects and arrays have no end, and the brackets to write at this position.
  mutating func reportUnclosed(_ count: Int) {
    let closing = (0..<count).map { builder.isObject(below: $0) ? "}" : "]" }.joined()
    let isOne = count == 1 && !endsInString
    let what =
      endsInString
      ? "the text ends within quotes"
      : isOne
        ? "the \(builder.isInObject ? "{" : "[") of line \(line(ofFrame: 0)) is not closed"
        : "\(count) brackets are not closed"
    let missing = (endsInString ? "\"" : "") + (count <= 40 ? closing : "\(closing.prefix(40))...")
    builder.report(
      SyntaxProblem(
        .unclosed,
        at: lastEnd..<lastEnd,
        "\(what); write \(missing) here",
        replacement: count <= 40 ? missing : nil
      )
    )
  }

  /// The line, from 1, of the bracket of the innermost container.
  func line(ofFrame frame: Int) -> Int { source.line(of: builder.start) + 1 }

  // MARK: The end

  /// The text ends, and something is open.
  mutating func endEarly() {
    if builder.depth == 1, !endsInString, let (bracket, end) = bracketThatIndentsOtherwise() {
      let open = String(UnicodeScalar(bytes[bracket]))
      let missing = open == "{" ? "}" : "]"
      let message =
        "by the indentation, the \(open) of line \(source.line(of: bracket) + 1) is not closed; write \(missing) here"
      builder.report(SyntaxProblem(.unclosed, at: end..<end, message, replacement: missing))
    } else {
      reportUnclosed(builder.depth)
    }
    closeUnclosed(builder.depth, at: bytes.count)
  }

  /// The first bracket whose closing bracket is further left than the line of the opening bracket begins. Its own
  /// closing bracket belongs behind the last line that is indented more than that. nil if the indentation gives
  /// no hint.
  private func bracketThatIndentsOtherwise() -> (bracket: Int, end: Int)? {
    var open: [Int] = []
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index = endOfString(at: index)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(index)
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard let bracket = open.popLast() else { return nil }
        let (own, around) = (indent(ofLineWith: index), indent(ofLineWith: bracket))
        guard own.first == index, own.indent < around.indent else { break }
        return (bracket, endOfLines(below: bracket, indentedMoreThan: around.indent))
      default:
        if let end = endOfComment(at: index) {
          index = end
          continue
        }
      }
      index += 1
    }
    return nil
  }

  /// The first byte of a line that is not a blank, and how many blanks precede it.
  private func indent(ofLineWith offset: Int) -> (indent: Int, first: Int) {
    let line = source.line(source.line(of: offset))
    let first = bytes[line].firstIndex { $0 != 0x20 && $0 != 0x09 } ?? line.upperBound
    return (first - line.lowerBound, first)
  }

  /// Behind the last value of the lines below a bracket's that are indented more, before a comma.
  private func endOfLines(below bracket: Int, indentedMoreThan indent: Int) -> Int {
    var end = bracket + 1
    var number = source.line(of: bracket)
    while true {
      let line = source.line(number)
      let first = self.indent(ofLineWith: line.lowerBound)
      let isBlank = first.first >= line.upperBound || bytes[first.first] == 0x0a || bytes[first.first] == 0x0d
      if !isBlank {
        guard line.contains(bracket) || first.indent > indent else { return end }
        end = (bytes[line].lastIndex { !$0.isJSONSpace && $0 != UInt8(ascii: ",") } ?? bracket) + 1
      }
      guard line.upperBound < bytes.count else { return end }
      number += 1
    }
  }

  /// Reads no further: there are too many values.
  mutating func giveUp() {
    let message = "there are more than \(limits.nodesMax) values; the rest is not read"
    builder.report(SyntaxProblem(.nodes, at: position..<position, message), loses: true)
    position = bytes.count
    closeUnclosed(builder.depth, at: bytes.count)
  }

  mutating func readTrailing() {
    skipSpace()
    guard position < bytes.count else { return }
    var end = bytes.count
    while bytes[end - 1] <= 0x20 && end > position + 1 { end -= 1 }
    let message =
      builder.count == 0
      ? "a text cannot begin with this; write a value" : "there is more text after the value; remove it"
    builder.report(
      SyntaxProblem(builder.count == 0 ? .unexpected : .trailing, at: position..<end, message),
      loses: true
    )
  }
}
