internal import ArgumentParser
internal import Client
internal import JSON

/// `formctl play`: a recorded conversation, again.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Replay a transcript against the daemon and compare what comes back.",
    discussion: """
      A transcript has one JSON object per line: {"at": MILLISECONDS, "dir": "->" or
      "<-", "frame": {...}}; see protocol/transcripts/README.md. What was sent is
      sent again at its time, what was received is waited for in order and compared:
      every member of the recorded frame must be there with the recorded value.
      Numbers of sessions are translated. The times of what is received are not
      compared (a real daemon has no virtual time).

        formctl play protocol/transcripts/login.jsonl
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The transcript, or - for standard input.", completion: .file()) var transcript: String
  @Option(help: ArgumentHelp("How much faster than recorded; 0 does not wait at all.", valueName: "factor")) var speed =
    1.0
  @Option(help: ArgumentHelp("How long to wait for each recorded frame.", valueName: "seconds")) var patience = 10.0
  @Flag(name: [.short, .long], help: "Print every frame.") var verbose = false

  func validate() throws {
    guard speed >= 0 else { throw ValidationError("--speed must not be negative.") }
    guard patience > 0 else { throw ValidationError("--patience must be positive.") }
  }

  func run() throws {
    let steps = try TranscriptStep.read(try Console.readFile(transcript), file: transcript)
    let daemon = try connection.connect()
    if verbose { daemon.onLine = { isSent, line in Console.say((isSent ? "-> " : "<- ") + line) } }
    let clock = ContinuousClock()
    let start = clock.now
    var comparison = FrameComparison()
    var differences = 0
    for step in steps {
      switch step.direction {
      case .sent:
        if speed > 0 {
          let due = start + .milliseconds(Int64((Double(step.at) / speed).rounded(.up)))
          _ = Poll.wait(for: [], timeout: max(due - clock.now, .zero))
        }
        try daemon.send(comparison.translated(step.frame))
      case .received:
        guard let actual = try daemon.receive(timeout: .seconds(patience)) else {
          throw CommandFailure(
            message: "\(transcript):\(step.line): nothing came within \(patience) s; expected \(step.frame)"
          )
        }
        for difference in comparison.differences(expected: step.frame, actual: actual) {
          Console.complain("\(transcript):\(step.line): \(difference)")
          differences += 1
        }
      }
    }
    if differences > 0 { throw ExitCode(1) }
    Console.say("\(transcript): \(steps.count) frames, no difference")
  }
}
