internal import FormCases
internal import JSON

/// One line of `formctl record`: a line of `formctl run`, or a command that needs a session without a daemon.
enum RecordLine {
  /// A step of the case.
  case step(TestStep)
  /// An answer to the oldest waiting request.
  case answer(PromisedResponse)
  /// Prints the whole document.
  case show
  case help
  case quit
  /// An empty line, or a comment.
  case nothing

  /// Reads a line.
  init(_ line: String) throws(InputLine.SyntaxError) {
    let words = line.split(maxSplits: 2, omittingEmptySubsequences: true) { " \t\r".contains($0) }.map(String.init)
    switch words.first {
    case "advance":
      guard words.count == 2, let duration = CaseDuration(words[1]) else {
        throw InputLine.SyntaxError(description: "advance needs a duration: advance 300ms, or advance 2m")
      }
      var step = TestStep()
      step.advance = duration
      self = .step(step)
    case "answer":
      self = .answer(try Self.response(Array(words.dropFirst())))
    default: self = try Self.inputLine(line)
    }
  }

  /// Reads `200 {"points": 7}`, `rows [{"n": 1}]`, `body "x"` or a kind such as `timeout`.
  private static func response(_ words: [String]) throws(InputLine.SyntaxError) -> PromisedResponse {
    var response = PromisedResponse()
    let value = words.count < 2 ? nil : try json(words[1])
    switch words.first {
    case let word? where Int(word) != nil:
      guard let status = Int(word).flatMap(ResponseStatus.init) else {
        throw InputLine.SyntaxError(description: "\(word) is not \(ResponseStatus.expectation)")
      }
      response.status = status
      response.body = value
    case "rows"?:
      guard let rows = value?.arrayValue, rows.allSatisfy({ $0.objectValue != nil }) else {
        throw InputLine.SyntaxError(description: remedy)
      }
      response.rows = rows.compactMap(\.objectValue)
    case "body"?:
      guard let value else { throw InputLine.SyntaxError(description: remedy) }
      response.body = value
    case let word?:
      guard value == nil, let kind = ResponseKind(word) else {
        throw InputLine.SyntaxError(description: remedy)
      }
      response.kind = kind
    case nil: throw InputLine.SyntaxError(description: remedy)
    }
    return response
  }

  private static let remedy =
    #"write answer 200 {"points": 7}, answer rows [{"n": 1}], answer body 5 (of a provider), or answer timeout"#

  private static func json(_ text: String) throws(InputLine.SyntaxError) -> JSON {
    do {
      return try JSON(parsing: text)
    } catch {
      throw InputLine.SyntaxError(description: "the answer is not valid JSON: \(error); \(remedy)")
    }
  }

  private static func inputLine(_ line: String) throws(InputLine.SyntaxError) -> RecordLine {
    var step = TestStep()
    switch try InputLine(line) {
    case .change(let field, let value):
      step.change = .field(field)
      step.value = value
    case .insert(let list, let value):
      step.insert = list
      step.value = value
    case .remove(let row): step.remove = row
    case .move(let row, let position):
      step.move = row
      step.to = position
    case .toggle(let field, let value):
      step.toggle = field
      step.value = value
    case .fail(let field, let message):
      step.fail = field
      step.message = message
    case .focus(let field): step.focus = field
    case .blur(let field): step.blur = field
    case .step(let id): step.show = id
    case .tap(let action): step.tap = action
    case .cancel(let action): step.cancel = action
    case .undo: step.undo = true
    case .redo: step.redo = true
    case .locale(let locale): step.setLocale = locale
    case .context(let context): step.setContext = context
    case .reset(let field): step.reset = field.map { .field($0) } ?? .session
    case .wait:
      throw InputLine.SyntaxError(description: "time is virtual here: write advance 10s, or answer the request")
    case .show: return .show
    case .help: return .help
    case .quit: return .quit
    case .nothing: return .nothing
    }
    return .step(step)
  }

  /// The output of `help`.
  static let summary =
    InputLine.summary.split(separator: "\n").filter { !$0.hasPrefix("wait ") && !$0.hasPrefix("quit ") }
    .joined(separator: "\n") + """

      advance 300ms            advance the virtual time
      answer 200 {"points": 7} answer the oldest request with a status and a body
      answer rows [{"n": 1}]   answer the oldest query; answer body 5: for a provider
      answer timeout           let the oldest request fail: refused, timeout, tls, ...
      quit                     write the case, like the end of input
      """
}
