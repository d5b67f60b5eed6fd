internal import ArgumentParser
internal import Client
internal import FormProtocol

/// `formctl reload`: lets the daemon read its configuration and its forms again.
struct ReloadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Let the daemon read its configuration and its forms again.",
    discussion: """
      The command waits for the end of the reload, and prints what has changed, what
      needs a restart, and the problems. A broken configuration changes nothing.
      Exit status 1 if the daemon refuses the configuration, or if a form is broken.
      The daemon keeps the previous version of a broken form. With --json, the
      command prints the daemon's answer.

        formctl reload
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Flag(help: "Print the daemon's answer unchanged.") var json = false

  func run() throws {
    let daemon = try connection.connect()
    let outcome = try daemon.reload()
    if json {
      Console.say(outcome.json)
    } else {
      for problem in outcome.problems { Console.say("\(problem)") }
      for line in Self.summary(of: outcome) { Console.say(line) }
    }
    if !outcome.isGood { throw ExitCode(1) }
  }

  private static func summary(of outcome: ReloadOutcome) -> [String] {
    guard outcome.reloaded else { return ["the configuration cannot be used, and nothing was changed"] }
    let changes = outcome.changed + outcome.changedForms.map { "the form \($0)" }
    let changed = changes.isEmpty ? "nothing" : changes.joined(separator: ", ")
    let restart = outcome.needRestart.isEmpty ? [] : ["needs a restart: \(outcome.needRestart.joined(separator: ", "))"]
    return ["reloaded \(outcome.formCount) forms; changed: \(changed)"] + restart
  }
}
