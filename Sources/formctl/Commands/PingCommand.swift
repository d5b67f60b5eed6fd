internal import ArgumentParser
internal import Client
internal import Texts

/// `formctl ping`: checks that the daemon is there, and how fast it answers.
struct PingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ping",
    abstract: "Check whether the daemon runs, is ready, and how fast it answers.",
    discussion: """
      Prints the daemon's version and instance, and the shortest and the median time
      of the round trips. Exit status 0 if it answers, otherwise 2:

        formctl ping && echo up

      With --ready it prints only whether the daemon is ready for clients. Exit status
      1 if it is not, with the reasons: the store of kept sessions does not answer or
      cannot be written, a form has errors, or the daemon is ending:

        formctl ping --ready
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Option(name: [.short, .long], help: "How many requests to send.") var count = 10

  @Flag(help: "Only check whether the daemon is ready for clients.") var ready = false

  func validate() throws {
    guard (1...1_000_000).contains(count) else { throw ValidationError("--count must be from 1 to 1000000.") }
  }

  func run() throws {
    let daemon = try connection.connect()
    if ready { return try checkReadiness(of: daemon) }
    let info = try daemon.info(timeout: .seconds(10))
    let clock = ContinuousClock()
    var times: [Duration] = []
    for _ in 0..<count {
      let start = clock.now
      try daemon.ping(timeout: .seconds(10))
      times.append(clock.now - start)
    }
    times.sort()
    Console.say("\(info.name) \(info.version), instance \(info.instanceID)")
    Console.say(
      "\(count) round trips: shortest \(Self.milliseconds(times[0])), median \(Self.milliseconds(times[count / 2]))"
    )
  }

  private func checkReadiness(of daemon: FormConnection) throws {
    let reasons = try daemon.ping(timeout: .seconds(10))
    if reasons.isEmpty { return Console.say("ready") }
    for reason in reasons { Console.say("not ready: \(reason.printable)") }
    throw ExitCode(1)
  }

  private static func milliseconds(_ time: Duration) -> String {
    let microseconds = time.components.seconds * 1_000_000 + time.components.attoseconds / 1_000_000_000_000
    let rest = String(microseconds % 1000)
    return "\(microseconds / 1000).\(String(repeating: "0", count: 3 - rest.utf8.count))\(rest) ms"
  }
}
