internal import Actions
internal import Configuration
internal import FormProtocol
internal import Logging
internal import Processes
internal import Server

#if canImport(Glibc)
  internal import Glibc
#endif

/// How many files the process may have open, and how many of them can be connections of clients. Each connection is an
/// open file.
struct OpenFileLimit {
  /// Files that the process may have open.
  let filesMax: Int
  /// Files that are not connections of clients.
  let reserve: Int

  /// The open files of every daemon, apart from its clients: standard streams, the event loop, lock and listener, forms
  /// and schemas while they are read, and connections that are just refused.
  private static let ownFiles = 48
  /// The files of one service or of the address for metrics, apart from its connections: one lookup of its name takes
  /// them. libcurl keeps the answer for a minute.
  private static let filesPerName = 4

  /// The raised limit, for a daemon with that configuration.
  static func raised(for configuration: ServerConfiguration) -> OpenFileLimit {
    OpenFileLimit(filesMax: OpenFiles.raiseLimit(), reserve: reserve(for: configuration))
  }

  /// A configuration with as many connections as the process may have files open for.
  ///
  /// - Throws: ``StartError`` if no client fits.
  static func fit(
    _ configuration: ServerConfiguration,
    logger: Logger
  ) throws(StartError) -> ServerConfiguration {
    let files = raised(for: configuration)
    let wanted = configuration.limits[.connectionsMax]
    var result = configuration
    result.limits[.connectionsMax] = try files.connectionsMax(wanted: wanted)
    files.makeRoom(forConnections: result.limits[.connectionsMax])
    if result.limits[.connectionsMax] < wanted {
      logger.warning(
        "the limit of open files allows fewer clients than connectionsMax",
        metadata: [
          "filesMax": "\(files.filesMax)", "reserve": "\(files.reserve)", "wanted": "\(wanted)",
          "connectionsMax": "\(result.limits[.connectionsMax])",
        ]
      )
    }
    return result
  }

  /// The largest number of open files of a daemon with that configuration, apart from its clients.
  static func reserve(for configuration: ServerConfiguration) -> Int {
    var services = 0
    for case .http(let service) in configuration.actions.services.values {
      services += service.connections + filesPerName
    }
    let metrics = configuration.metrics.address == nil ? 0 : MetricsConnections.countMax + filesPerName
    let databases = configuration.actions.databases.values.reduce(0) { $0 + $1.openFilesMax }
    let store = configuration.store?.openFilesMax ?? 0
    return ownFiles + services + metrics + databases + store
  }

  /// How many clients can be connected, not counting clients beyond the ordinary seats.
  ///
  /// - Parameter wanted: the configured ``Limit/connectionsMax``.
  /// - Throws: ``StartError`` if no client fits.
  func connectionsMax(wanted: Int) throws(StartError) -> Int {
    let room = filesMax - reserve - ConnectionSeats.reserve
    guard room > 0 else {
      throw StartError(
        "this process may have \(filesMax) files open and needs \(filesMax - room + 1) at least; "
          + "raise the limit: LimitNOFILE= in its unit, or ulimit -Hn"
      )
    }
    return min(wanted, room)
  }

  /// Opens a file with the largest number that will be needed, and closes it. Linux keeps a process's files in a table
  /// that it doubles when it is full. In a process of several threads, the thread that opens the next file then waits
  /// for 10 to 40 ms (`expand_fdtable` in fs/file.c).
  func makeRoom(forConnections connectionsMax: Int) {
    let count = min(filesMax, connectionsMax + ConnectionSeats.reserve + reserve)
    let copy = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, CInt(count) - 1)
    if copy >= 0 { close(copy) }
  }
}
