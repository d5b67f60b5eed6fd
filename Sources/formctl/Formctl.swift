internal import ArgumentParser
internal import Client
internal import Files
internal import FormProtocol
internal import JSON
internal import SourceTexts
internal import Texts

#if canImport(Glibc)
  internal import Glibc
#endif

/// The program `formctl`.
package enum FormctlProgram {
  /// Does what the arguments say; nil: what the command line says.
  package static func main(_ arguments: [String]? = nil) {
    StandardDescriptors.openMissing()
    Formctl.run(arguments ?? Array(CommandLine.arguments.dropFirst()))
  }
}

/// The command line companion of `formd`.
struct Formctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formctl",
    abstract: "Talk to formd, and check forms without it.",
    discussion: """
      formctl connects to the socket of --socket, else of FORMD_SOCKET, else to
      $XDG_RUNTIME_DIR/formd/formd.sock. If that variable is not set, the socket is
      in /run/user/UID/formd, or in /tmp/formd-UID if /run/user/UID does not exist.

      try a form by hand:       formctl run login
      check definitions:        formctl check forms/*.form.json
      validate once:            echo '{"email":"kim@"}' | formctl validate login -
      ask on the terminal:      formctl fill deploy
      submit once, in scripts:  formctl submit feedback --values feedback.json
      call any method:          formctl call \(Method.serverInfo.wireName)
      completion (bash, zsh, fish; scripts/install sets it up):
        formctl --generate-completion-script bash > FOLDER/formctl

      Exit status: 0 success, 1 a negative result (values are invalid, an action did
      not succeed, a check found errors, a replay differed), 2 the command could not
      be carried out (no daemon, an unreadable file, a wrong command line).
      """,
    version: "0.1.0",
    subcommands: allCommands
  )

  fileprivate static func run(_ arguments: [String]) {
    do {
      try checkCommand(arguments.first)
      var command = try parseAsRoot(ExprCommand.separated(arguments))
      try command.run()
    } catch let error as ClientError {
      Console.complain("\(error)")
      Formctl.exit(withError: ExitCode(2))
    } catch let error as CommandFailure {
      Console.complain(error.message)
      Formctl.exit(withError: ExitCode(2))
    } catch {
      guard Formctl.exitCode(for: error) == .validationFailure else { Formctl.exit(withError: error) }
      // ArgumentParser exits with EX_USAGE (64), but this program has the same exit status for all problems.
      Console.report(Formctl.fullMessage(for: error))
      Formctl.exit(withError: ExitCode(2))
    }
  }

  /// ArgumentParser takes the name of an unknown command for an argument, and complains of the options behind it.
  private static func checkCommand(_ name: String?) throws(CommandFailure) {
    let names = allCommands.compactMap { $0.configuration.commandName }
    guard let name, !name.hasPrefix("-"), name != "help", !names.contains(name) else { return }
    let closest = closestName(to: name, among: names).map { "did you mean \($0)? " } ?? ""
    throw CommandFailure(message: "there is no command \(name); \(closest)formctl --help lists the commands")
  }

  /// The commands in the order of `--help`.
  private static var allCommands: [any ParsableCommand.Type] {
    [
      CheckCommand.self, ValidateCommand.self, ExplainCommand.self, RunCommand.self, FillCommand.self,
      SubmitCommand.self,
      StudioCommand.self,
      PlayCommand.self, TestCommand.self, RecordCommand.self, CICommand.self, ListCommand.self, CallCommand.self,
      PingCommand.self, StartCommand.self, ReloadCommand.self, TopCommand.self, SessionsCommand.self,
      ProvidersCommand.self,
      DisconnectCommand.self, BackupCommand.self, MetricsCommand.self,
      ExprCommand.self, FunctionsCommand.self, SchemaCommand.self, ImportCommand.self, ExportCommand.self,
      LspCommand.self, ClientKitCommand.self,
    ]
  }
}

/// A failure of a command: exit status 2, with a message that says what happened, where, and what to do.
struct CommandFailure: Error {
  var message: String

  init(message: String) {
    self.message = message
  }

  /// A failure that a file causes.
  init(_ diagnostic: Diagnostic) {
    message = diagnostic.description
  }
}

/// Refuses a time limit out of bounds.
///
/// - Throws: `ValidationError` if the time is not between one millisecond and about ten days.
func validateSeconds(_ seconds: Double, option: String) throws {
  guard (0.001...1_000_000).contains(seconds) else {
    throw ValidationError("\(option) must be from 0.001 to 1000000 seconds.")
  }
}

/// The address of the daemon.
struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The daemon's socket.",
      discussion: "Default: FORMD_SOCKET, else the daemon's own default (see formctl --help)."
    ),
    completion: .file()
  )
  var socket: String?

  /// Connects, or explains how to start a daemon. The command ends when the connection ends, unless it sets a longer
  /// patience.
  func connect() throws(ClientError) -> FormConnection {
    let connection = try FormConnection(to: .forClient(named: socket))
    connection.patience = .zero
    return connection
  }
}
