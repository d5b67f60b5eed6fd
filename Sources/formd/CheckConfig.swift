internal import Actions
internal import ArgumentParser
internal import Server

/// `formd check-config`.
struct CheckConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-config",
    abstract: "Checks the configuration and all forms, and starts nothing.",
    discussion:
      """
      Says where each mistake is (file:line:column) and what to write instead. Exit status 1 if there is any. A form that \
      names a service or database that the configuration does not have is a warning.
      """
  )

  @OptionGroup var options: ConfigurationOptions
  @Flag(help: "Let warnings fail too.") var strict = false

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
    let reading = FormCatalog.read(folders: configuration.forms, configured: configuration.capabilities)
    problems += reading.problems
    for problem in problems + reading.warnings { print(problem) }
    print("\(reading.catalog.forms.count) forms, \(problems.count) problems, \(reading.warnings.count) warnings")
    if !problems.isEmpty || (strict && !reading.warnings.isEmpty) { throw ExitCode(1) }
  }
}
