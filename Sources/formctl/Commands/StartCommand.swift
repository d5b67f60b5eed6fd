internal import ArgumentParser
internal import Client
internal import FormProtocol

#if canImport(Glibc)
  internal import Glibc
#endif

/// `formctl start`: starts a daemon, if none runs.
struct StartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "start",
    abstract: "Start a daemon if none is running, and print its socket.",
    discussion: """
      A program that needs a daemon, whether or not one is running, begins with

        export FORMD_SOCKET="$(formctl start)"

      If a daemon answers, the command does not change it. Otherwise it starts formd
      (the formd beside formctl, else the first in PATH), and prints the socket when
      formd accepts clients. formd keeps running when formctl and the terminal end:
      stop it with kill, or let it end by itself with --idle-exit. Its log is
      $XDG_STATE_HOME/formd/formd.log, else ~/.local/state/formd/formd.log. When a
      daemon is started, a log of 1 MiB or more is renamed to formd.log.1 and replaces
      the previous formd.log.1.

      Exit status: 0 a daemon is running, 2 it could not be started.
      """
  )

  @OptionGroup var connection: ConnectionOptions
  @Option(
    help: ArgumentHelp(
      "The configuration of the started daemon.",
      discussion: "Default: the user's own configuration, if there is one."
    ),
    completion: .file(extensions: ["json"])
  )
  var config: String?
  @Option(help: "A folder with forms for the started daemon; may be repeated.", completion: .directory)
  var forms: [String] = []
  @Option(help: "End the started daemon when no client was connected for this number of seconds.") var idleExit: Double?

  func validate() throws {
    if let idleExit { try validateSeconds(idleExit, option: "--idle-exit") }
  }

  func run() throws {
    let socket = SocketPath.forClient(named: connection.socket)
    if try isThere(socket) {
      if config != nil || !forms.isEmpty || idleExit != nil {
        Console.complain("a daemon already runs at \(socket.path): it keeps its own forms and configuration")
      }
      return Console.say(socket.path)
    }
    // The daemon finds the default path by the same rules, and checks the owner of its folder.
    var arguments: [String] = if case .named = socket.origin { ["--socket", socket.path] } else { [] }
    if let config { arguments += ["--config", config] }
    for folder in forms { arguments += ["--forms", folder] }
    if let idleExit { arguments += ["--idle-exit", String(idleExit)] }
    let start = try DaemonStart()
    switch try start.run(arguments) {
    case .isReady: break
    case .ended(let lastWords):
      // Another daemon for the socket may be starting already.
      guard try waits(for: socket) else {
        throw CommandFailure(
          message: "formd did not start; its last messages:\n\(lastWords)\n(the whole log: \(start.logPath))"
        )
      }
    case .takesTooLong:
      throw CommandFailure(message: "formd was started, but is not ready after a minute; see \(start.logPath)")
    }
    guard try isThere(socket) else {
      throw CommandFailure(message: "formd was started, but does not answer at \(socket.path); see \(start.logPath)")
    }
    Console.say(socket.path)
  }

  /// Whether a daemon answers at the socket.
  private func isThere(_ socket: SocketPath) throws(ClientError) -> Bool {
    do {
      try FormConnection(to: socket).ping(timeout: .seconds(10))
      return true
    } catch .notRunning {
      return false
    }
  }

  /// Waits for a daemon that holds the socket's lock and does not listen yet. No event announces it, so the socket is
  /// polled.
  ///
  /// - Returns: whether the daemon answers; false as soon as the lock is free.
  private func waits(for socket: SocketPath) throws(ClientError) -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
      if try isThere(socket) { return true }
      let lock = open(socket.lockPath, O_RDWR | O_CLOEXEC)
      guard lock >= 0 else { return false }
      let isFree = flock(lock, LOCK_SH | LOCK_NB) == 0
      close(lock)
      if isFree { return try isThere(socket) }
      usleep(20_000)
    }
    return false
  }
}
