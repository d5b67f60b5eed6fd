internal import ArgumentParser
internal import Client
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// `formctl run`: a form by hand, or from a pipe.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Open a session and play its user: lines in, changes out.",
    discussion: """
      \(InputLine.summary)

      Every change of the document is printed as it arrives, a line for each fact;
      what an action came to starts with *. From a pipe, the end of input ends the
      session once nothing is under way:

        printf '%s\\n' email=kim@example.com password=hunter2 'tap login' |
          formctl run login

      With --json, the notifications are printed as they are, one per line, and
      nothing else. Exit status: 0, or 2 when a line was not understood or the
      daemon refused it (in a pipe; by hand it goes on).
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The form's name.") var form: String
  @Option(help: "The language of the texts.") var locale: String?
  @Option(help: ArgumentHelp("Initial values: a JSON object, or a file that holds one.", valueName: "json|file"))
  var values: String?
  @Option(help: ArgumentHelp("always: every message from the beginning, whatever the form says.", valueName: "always"))
  var show: String?
  @Flag(help: "Print notifications as JSON lines.") var json = false

  func run() throws {
    var options: JSONObject = [:]
    if let locale { options["locale"] = .string(locale) }
    if let show { options["show"] = .string(show) }
    if let values {
      options["values"] = try values.hasPrefix("{") ? Self.parse(values) : Console.readJSON(values)
    }
    let daemon = try connection.connect()
    let session = try FormSession(opening: form, options: options, on: daemon)
    let isByHand = isatty(STDIN_FILENO) == 1
    let printer = ChangePrinter()
    let taps = OpenTaps()
    if json {
      daemon.onLine = { isSent, line in
        if !isSent, line.contains("\"method\":") { Console.say(line) }
      }
      session.onChange = { taps.saw($0) }
    } else {
      Console.say(session.document)
      if isByHand { Console.say("type help for what can be typed") }
      session.onChange = { change in
        taps.saw(change)
        for line in printer.lines(for: change) { Console.say(line) }
      }
    }
    try converse(session: session, daemon: daemon, taps: taps, isByHand: isByHand)
  }

  private static func parse(_ text: String) throws -> JSON {
    do {
      return try JSON(parsing: text)
    } catch {
      throw CommandFailure(message: "--values is no JSON: \(error)")
    }
  }

  /// Waits on the keyboard and the daemon at once until the input ends.
  private func converse(session: FormSession, daemon: FormConnection, taps: OpenTaps, isByHand: Bool) throws {
    var input: [UInt8] = []
    var hasInput = true
    var failed = false
    while !session.isClosed {
      // What came together with an answer is here already, and no descriptor tells of it.
      try session.receive()
      while let newline = input.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: input[..<newline], as: UTF8.self)
        input.removeFirst(newline + 1)
        guard try perform(line, session: session, daemon: daemon, taps: taps, failed: &failed) else {
          return try end(failed, isByHand)
        }
      }
      if !hasInput {
        if !input.isEmpty {
          let line = String(decoding: input, as: UTF8.self)
          input = []
          guard try perform(line, session: session, daemon: daemon, taps: taps, failed: &failed) else { break }
        }
        try waitUntilSettled(session, daemon, taps)
        break
      }
      let ready = Poll.wait(for: [STDIN_FILENO, daemon.descriptor], timeout: nil)
      if ready[1] { try session.receive() }
      if ready[0] {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = read(STDIN_FILENO, &chunk, chunk.count)
        if count < 0 && errno == EINTR { continue }
        if count <= 0 { hasInput = false } else { input += chunk[..<count] }
      }
    }
    try end(failed, isByHand)
  }

  private func end(_ failed: Bool, _ isByHand: Bool) throws {
    if failed && !isByHand { throw ExitCode(2) }
  }

  /// Every run of an effect ends and every tap comes to something, so this ends too.
  private func waitUntilSettled(_ session: FormSession, _ daemon: FormConnection, _ taps: OpenTaps) throws {
    try session.receive()
    while !(session.isSettled && taps.count == 0) && !session.isClosed {
      _ = Poll.wait(for: [daemon.descriptor], timeout: nil)
      try session.receive()
    }
  }

  /// Does what a line says; false when it says to end.
  private func perform(
    _ line: String,
    session: FormSession,
    daemon: FormConnection,
    taps: OpenTaps,
    failed: inout Bool
  ) throws -> Bool {
    do {
      switch try InputLine(line) {
      case .change(let field, let value): try session.change(field, to: value)
      case .focus(let field): try session.input("field/focus", ["field": .string(field)])
      case .blur(let field): try session.input("field/blur", ["field": .string(field)])
      case .tap(let action):
        let answer = try session.input("action/tap", ["action": .string(action)])
        taps.count += 1
        if !json, let outcome = answer["outcome"]?.stringValue, outcome != "started" {
          Console.say("  the tap was \(outcome)\(Self.because(answer))")
        }
      case .reset: try session.input("session/reset")
      case .wait: try waitUntilSettled(session, daemon, taps)
      case .show: Console.say(session.document)
      case .help: Console.say(InputLine.summary)
      case .quit: return false
      case .nothing: break
      }
    } catch let fault as InputLine.Fault {
      Console.complain(fault.description)
      failed = true
    } catch let error as ClientError {
      guard case .refused = error else { throw error }
      Console.complain("\(error)")
      failed = true
    }
    return true
  }

  private static func because(_ answer: JSON) -> String {
    let blockers = (answer["blockers"]?.arrayValue ?? []).map { blocker in
      [blocker["field"]?.stringValue, blocker["code"]?.stringValue].compactMap(\.self).joined(separator: ": ")
    }
    return blockers.isEmpty ? "" : " (\(blockers.joined(separator: ", ")))"
  }
}

/// The taps that have come to nothing yet: each gets exactly one event, perhaps before its answer.
private final class OpenTaps {
  var count = 0

  func saw(_ change: FormSession.Change) {
    switch change {
    case .updated(_, let events, _): count -= events.count
    // The document was fetched anew because something was lost, events perhaps among it.
    case .replaced: count = 0
    case .closed, .other: break
    }
  }
}
