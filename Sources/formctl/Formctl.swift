internal import ArgumentParser
internal import Client
internal import FormProtocol
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// The command line companion of `formd`.
@main
struct Formctl: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formctl",
    abstract: "Talk to formd, and check forms without it.",
    discussion: """
      A daemon is found by --socket, else by FORMD_SOCKET, else at
      $XDG_RUNTIME_DIR/formd/formd.sock; without that variable in /run/user/UID, else
      in /tmp/formd-UID.

      try a form by hand:       formctl run login
      check definitions:        formctl check forms/*.form.json
      validate once:            echo '{"email":"kim@"}' | formctl validate login -
      ask on the terminal:      formctl fill deploy
      submit once, in scripts:  formctl submit feedback --values feedback.json
      call any method:          formctl call \(Method.serverInfo.wireName)
      completion (bash, zsh, fish; scripts/install does it for you):
        formctl --generate-completion-script bash > FOLDER/formctl

      Exit status: 0 yes or done, 1 no (invalid, an action did not succeed, a check
      found errors, a replay differed), 2 trouble (no daemon, a file that cannot be
      read, a wrong command line).
      """,
    version: "0.1.0",
    subcommands: allCommands
  )

  static func main() {
    StandardDescriptors.openMissing()
    do {
      var command = try parseAsRoot(ExprCommand.separated(Array(CommandLine.arguments.dropFirst())))
      try command.run()
    } catch let error as ClientError {
      Console.complain("\(error)")
      Formctl.exit(withError: ExitCode(2))
    } catch let error as CommandFailure {
      Console.complain(error.message)
      Formctl.exit(withError: ExitCode(2))
    } catch {
      guard Formctl.exitCode(for: error) == .validationFailure else { Formctl.exit(withError: error) }
      // ArgumentParser ends with EX_USAGE (64), but for scripts all trouble is alike.
      Console.report(Formctl.fullMessage(for: error))
      Formctl.exit(withError: ExitCode(2))
    }
  }

  /// In the order of `--help`.
  private static var allCommands: [any ParsableCommand.Type] {
    [
      CheckCommand.self, ValidateCommand.self, ExplainCommand.self, RunCommand.self, FillCommand.self,
      SubmitCommand.self,
      PlayCommand.self, TestCommand.self, RecordCommand.self, ListCommand.self, CallCommand.self, PingCommand.self,
      StartCommand.self, TopCommand.self, SessionsCommand.self, ProvidersCommand.self, DisconnectCommand.self,
      MetricsCommand.self,
      ExprCommand.self, FunctionsCommand.self, SchemaCommand.self, LspCommand.self,
    ]
  }
}

/// Something that could not be done: exit status 2, with what happened, where, and what to do.
struct CommandFailure: Error {
  var message: String

  /// A failure of that message.
  init(message: String) {
    self.message = message
  }

  /// A failure of which a file is the cause.
  init(_ diagnostic: Diagnostic) {
    message = diagnostic.description
  }
}

/// Refuses a time that nobody waits for.
///
/// - Throws: `ValidationError` when the time is not from a millisecond to some ten days.
func validateSeconds(_ seconds: Double, option: String) throws {
  guard (0.001...1_000_000).contains(seconds) else {
    throw ValidationError("\(option) must be from 0.001 to 1000000 seconds.")
  }
}

/// Where the daemon is.
struct ConnectionOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The daemon's socket.",
      discussion: "Default: FORMD_SOCKET, else the daemon's own default (see formctl --help)."
    ),
    completion: .file()
  )
  var socket: String?

  /// Connects, or says how to start a daemon. A command ends with its connection, unless it says otherwise.
  func connect() throws(ClientError) -> FormConnection {
    let connection = try FormConnection(to: .forClient(named: socket))
    connection.patience = .zero
    return connection
  }
}
