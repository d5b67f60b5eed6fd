internal import ArgumentParser
internal import Client
internal import FormProtocol

/// `formctl sessions`: lists the kept sessions.
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
  @OptionGroup var listing: ListingOptions

  func run() throws {
    let statistics = try connection.connect().stats(keptSessions: listing.count, timeout: .seconds(10))
    if listing.json { return Console.say(statistics.kept.json) }
    Console.say(KeptSessionsView(statistics).lines.joined(separator: "\n"))
  }
}
