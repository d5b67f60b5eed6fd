internal import ArgumentParser
internal import Client

/// `formctl disconnect`: ends a client's connection.
struct DisconnectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disconnect",
    abstract: "End a client's connection and its sessions.",
    discussion: """
      If the client reads, the daemon notifies it first. The client may connect again.
      Exit status 2 if no connection has that number.

        formctl disconnect 7
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: ArgumentHelp("The connection's number: the ID in formctl top.", valueName: "id")) var number: Int64

  func run() throws {
    try connection.connect().disconnect(number, timeout: .seconds(10))
  }
}
