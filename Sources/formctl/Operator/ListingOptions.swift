internal import ArgumentParser

/// The format of a list from the daemon.
struct ListingOptions: ParsableArguments {
  @Option(help: "How many to list, 1 to 10000.") var count = 100
  @Flag(help: "Print the daemon's answer as JSON.") var json = false

  func validate() throws {
    guard (1...10_000).contains(count) else { throw ValidationError("--count must be from 1 to 10000.") }
  }
}
