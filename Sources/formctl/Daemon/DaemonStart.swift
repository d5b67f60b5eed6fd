internal import Files
internal import FormProtocol
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// The start of a daemon that keeps running. It writes its log to a file, and reports by `NOTIFY_SOCKET` that it is
/// ready (sd_notify(3)).
struct DaemonStart {
  /// The result of a start.
  enum End {
    case isReady
    /// The daemon ended before it was ready, with these last lines in its log.
    case ended(lastWords: String)
    case takesTooLong
  }

  /// The path of the daemon's log.
  let logPath: String

  /// If the log is at least this large at a start, it is renamed and a new one begins.
  private static let logBytesMax = 1 << 20
  /// The time that a daemon may take to read its forms.
  private static let patienceMs: CInt = 60_000

  /// Finds the log: `$XDG_STATE_HOME/formd/formd.log`, or below `~/.local/state` without that variable.
  ///
  /// - Throws: ``CommandFailure`` if neither `XDG_STATE_HOME` nor `HOME` is set.
  init() throws(CommandFailure) {
    guard let folder = ProcessEnvironment.userFolder("XDG_STATE_HOME", else: ".local/state") else {
      throw CommandFailure(message: "the daemon's log has no folder; set XDG_STATE_HOME or HOME")
    }
    logPath = folder + "/formd/formd.log"
  }

  /// Starts a daemon, and waits until it accepts clients or has ended.
  ///
  /// - Parameter arguments: the arguments behind `formd serve`.
  /// - Throws: ``CommandFailure`` if the daemon cannot be started.
  func run(_ arguments: [String]) throws(CommandFailure) -> End {
    let program = try DaemonProgram()
    let log = try openLog()
    defer { close(log) }
    let logStart = lseek(log, 0, SEEK_END)
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nothing >= 0 else { throw CommandFailure(message: "/dev/null: \(SystemError.last)") }
    defer { close(nothing) }
    let notices = try NoticeSocket()
    // The other end stays open as long as the daemon lives.
    var life: [CInt] = [-1, -1]
    guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &life) == 0 else {
      throw CommandFailure(message: "socketpair: \(SystemError.last)")
    }
    defer { close(life[0]) }
    defer { if life[1] >= 0 { close(life[1]) } }
    try program.start(
      arguments,
      streams: (nothing, log, log),
      keeping: life[1],
      variables: ["NOTIFY_SOCKET": notices.name],
      isAlone: true
    )
    close(life[1])
    life[1] = -1
    while true {
      var wanted = [
        pollfd(fd: notices.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: life[0], events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&wanted, 2, Self.patienceMs)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return .takesTooLong }
      if wanted[0].revents != 0, notices.next().hasPrefix("READY=1") { return .isReady }
      if wanted[1].revents != 0 { return .ended(lastWords: text(of: log, from: logStart)) }
    }
  }

  private func openLog() throws(CommandFailure) -> CInt {
    var position = logPath.startIndex
    while let next = logPath[position...].dropFirst().firstIndex(of: "/") {
      let folder = String(logPath[..<next])
      if mkdir(folder, 0o700) != 0, errno != EEXIST { throw CommandFailure(message: "\(folder): \(SystemError.last)") }
      position = next
    }
    var status = stat()
    // A daemon that still writes into the old log continues there, under its new name.
    if stat(logPath, &status) == 0, status.st_size >= Self.logBytesMax, rename(logPath, logPath + ".1") != 0 {
      throw CommandFailure(message: "\(logPath): \(SystemError.last)")
    }
    let file = open(logPath, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw CommandFailure(message: "\(logPath): \(SystemError.last)") }
    return file
  }

  /// The last lines of the log behind that offset.
  private func text(of log: CInt, from start: off_t) -> String {
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while text.count < 1 << 20 {
      let count = pread(log, &chunk, chunk.count, start + off_t(text.count))
      guard count > 0 else { break }
      text += chunk[..<count]
    }
    return String(decoding: text, as: UTF8.self).split(whereSeparator: \.isNewline).suffix(5).joined(separator: "\n")
  }
}

/// A datagram socket with an abstract name that the system chose (unix(7), "Autobind feature").
private final class NoticeSocket {
  let descriptor: CInt
  /// The name, in the notation of `NOTIFY_SOCKET`.
  let name: String

  init() throws(CommandFailure) {
    let socket = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let familySize = MemoryLayout<sa_family_t>.size
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(familySize)) == 0 && getsockname(socket, $0, &size) == 0
      }
    }
    let error = SystemError.last
    descriptor = socket
    // The name begins with a NUL, which `NOTIFY_SOCKET` writes as `@`.
    let length = max(Int(size) - familySize, 1)
    name =
      "@" + withUnsafeBytes(of: &address.sun_path) { String(decoding: $0.prefix(length).dropFirst(), as: UTF8.self) }
    guard isBound else { throw CommandFailure(message: "a socket for the daemon's notice: \(error)") }
  }

  deinit { close(descriptor) }

  /// The next notification.
  func next() -> String {
    var text = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &text, text.count, 0)
    return String(decoding: text.prefix(max(count, 0)), as: UTF8.self)
  }
}
