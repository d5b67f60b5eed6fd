internal import ArgumentParser
internal import Client

/// `formctl disconnect`: ends a client's connection.
struct DisconnectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "disconnect",
    abstract: "End a client's connection, with its sessions.",
    discussion: """
      The client is told so, if it reads, and may connect again. Exit status 2 when
      nobody has that number.

        formctl disconnect 7
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: ArgumentHelp("The connection's number, as formctl top shows it.", valueName: "id")) var number: Int64

  func run() throws {
    try connection.connect().disconnect(number, timeout: .seconds(10))
  }
}
