internal import Actions
internal import ArgumentParser
internal import Configuration
internal import Daemon
internal import FormProtocol
internal import JSON
internal import Processes
internal import Server
internal import SourceTexts

/// `formd check-config`.
struct CheckConfig: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-config",
    abstract: "Checks the configuration and all forms, and starts nothing.",
    discussion:
      """
      Prints the place of each mistake (file:line:column) and what to write instead. The exit status is 1 if there is \
      a mistake, and 2 if the configuration file cannot be used. It refuses what formd serve refuses at its start, with \
      the same message, so run it as the daemon's user. It warns about forms that name services or databases that are \
      not configured, about queries that their database refuses, and about secrets in a file that other users may read.

      With --connect, it also connects to each service (with TLS for https, and without a request), to each database \
      and to the store, and prints each outcome. A connection that fails is a problem.
      """
  )

  @Argument(help: "The configuration file, as with --config.", completion: .file(extensions: ["json"]))
  var file: String?
  @OptionGroup var options: ConfigurationOptions
  @Flag(help: "Also fail if there are warnings.") var strict = false
  @Flag(help: "Also connect to the services, the databases and the store.") var connect = false

  func validate() throws {
    if file != nil, options.config != nil { throw ValidationError("name one configuration file") }
  }

  func run() async throws {
    var options = options
    options.config = file ?? options.config
    let configuration = try options.load()
    let reading = FormCatalog.read(folders: configuration.forms, for: configuration)
    var problems = configuration.problems.map(\.description)
    problems += reading.unreadFolders.map { StartError(ofFolder: $0.path, $0.error).description }
    problems += reading.problems.filter { problem in
      !reading.unreadFolders.contains { $0.path == problem.file }
    }.map(\.description)
    let warnings = (configuration.warnings + reading.warnings).map(\.description)
    for problem in problems + warnings { print(problem) }
    if connect {
      for trial in await ConnectionTrial.all(of: configuration) {
        print(trial)
        if trial.problem != nil { problems.append(trial.description) }
      }
    }
    print(
      [
        count(reading.catalog.forms.count, "form"), count(problems.count, "problem"), count(warnings.count, "warning"),
      ].joined(separator: ", ")
    )
    if !problems.isEmpty || (strict && !warnings.isEmpty) { throw ExitCode(1) }
  }

  /// `1 form`, `2 forms`.
  private func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
