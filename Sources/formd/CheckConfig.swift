internal import Actions
internal import ArgumentParser
internal import Configuration
internal import Daemon
internal import FormProtocol
internal import JSON
internal import Server
internal import SourceTexts

/// `formd check-config`.
struct CheckConfig: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check-config",
    abstract: "Checks the configuration and all forms, and starts nothing.",
    discussion:
      """
      Prints the place of each mistake (file:line:column) and what to write instead. The exit status is 1 if there is \
      a mistake. It warns about forms that name services or databases that are not configured, and about queries that \
      their database refuses.
      """
  )

  @Argument(help: "The configuration file, as with --config.", completion: .file(extensions: ["json"]))
  var file: String?
  @OptionGroup var options: ConfigurationOptions
  @Flag(help: "Also fail if there are warnings.") var strict = false

  func validate() throws {
    if file != nil, options.config != nil { throw ValidationError("name one configuration file") }
  }

  func run() throws {
    var options = options
    options.config = file ?? options.config
    let configuration = try options.load()
    var problems: [String] = []
    if let socket = configuration.socket {
      do {
        _ = try SocketPath(socket)
      } catch {
        problems.append(error.description)
      }
    }
    if let problem = configuration.metrics.problem { problems.append(problem) }
    let reading = FormCatalog.read(folders: configuration.forms, for: configuration)
    problems += reading.problems.map(\.description)
    let warnings = reading.warnings.map(\.description)
    for problem in problems + warnings { print(problem) }
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
