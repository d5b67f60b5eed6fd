internal import ArgumentParser
internal import Daemon
internal import Files
internal import FormProtocol
internal import JSON
internal import Processes
internal import Server

/// The program `formd`.
package enum FormdProgram {
  /// Does what the arguments say; nil: what the command line says. On the first thread, before there is another one.
  @MainActor package static func main(_ arguments: [String]? = nil) async {
    StandardDescriptors.openMissing()
    FreeMemory.setLimits()
    await Formd.main(arguments)
  }
}

/// The daemon's command line.
struct Formd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formd",
    abstract: "Keeps live form sessions for programs that can write a line of JSON to a Unix socket.",
    discussion: """
      A form is defined once, as data (NAME.form.json). Clients open sessions of the form, and send what their users \
      do. The daemon sends them exactly what changed. Talk to the daemon with formctl, or by hand, as in this example.

        formd serve --forms protocol/examples &
        echo '\(FormListParams().requestText(id: 1))' | nc -NU $XDG_RUNTIME_DIR/formd/formd.sock

      Exit status: 0 the daemon ended in order or nothing is wrong, 1 the daemon could not start or check-config found \
      mistakes, 2 the configuration cannot be used, 64 the command line was wrong.
      """,
    version: FormServer.version,
    subcommands: [Serve.self, CheckConfig.self, OpenRPC.self],
    defaultSubcommand: Serve.self
  )
}
