internal import Foundation
package import PostgreSQL
internal import Synchronization
package import Testing

/// A PostgreSQL server in its own folder. It ends with the tests' process and listens at a Unix socket only.
package final class PostgresServer: Sendable {
  /// Whether PostgreSQL's programs are installed on this machine.
  package static let isInstalled = programs != nil

  /// The folder of the newest installed server. Debian keeps these programs out of PATH.
  private static let programs: String? = {
    let folder = "/usr/lib/postgresql"
    let versions = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).compactMap { Int($0) }
    return versions.sorted().map { "\(folder)/\($0)/bin" }.last {
      FileManager.default.isExecutableFile(atPath: $0 + "/initdb")
    }
  }()

  /// One server for all tests of the process, each with its own database.
  package static let shared = Result { try PostgresServer() }

  private let folder: String
  /// When this descriptor is closed, also by the end of this process, the server is stopped.
  private let guardian: CInt
  /// The process that waits for that, and then stops the server.
  private let stopper: pid_t
  private let databaseCount = Atomic(0)

  /// Makes a server and starts it.
  package init() throws {
    var ends: [CInt] = [-1, -1]
    pipe(&ends)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    guardian = ends[1]
    folder = FileManager.default.temporaryDirectory.path + "/pg-" + UUID().uuidString.prefix(8)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let stop = Self.asUser(["\(Self.programs ?? "")/pg_ctl", "-D", folder + "/data", "-m", "immediate", "stop"])
    let nothing = open("/dev/null", O_WRONLY | O_CLOEXEC)
    stopper = try Self.spawn(
      ["sh", "-c", "cat; \(stop.joined(separator: " ")); rm -rf \(folder)"],
      input: ends[0],
      output: nothing
    )
    close(nothing)
    close(ends[0])
    if let user = Self.user { try Self.run(["chown", user, folder]) }
    try command("initdb", ["-D", data, "-U", "formd", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "-A", "trust"])
    // These users must give a password. Tests that run at the same time use different users, since the server's
    // databases share them.
    try Data("local all guarded,guarded_store scram-sha-256\nlocal all all trust\n".utf8).write(
      to: URL(fileURLWithPath: data + "/pg_hba.conf")
    )
    try Data(
      "listen_addresses = ''\nunix_socket_directories = '\(folder)'\nfsync = off\nautovacuum = off\nmax_connections = 60\n"
        .utf8
    )
    .write(to: URL(fileURLWithPath: data + "/postgresql.auto.conf"))
    try start()
  }

  deinit {
    close(guardian)
    _ = Self.exitStatus(of: stopper)
  }

  private var data: String { folder + "/data" }

  /// The user that runs the server, because a server must not run as root.
  private static let user: String? = geteuid() == 0 ? "postgres" : nil

  private static func asUser(_ words: [String]) -> [String] {
    user.map { ["runuser", "-u", $0, "--"] + words } ?? words
  }

  /// Starts the server again. It accepts connections when this returns.
  package func start() throws { try command("pg_ctl", ["-D", data, "-l", folder + "/log", "-w", "start"]) }

  /// Starts the server again as a standby that replicates another server. It accepts queries when this returns.
  package func startAsStandby() throws {
    try Self.run(Self.asUser(["touch", data + "/standby.signal"]))
    try start()
  }

  /// Promotes a standby to a primary server.
  package func promote() throws { try command("pg_ctl", ["-D", data, "-w", "promote"]) }

  /// Stops the server: its connections end at once.
  package func stop() throws { try command("pg_ctl", ["-D", data, "-m", "fast", "-w", "stop"]) }

  /// Makes a database and returns its name.
  package func makeDatabase() throws -> String {
    let name = "t\(databaseCount.add(1, ordering: .relaxed).newValue)"
    // No client can be connected to `template0`. A connection would block the creation.
    try psql("CREATE DATABASE \(name) TEMPLATE template0", in: "postgres")
    return name
  }

  /// Runs statements as a separate client, and returns the printed text: columns with `|` between them.
  @discardableResult
  package func psql(_ statements: String, in database: String) throws -> String {
    try command(
      "psql",
      ["-X", "-q", "-At", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U", "formd", "-d", database, "-c", statements]
    )
  }

  /// The address of a database of this server.
  package func url(_ database: String, user: String = "formd") throws -> PostgresURL {
    try PostgresURL("postgresql://\(user)@/\(database)?host=\(folder)")
  }

  @discardableResult
  private func command(_ program: String, _ arguments: [String]) throws -> String {
    try Self.run(Self.asUser(["\(Self.programs ?? "")/\(program)"] + arguments))
  }

  /// A program that has failed.
  package struct Failed: Error {
    /// The program with its arguments.
    package let program: String
    /// The text that the program has printed.
    package let said: String
  }

  /// Runs a program to its end, and returns the text that it prints. The output is a file, because a server that the
  /// program starts keeps it open.
  @discardableResult
  private static func run(_ words: [String]) throws -> String {
    let path = FileManager.default.temporaryDirectory.path + "/out-" + UUID().uuidString
    let output = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer {
      close(output)
      unlink(path)
    }
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    defer { close(nothing) }
    let status = exitStatus(of: try spawn(words, input: nothing, output: output))
    let said = try String(contentsOfFile: path, encoding: .utf8)
    guard status == 0 else { throw Failed(program: words.joined(separator: " "), said: said) }
    return said
  }

  /// The tests of one process never have more files open.
  private static let filesMax: CInt = 4096

  /// Waits for the end of a process, and returns its status.
  private static func exitStatus(of process: pid_t) -> CInt {
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Starts a program that inherits no open files except these two. A server would otherwise keep connections of other
  /// tests open, because NIO does not mark them as to be closed. (Foundation's `Process` regards a program as running
  /// until the server that it has started ends.)
  private static func spawn(_ words: [String], input: CInt, output: CInt) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
    #if os(Linux)
      // Closing a descriptor that is not open is not an error there.
      for other in STDERR_FILENO + 1..<min(CInt(sysconf(CInt(_SC_OPEN_MAX))), filesMax) {
        posix_spawn_file_actions_addclose(&actions, other)
      }
    #endif
    let arguments = (["env", "-C", "/"] + words).map { strdup($0) }
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    // The server's user may not have access to the folder of the tests, so the program runs in `/`.
    let code = posix_spawn(&process, "/usr/bin/env", &actions, nil, arguments + [nil], environ)
    guard code == 0 else { throw Failed(program: words[0], said: String(cString: strerror(code))) }
    return process
  }
}

extension Trait where Self == ConditionTrait {
  /// The test needs a server of PostgreSQL.
  package static var needsPostgreSQL: ConditionTrait {
    .enabled(
      if: PostgresServer.isInstalled,
      "PostgreSQL is not installed; scripts/setup --tests installs Debian's package postgresql"
    )
  }
}
