internal import Client
internal import FormProtocol
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// The loop of `formctl run`: it sends lines of standard input to a session, and prints the changes.
final class Conversation {
  private let session: FormSession
  private let daemon: FormConnection
  private let printsJSON: Bool
  /// Input that was read and is not carried out yet.
  private var input = LineBuffer()
  private var inputHasEnded = false
  /// Fields that were changed and not left since: a throttle or a debounce may delay their values.
  private var edited: [String] = []
  private var taps = TapLog()
  private var isClosedByOther = false

  /// Whether a line was invalid, or was refused by the daemon.
  private(set) var hasRefusedLine = false
  /// Whether no action was tapped, or the last tap succeeded.
  var lastTapIsFine: Bool { taps.isFine }

  /// Takes over a session and prints its document.
  ///
  /// - Parameters:
  ///   - daemon: the session's connection.
  ///   - printsJSON: whether documents and notifications are printed as JSON, one a line.
  ///   - showsKey: whether the key of a kept session is printed. A user who attached by key has the key already.
  init(_ session: FormSession, on daemon: FormConnection, printsJSON: Bool, showsKey: Bool) {
    self.daemon = daemon
    self.session = session
    self.printsJSON = printsJSON
    session.onChange = { [unowned self] in arrived($0) }
    if printsJSON {
      daemon.onText = { kind, text in if kind == .notification { Console.say(text) } }
    } else {
      daemon.onNotice = { Console.say(ChangePrinter().line(for: $0)) }
    }
    let key = showsKey ? session.key : nil
    showDocument(with: session.values, key: key)
    if let key, !printsJSON { Console.say("  key: \(key)") }
  }

  /// Carries out the lines until `quit` or the end of the input, and then waits until nothing is in progress.
  ///
  /// - Throws: ``ClientError`` if the connection fails. ``CommandFailure`` if the daemon closes the session or standard
  ///   input cannot be read.
  func run() throws {
    while !session.isClosed {
      // Changes that came with an answer were read already, so that no descriptor reports them.
      try session.receive()
      while let line = try nextLine(), !session.isClosed {
        guard try execute(line) else { return }
      }
      // A closed session sends nothing more, and a wait would never end.
      if session.isClosed { break }
      if inputHasEnded {
        try endInput()
        if !session.isClosed { return }
      } else {
        try waitForInput()
      }
    }
    if let loss = session.loss { throw loss }
    throw CommandFailure(
      message: isClosedByOther ? "another client closed the session" : "the daemon closed the session"
    )
  }

  // MARK: Input

  /// Waits for the keyboard and the daemon at once, and reads the available standard input.
  private func waitForInput() throws {
    let isReady = Poll.wait(for: [STDIN_FILENO, daemon.descriptor], timeout: nil)
    if isReady[1] { try session.receive() }
    guard isReady[0] else { return }
    if let chunk = try Console.readChunk(of: STDIN_FILENO, "-") {
      input.append(chunk)
    } else {
      inputHasEnded = true
    }
  }

  /// The next line without its line break; the last line may end with the input instead.
  private func nextLine() throws(CommandFailure) -> String? { try input.next(atEnd: inputHasEnded) }

  /// Leaves the fields that are being edited, so that delayed values take effect, and waits.
  private func endInput() throws(ClientError) {
    for field in edited {
      do {
        try session.blur(field)
      } catch {
        // A member that the schema allows and no field names can be changed, but not left.
        guard case .refused(_, let refusal) = error, refusal.kind == .unknownField else { throw error }
      }
    }
    edited = []
    try waitUntilSettled()
  }

  /// Every run of an effect ends and every tap is answered, so this loop ends, too.
  private func waitUntilSettled() throws(ClientError) {
    try session.receive(until: { session.document.isSettled && taps.openCount == 0 })
  }

  /// Carries out a line; false if the line ends the conversation.
  private func execute(_ line: String) throws -> Bool {
    do {
      switch try InputLine(line) {
      case .change(let field, let value): try change(field, to: value)
      case .insert(let list, let value): try session.insert(into: list, value)
      case .remove(let row): try session.remove(row)
      case .move(let row, let position): try session.move(row, to: position)
      case .toggle(let field, let value): try session.toggle(field, value)
      case .fail(let field, let message): try session.fail(field, message)
      case .focus(let field): try session.focus(field)
      case .blur(let field):
        try session.blur(field)
        edited.removeAll { $0 == field }
      case .step(let step): try session.show(step: step)
      case .tap(let action): try tap(action)
      case .cancel(let action): try session.cancel(action)
      case .undo: try session.undo()
      case .redo: try session.redo()
      case .locale(let locale): try session.setLocale(locale)
      case .context(let context): try session.setContext(context)
      case .reset(let field?):
        try session.reset(field: field)
        edited.removeAll { $0 == field }
      case .reset(nil):
        try session.reset()
        edited = []
      case .wait: try waitUntilSettled()
      case .show: showDocument()
      case .help: printsJSON ? Console.report(InputLine.summary) : Console.say(InputLine.summary)
      case .quit: return false
      case .nothing: break
      }
    } catch let error as InputLine.SyntaxError {
      refused(error.description)
    } catch let error as ClientError {
      switch error {
      case .refused, .outcomeUnknown: refused(error.description)
      default: throw error
      }
    }
    return true
  }

  private func change(_ address: String, to value: JSON) throws(ClientError) {
    try session.change(address, to: value)
    // The address of a value within a field's value is a JSON Pointer that begins with the field's name.
    let field = address.hasPrefix("/") ? JSONPointer(address)?.tokens.first ?? address : address
    if !edited.contains(field) { edited.append(field) }
  }

  private func tap(_ action: String) throws(ClientError) {
    // The daemon limits the number of requests in flight.
    try session.receive(until: { taps.openCount < Limit.requestsInFlightMax.standard })
    let number = taps.sent()
    let attempts = session.document.action(action)?.attempts
    var isDone = false
    try session.tap(action) { [unowned self] result in
      isDone = true
      tapEnded(number, result)
    }
    // The immediate effects of the tap arrive before the answer to the next request.
    try daemon.ping()
    try session.receive()
    // A tap makes all delayed values take effect.
    edited = []
    let hasBegun = session.document.action(action)?.attempts != attempts
    if !printsJSON, !isDone, !hasBegun { Console.say("  the tap was held") }
  }

  private func tapEnded(_ number: Int, _ result: Result<ActionEvent?, ClientError>) {
    switch result {
    case .success(let event):
      taps.ended(number, event?.kind)
      if event == nil, !printsJSON { Console.say("  the tap was dropped") }
    case .failure(let error):
      taps.ended(number, nil)
      refused(error.description)
    }
  }

  private func refused(_ message: String) {
    Console.complain(message)
    hasRefusedLine = true
  }

  // MARK: Output

  private func arrived(_ change: FormSession.Change) {
    if case .closed(.closed) = change { isClosedByOther = true }
    guard printsJSON else {
      for line in ChangePrinter().lines(for: change) { Console.say(line) }
      return
    }
    // The new document came in an answer, which is not printed.
    if case .replaced = change { showDocument() }
  }

  /// Prints the document. As JSON it has its revision, so that a program can merge the patches that follow.
  private func showDocument(with values: JSONObject? = nil, key: String? = nil) {
    let document = session.document.json
    guard printsJSON else { return Console.say(document) }
    let snapshot = PrintedSession(
      session: session.number,
      revision: session.revision,
      document: document,
      values: values,
      key: key
    )
    Console.say(snapshot.json, compact: true)
  }
}
