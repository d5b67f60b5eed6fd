internal import ArgumentParser
internal import Client
internal import FormProtocol
internal import JSON

/// `formctl call`: calls any method once.
struct CallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call",
    abstract: "Call any method and print its result.",
    discussion: """
      The params are a JSON object, or - to read it from standard input. The command
      prints the result: indented on a terminal, on one line in a pipe. With
      --verbose it prints notifications that arrive before the result to standard
      error. It prints a JSON-RPC error to standard error, and ends with status 2.

        formctl call \(Method.serverInfo.wireName)
        formctl call \(Method.formDescribe.wireName) '\(exampleParams)'
        formctl call \(Method.discover.wireName) | jq '.methods[].name'
      """
  )

  private static var exampleParams: JSON { FormDescribeParams.example.params.json }

  @OptionGroup var connection: ConnectionOptions
  @Argument(help: "The method, such as \(Method.serverInfo.wireName).") var method: String
  @Argument(help: "Its params: a JSON object, or - for standard input.") var params: String?
  @Option(help: ArgumentHelp("Give up after this number of seconds.", valueName: "seconds")) var timeout: Double?
  @Flag(name: [.short, .long], help: "Print what is sent and received to standard error.") var verbose = false

  func validate() throws {
    if let timeout { try validateSeconds(timeout, option: "--timeout") }
  }

  func run() throws {
    var object: JSONObject = [:]
    if let params {
      let value: JSON
      if params == "-" {
        value = try Console.readJSON("-")
      } else {
        do {
          value = try JSON(parsing: params)
        } catch {
          throw CommandFailure(
            message: "PARAMS is not valid JSON: \(error)\n  quote it for the shell: '\(Self.exampleParams)'"
          )
        }
      }
      guard let members = value.objectValue else {
        throw CommandFailure(message: "PARAMS is \(value.typeName); write an object: '\(Self.exampleParams)'")
      }
      object = members
    }
    let daemon = try connection.connect()
    if verbose { daemon.onText = { kind, text in Console.complain((kind == .sent ? "→ " : "← ") + text) } }
    Console.say(try daemon.call(method: method, params: object, timeout: timeout.map { .seconds($0) }))
  }
}
