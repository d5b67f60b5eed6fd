internal import ArgumentParser
internal import Client
internal import FormProtocol

/// `formctl start`: a daemon, if there is none.
struct StartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Start a daemon if none is there, and print its socket.",
    discussion: """
      Programs that need a daemon, and do not care who has started it, begin with

        export FORMD_SOCKET="$(formctl start)"

      A daemon that answers is left as it is. Otherwise formd is started (the one
      beside formctl, else the first in PATH), and the line is printed when it
      takes clients. It stays when formctl and the terminal are gone: kill it, or
      let it end by itself with --idle-exit. Its log is
      $XDG_STATE_HOME/formd/formd.log, else ~/.local/state/formd/formd.log.

      Exit status: 0 a daemon is there, 2 it could not be started.
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Option(
    help: ArgumentHelp(
      "The configuration of a daemon that is started.",
      discussion: "Else the user's own, if there is one."
    ),
    completion: .file(extensions: ["json"])
  )
  var config: String?
  @Option(help: "A folder with forms for a daemon that is started; may be repeated.", completion: .directory)
  var forms: [String] = []
  @Option(help: "Let a daemon that is started end when nobody was connected for so many seconds.") var idleExit: Double?

  func validate() throws {
    if let idleExit { try validateSeconds(idleExit, option: "--idle-exit") }
  }

  func run() throws {
    let socket = SocketPath.forClient(named: connection.socket)
    if try isThere(socket) { return found(socket) }
    let start = try DaemonStart()
    if try isThere(socket) { return found(socket) }
    var arguments = ["--socket", socket.path]
    if let config { arguments += ["--config", config] }
    for folder in forms { arguments += ["--forms", folder] }
    if let idleExit { arguments += ["--idle-exit", String(idleExit)] }
    switch try start.run(arguments) {
    case .isReady: Console.say(socket.path)
    case .ended(let lastWords):
      throw CommandFailure(message: "formd did not start; it said\n\(lastWords)\n(all of it: \(start.logPath))")
    case .takesTooLong:
      throw CommandFailure(message: "formd was started and is not ready after a minute; see \(start.logPath)")
    }
  }

  /// A daemon answers.
  private func found(_ socket: SocketPath) {
    if config != nil || !forms.isEmpty || idleExit != nil {
      Console.complain("a daemon is there already, at \(socket.path): it keeps its own forms and configuration")
    }
    Console.say(socket.path)
  }

  /// Whether a daemon answers there.
  private func isThere(_ socket: SocketPath) throws(ClientError) -> Bool {
    do {
      try FormConnection(to: socket).ping(timeout: .seconds(10))
      return true
    } catch .notRunning {
      return false
    }
  }
}
