internal import Actions
internal import ArgumentParser
internal import Configuration
internal import Daemon
internal import Files
internal import Logging
internal import Processes
internal import Server

#if canImport(Glibc)
  internal import Glibc
#endif

/// `formd serve`.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the daemon in the foreground, until SIGTERM or SIGINT.",
    discussion: """
      With --stdio, the daemon serves one client on standard input and output, in the same framings as on a socket, \
      and ends with the client. An editor or a script can start such a daemon for itself. Without --stdio, the daemon \
      uses the socket that a service manager passes (LISTEN_FDS, as systemd does), or creates one. When it is ready, \
      it notifies the service manager (NOTIFY_SOCKET). A second daemon on the same socket does not start, and prints \
      which process holds the socket.

      Logs go to stderr; the line with "listening" means that the socket exists.

      SIGHUP (formctl reload) reads the configuration and the forms again. A broken configuration is reported, and \
      changes nothing. Changed settings that need a restart are named: socket, store and metrics. If a form is broken, \
      the daemon reports it and keeps the previous form. Live sessions keep the form with which they were opened. \
      Kept sessions switch to the new form at the first attach after all clients have left.
      """
  )

  @OptionGroup var options: ConfigurationOptions
  @Flag(help: "Serve one client on standard input and output, and end with the client.") var stdio = false
  @Option(
    help: ArgumentHelp(
      "End when no client was connected for this number of seconds.",
      discussion: """
        With a service manager's socket, the daemon starts again at the next connection. Kept sessions prevent the \
        end, unless they are in a store, because the next daemon has them then.
        """,
      valueName: "seconds"
    )
  )
  var idleExit: Double?

  @Option(
    help: ArgumentHelp(
      "Store kept sessions in this SQLite file, so that they survive the daemon. A missing file is created.",
      discussion: "Replaces the store of the configuration. With --stdio, only this option turns on a store.",
      valueName: "file"
    )
  )
  var store: String?

  @Flag(help: "Allow debuggers and core dumps; both show secrets.") var debuggable = false

  func validate() throws {
    if stdio, options.socket != nil || idleExit != nil {
      throw ValidationError("--stdio serves one client and ends with it: leave out --socket and --idle-exit")
    }
    if let idleExit, !(0.001...31_536_000).contains(idleExit) {
      throw ValidationError("--idle-exit must be from 0.001 to 31536000 seconds (a year)")
    }
  }

  /// The configuration of a daemon with these options, given the configuration of its file.
  private func adapted(_ configuration: ServerConfiguration) -> ServerConfiguration {
    var configuration = configuration
    // A daemon that a client starts for itself reads the same configuration file as the daemon that operators watch.
    // So it uses neither the metrics nor the store of that file.
    if stdio {
      configuration.metrics = MetricsConfiguration()
      configuration.store = nil
      configuration.override("metrics")
      configuration.override("store")
    }
    if let store {
      configuration.store = .sqlite(SQLiteStoreConfiguration(path: store))
      configuration.override("store")
    }
    configuration.idleExit = idleExit.map { .milliseconds(Int64($0 * 1_000)) }
    return configuration
  }

  func run() async throws {
    // If a client or a reader of the log goes during a write, that write fails, and the daemon goes on.
    signal(SIGPIPE, SIG_IGN)
    // The default action of SIGHUP would end a daemon that starts. A reload waits until it has.
    let hangUps = await ProcessSignal.stream(of: .hangUp)
    // Before the configuration is read, because it has secrets, too.
    if !debuggable {
      ProcessMemory.hide()
      // OpenSSL's users write the secrets of connections into the file that this names.
      unsetenv("SSLKEYLOGFILE")
    }
    var options = options
    let configuration = adapted(try options.load())
    // A reload reads the file of the start: if it is not there any more, nothing changes.
    options.config = options.file
    let format = LogFormat(
      isJSON: configuration.logsJSON,
      hasPriority: LogFormat.isReadByJournal(STDERR_FILENO)
    )
    let log = LogWriter(descriptor: STDERR_FILENO, level: configuration.logLevel, format: format)
    LoggingSystem.bootstrap { _ in QueuedLogHandler(log) }
    let readAgain = { @Sendable [options] () throws(ConfigurationError) in adapted(try options.read(mayWait: false)) }
    let server = DaemonProcess(
      configuration: configuration,
      readAgain: options.isReadOnce ? nil : readAgain,
      log: log,
      logger: Logger(label: "formd")
    )
    do {
      // The last lines have a second to be read, because it is possible that no process reads them.
      defer { log.flush(within: .seconds(1)) }
      try await server.run(for: stdio ? .standardStreams : .socket, hangUps: hangUps) { actions, offload in
        let performer = ActionPerformer(actions, now: SystemClock.now, offload: offload)
        return RunningPerformer(performer) { await performer.shutdown() }
      }
    } catch let error as StartError {
      complain("formd: \(error.description)")
      throw ExitCode(1)
    }
  }
}
