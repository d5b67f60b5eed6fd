internal import ArgumentParser
internal import Client
internal import FormProtocol

/// `formctl sessions`: lists the kept sessions.
struct SessionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions",
    abstract: "List the kept sessions.",
    discussion: """
      Kept sessions outlive their clients. The list starts with the oldest session. It
      shows each session's form, age, number of attached connections and size in
      memory, and when it ends if no client attaches. The daemon never shows the keys.

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
