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
      """
      Says where each mistake is (file:line:column) and what to write instead. Exit status 1 if there is any. A form that \
      names a service or database that the configuration does not have is a warning, and so is a query that its database \
      does not take.
      """
  )

  @Argument(help: "The configuration file, as with --config.", completion: .file(extensions: ["json"]))
  var file: String?
  @OptionGroup var options: ConfigurationOptions
  @Flag(help: "Let warnings fail too.") var strict = false

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
