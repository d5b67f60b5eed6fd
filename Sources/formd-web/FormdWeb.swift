internal import ArgumentParser
internal import Configuration
internal import Files
internal import FormProtocol
internal import Logging
internal import Processes
internal import Server
internal import SourceTexts
internal import WebDoor

#if canImport(Glibc)
  internal import Glibc
#endif

/// The program `formd-web`.
package enum FormdWebProgram {
  /// Does what the arguments say; nil: what the command line says. On the first thread, before there is another one.
  @MainActor package static func main(_ arguments: [String]? = nil) async {
    StandardDescriptors.openMissing()
    FreeMemory.setLimits()
    await FormdWeb.main(arguments)
  }
}

/// The command line of the door for browsers.
struct FormdWeb: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "formd-web",
    abstract: "Lets browsers reach the sessions of formd, by WebSocket.",
    discussion: """
      formd-web is a client of the daemon's socket, and a server of HTTP on a loopback address behind a proxy with TLS. \
      Each browser that connects has one connection to the daemon. A browser attaches to a session whose key its page \
      has, or opens a session of a form that the configuration opens. It reaches nothing else.

      The block "web" of the daemon's configuration says which hosts and origins are admitted, and which forms are \
      open. protocol/web.md describes the block, what browsers may call, the close codes, and what a proxy needs.

        formd-web --config /etc/formd/formd.json

      --check also reads the forms in the folders of the configuration. A form in "web" that is not there is a \
      problem. For each form that browsers may open, it names the lookups and actions whose results browsers do not \
      get, because they are not "public".

      SIGTERM closes all connections with the code 1012, so that browsers come again. A change of the configuration \
      needs a restart. Logs go to stderr; the line with "listening" means that browsers are served.

      Exit status: 0 formd-web ended in order or nothing is wrong, 1 it could not start or --check found a problem, \
      2 the configuration cannot be used, 64 the command line was wrong.
      """,
    version: FormServer.version
  )

  @Option(
    help: ArgumentHelp(
      "The configuration file of the daemon, with a block \"web\".",
      discussion: """
        Default: FORMD_CONFIG in the environment, else $XDG_CONFIG_HOME/formd/formd.json, or \
        ~/.config/formd/formd.json if that variable is not set.
        """,
      valueName: "file"
    )
  )
  var config: String?

  @Option(
    help: ArgumentHelp(
      "The socket of the daemon.",
      discussion: """
        Default: FORMD_SOCKET, else the socket of the configuration, else the path at which the daemon listens by \
        default.
        """,
      valueName: "path"
    )
  )
  var socket: String?

  @Option(
    help: ArgumentHelp(
      "The folder of client.js.",
      discussion: """
        Default: share/formd/web beside the program's folder, else the client of the checkout in which the program \
        was built. The files *.js and *.d.ts in it are served, as they were when formd-web started.
        """,
      valueName: "dir"
    )
  )
  var client: String?

  @Flag(help: "Check the configuration and the files, ask whether the daemon answers, and start nothing.")
  var check = false

  @Flag(help: "Print the hash of each file of the client for the attribute \"integrity\" of HTML, and start nothing.")
  var integrity = false

  func validate() throws {
    if check, integrity { throw ValidationError("--check or --integrity, not both") }
  }

  func run() async throws {
    // If a browser or a reader of the log goes during a write, that write fails, and the door goes on.
    signal(SIGPIPE, SIG_IGN)
    if integrity { return try printIntegrity() }
    let configuration = try configuration()
    guard let web = configuration.web else {
      complain("formd-web: \(file ?? "the configuration"): there is no block \"web\"; see protocol/web.md")
      throw ExitCode(2)
    }
    let log = LogWriter(
      descriptor: STDERR_FILENO,
      level: configuration.logLevel,
      format: LogFormat(
        isJSON: configuration.logsJSON,
        hasPriority: LogFormat.isReadByJournal(STDERR_FILENO),
        program: "formd-web"
      )
    )
    LoggingSystem.bootstrap { _ in QueuedLogHandler(log) }
    do throws(StartError) {
      let door = DoorProcess(web, files: try files(), daemon: daemon(configuration), logger: Logger(label: "formd-web"))
      // The last lines have a second to be read, because it is possible that no process reads them.
      defer { log.flush(within: .seconds(1)) }
      if check { try await self.check(door, configuration) } else { try await door.run() }
    } catch {
      complain("formd-web: \(error.description)")
      throw ExitCode(1)
    }
  }

  private func check(_ door: DoorProcess, _ configuration: ServerConfiguration) async throws(StartError) {
    for warning in configuration.warnings { print(warning) }
    if let problem = door.problem { throw problem }
    if let web = configuration.web {
      let advice = FormAdvice(web, forms: configuration.forms)
      for line in advice.lines { print(line) }
      if let problem = advice.problem { throw problem }
    }
    guard await door.daemonAnswers() else {
      let path = daemon(configuration).path
      throw StartError("no daemon answers at \(path); start formd, or name its socket with --socket")
    }
    print("the door can be opened, and the daemon answers")
  }

  private func printIntegrity() throws {
    do throws(StartError) {
      for file in try files() { print("\(file.integrity)  \(file.name)") }
    } catch {
      complain("formd-web: \(error.description)")
      throw ExitCode(1)
    }
  }

  private func files() throws(StartError) -> [ClientFile] {
    if let client { return try ClientFile.read(folder: client) }
    let program = (try? FileIdentity.realPath(of: "/proc/self/exe")) ?? CommandLine.arguments[0]
    return try ClientFile.read(folder: ClientFile.folder(besideProgram: program))
  }

  private func daemon(_ configuration: ServerConfiguration) -> SocketPath {
    if socket == nil, ProcessEnvironment["FORMD_SOCKET"] == nil, let path = configuration.socket {
      return SocketPath(path, namedBy: "the configuration")
    }
    return SocketPath.forClient(named: socket)
  }

  /// The configuration file; nil if there is none.
  private var file: String? {
    if let named = config ?? ProcessEnvironment["FORMD_CONFIG"] { return named }
    return ProcessEnvironment.userFolder("XDG_CONFIG_HOME", else: ".config").map { $0 + "/formd/formd.json" }
  }

  private func configuration() throws -> ServerConfiguration {
    guard let file else {
      complain("formd-web: there is no configuration; name it with --config")
      throw ExitCode(2)
    }
    do throws(ConfigurationError) {
      return try ServerConfiguration.read(path: file)
    } catch {
      complain(error.description)
      throw ExitCode(2)
    }
  }
}
