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
    abstract: "Start a daemon if none is there, and print its socket.",
    discussion: """
      Programs that need a daemon, and do not care who has started it, begin with

        export FORMD_SOCKET="$(formctl start)"

      A daemon that answers is left as it is. Otherwise formd is started (the one
      beside formctl, else the first in PATH), and the line is printed when it
      takes clients. It stays when formctl and the terminal are gone: kill it, or
      let it end by itself with --idle-exit. Its log is
      $XDG_STATE_HOME/formd/formd.log, else ~/.local/state/formd/formd.log. A log of
      1 MiB becomes formd.log.1, in the place of the one before, when a daemon is
      started.

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
    if try isThere(socket) {
      if config != nil || !forms.isEmpty || idleExit != nil {
        Console.complain("a daemon is there already, at \(socket.path): it keeps its own forms and configuration")
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
        throw CommandFailure(message: "formd did not start; it said\n\(lastWords)\n(all of it: \(start.logPath))")
      }
    case .takesTooLong:
      throw CommandFailure(message: "formd was started and is not ready after a minute; see \(start.logPath)")
    }
    guard try isThere(socket) else {
      throw CommandFailure(message: "formd was started and does not answer at \(socket.path); see \(start.logPath)")
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
