internal import Actions
internal import ArgumentParser
internal import Logging
internal import Server

#if canImport(Glibc)
  internal import Glibc
#endif

/// `formd serve`.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the daemon in the foreground, until SIGTERM or SIGINT.",
    discussion: """
      Logs go to stderr; the line with "listening" says that the socket is there. SIGHUP reads the forms anew: one that is \
      broken is reported and the old one stays, live sessions keep the form they were opened with. A second daemon on the \
      same socket does not start and says which process holds it.
      """
  )

  @OptionGroup var options: ConfigurationOptions

  func run() async throws {
    let configuration = try options.load()
    let logLevel = configuration.logLevel
    let log = LogWriter(descriptor: STDERR_FILENO)
    LoggingSystem.bootstrap { QueuedLogHandler(label: $0, level: logLevel, writer: log) }
    let server = DaemonProcess(configuration: configuration, logger: Logger(label: "formd"))
    do {
      // The last lines have a second to be read: perhaps nobody reads them.
      defer { log.flush(within: .seconds(1)) }
      try await server.run { group, detach in
        let performer = try ActionPerformer(configuration.actions, group: group, detach: detach)
        return RunningPerformer(performer) { await performer.shutdown() }
      }
    } catch let error as StartError {
      complain("formd: \(error.description)")
      throw ExitCode(1)
    } catch let error as ActionsConfigurationError {
      complain("formd: configuration: \(error.description)")
      throw ExitCode(2)
    }
  }
}
