internal import ArgumentParser
internal import Client
internal import FormProtocol

/// `formctl sessions`: the sessions that are kept.
struct SessionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions",
    abstract: "List the sessions that are kept when their clients go.",
    discussion: """
      The oldest first: their forms, how long ago they were opened, how many
      connections have them now, when they end if nobody comes, and what they take
      in memory. Their keys the daemon tells nobody.

        formctl sessions
        formctl sessions --json | jq '.[] | select(.connections == 0)'
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Option(help: "How many to list, 1 to 10000.") var count = 100
  @Flag(help: "Print what the daemon tells of them as JSON.") var json = false

  func validate() throws {
    guard (1...10_000).contains(count) else { throw ValidationError("--count must be from 1 to 10000.") }
  }

  func run() throws {
    let statistics = try connection.connect().stats(keptSessions: count, timeout: .seconds(10))
    if json { return Console.say(statistics.kept.json) }
    Console.say(KeptSessionsView(statistics).lines.joined(separator: "\n"))
  }
}
