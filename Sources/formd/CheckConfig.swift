internal import Actions
internal import ArgumentParser
internal import FormProtocol
internal import JSON
internal import Server

/// `formd check-config`.
struct CheckConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-config",
    abstract: "Checks the configuration and all forms, and starts nothing.",
    discussion:
      "Says where each mistake is (file:line:column) and what to write instead. Exit status 1 if there is any."
  )

  @OptionGroup var options: ConfigurationOptions

  func run() throws {
    let configuration = try options.load()
    var problems: [String] = []
    if let socket = configuration.socket {
      do {
        _ = try SocketPath(socket)
      } catch {
        problems.append(error.description)
      }
    }
    let reading = FormCatalog.read(folders: configuration.forms)
    problems += reading.problems.map(\.description)
    for problem in problems { print(problem) }
    print("\(reading.catalog.forms.count) forms, \(problems.count) problems")
    if !problems.isEmpty { throw ExitCode(1) }
  }
}
