internal import ArgumentParser
internal import Client
internal import JSON
internal import JSONRPC

/// `formctl play`: repeats a recorded conversation.
struct PlayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Replay a transcript against the daemon and compare the answers.",
    discussion: """
      A transcript has one JSON object per line: {"at": MILLISECONDS, "dir": "->" or
      "<-", "frame": {...}}; see protocol/transcripts/README.md. The command sends
      each sent frame again at its time. It waits for the received frames in their
      order and compares them: the daemon's frame must have every member of the
      recorded frame, with the recorded value. A refusal that was not recorded ends
      the replay. Session numbers are translated. Arrival times are not compared,
      because a real daemon has no virtual time.

      With --speed 0, each frame is sent as soon as all frames before it have come. If
      the form uses no timer, the replay then does not depend on the machine's speed.

      Exit status: 0 no difference, 1 differences, 2 the transcript cannot be read or
      the connection failed.

        formctl play protocol/transcripts/login.jsonl
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The transcript, or - for standard input.", completion: .file()) var transcript: String
  @Option(
    help: ArgumentHelp(
      "How much faster than recorded; 0: send each frame as soon as all frames before it have come.",
      valueName: "factor"
    )
  ) var speed =
    1.0
  @Option(help: ArgumentHelp("How long to wait for each recorded frame.", valueName: "seconds")) var patience = 10.0
  @Flag(name: [.short, .long], help: "Print every frame.") var verbose = false

  func validate() throws {
    guard speed == 0 || (0.001...1_000_000).contains(speed) else {
      throw ValidationError("--speed must be 0, or from 0.001 to 1000000.")
    }
    try validateSeconds(patience, option: "--patience")
  }

  func run() throws {
    let steps = try TranscriptStep.read(try Console.readFile(transcript), file: transcript)
    let daemon = try connection.connect()
    if verbose { daemon.onText = { kind, text in Console.say((kind == .sent ? "-> " : "<- ") + text) } }
    var methods: [JSON: String] = [:]
    let clock = ContinuousClock()
    let start = clock.now
    var comparison = FrameComparison()
    var differences = 0
    for step in steps {
      let location = "\(transcript):\(step.line)"
      switch step.direction {
      case .sent:
        if speed > 0 {
          let due = start + .milliseconds(Double(step.at) / speed)
          _ = Poll.wait(for: [], timeout: max(due - clock.now, .zero))
        }
        if let id = step.frame.id { methods[id] = step.frame.method }
        try daemon.send(comparison.translated(step.frame))
      case .received:
        guard let actual = try daemon.nextFrame(within: .seconds(patience)) else {
          Console.complain("\(location): no frame came within \(patience) s; expected \(step.frame.json)")
          throw ExitCode(1)
        }
        if step.frame.error == nil, let error = actual.error {
          let method = actual.id.flatMap { methods[$0] } ?? "a message"
          Console.complain("\(location): the daemon refused \(ClientError.refused(method: method, RemoteError(error)))")
          // After a refused frame, the rest cannot be as recorded, or come in the recorded order.
          throw ExitCode(1)
        }
        for difference in comparison.differences(expected: step.frame, actual: actual) {
          Console.complain("\(location): \(difference)")
          differences += 1
        }
      }
    }
    if differences > 0 { throw ExitCode(1) }
    Console.say("\(transcript): \(steps.count) frames, no difference")
  }
}
