internal import ArgumentParser
internal import Client
internal import FormProtocol

/// `formctl providers`: lists the providers that are connected to the daemon.
struct ProvidersCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "providers",
    abstract: "List the registered providers.",
    discussion: """
      For each name, the command prints how many clients are registered, how many the
      configuration allows ("holders"), and how many requests have no answer yet.

        formctl providers
        formctl providers --json | jq '.[] | select(.holders < .holdersMax)'
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @OptionGroup var listing: ListingOptions

  func run() throws {
    let statistics = try connection.connect().stats(providers: listing.count, timeout: .seconds(10))
    if listing.json { return Console.say(statistics.providers.json) }
    let entries = statistics.providers.map { ["\($0.holders)", "\($0.holdersMax)", "\($0.questions)", $0.name] }
    let table = TextTable(head: ["CLIENTS", "OF", "QUESTIONS", "PROVIDER"], entries: entries)
    Console.say(table.lines.joined(separator: "\n"))
  }
}
