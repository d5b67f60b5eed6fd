internal import ArgumentParser
internal import Client
internal import FormProtocol

/// `formctl sessions`: lists the kept sessions, or ends one.
struct SessionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sessions",
    abstract: "List the kept sessions, or end one.",
    discussion: """
      Kept sessions outlive their clients. The list starts with the oldest session. It
      shows each session's form, age, number of attached connections and size in
      memory, and when it ends if no client attaches. The daemon never shows the keys.

      With --end it ends one session, even if clients have it. The daemon notifies
      these clients. Nobody can attach to the session again, and a store no longer
      has it.
      Exit status 2 if the daemon has no session with that number.

        formctl sessions
        formctl sessions --json | jq '.[] | select(.connections == 0)'
        formctl sessions --end 7
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var listing: ListingOptions
  @Option(help: ArgumentHelp("End the session of this number instead.", valueName: "session")) var end: Int64?

  func run() throws {
    if let end { return try connection.connect().endKeptSession(end, timeout: .seconds(10)) }
    let statistics = try connection.connect().stats(keptSessions: listing.count, timeout: .seconds(10))
    if listing.json { return Console.say(statistics.kept.json) }
    Console.say(KeptSessionsView(statistics).lines.joined(separator: "\n"))
  }
}
