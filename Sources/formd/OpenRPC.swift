internal import ArgumentParser
internal import FormProtocol

/// `formd openrpc`: makes `protocol/openrpc.json`.
struct OpenRPC: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openrpc",
    abstract: "Prints the protocol as an OpenRPC document.",
    shouldDisplay: false
  )

  func run() throws {
    print(OpenRPCDocument.text, terminator: "")
  }
}
