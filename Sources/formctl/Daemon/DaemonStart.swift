internal import FormProtocol
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// A daemon that is started to stay: it writes its log into a file, and says by `NOTIFY_SOCKET` when it is ready (sd_notify(3)).
struct DaemonStart {
  /// How a start ended.
  enum End {
    case isReady
    /// It ended before, and has said that.
    case ended(lastWords: String)
    case takesTooLong
  }

  /// Its log.
  let logPath: String

  /// A log of so many bytes makes room for another one when a daemon is started.
  private static let logBytesMax = 1 << 20
  /// How long it may take to read its forms.
  private static let patienceMs: CInt = 60_000

  /// The log is `$XDG_STATE_HOME/formd/formd.log`, without that variable in `~/.local/state`.
  ///
  /// - Throws: ``CommandFailure`` where neither says anything.
  init() throws(CommandFailure) {
    guard let folder = ProcessEnvironment.userFolder("XDG_STATE_HOME", else: ".local/state") else {
      throw CommandFailure(message: "neither XDG_STATE_HOME nor HOME says where the daemon's log can be")
    }
    logPath = folder + "/formd/formd.log"
  }

  /// Starts a daemon, and waits until it takes clients or has ended.
  ///
  /// - Parameter arguments: what follows `formd serve`.
  /// - Throws: ``CommandFailure`` when it cannot be started.
  func run(_ arguments: [String]) throws(CommandFailure) -> End {
    let program = try DaemonProgram()
    let log = try openLog()
    defer { close(log) }
    let logStart = lseek(log, 0, SEEK_END)
    let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard nothing >= 0 else { throw CommandFailure(message: "/dev/null: \(SystemError.last)") }
    defer { close(nothing) }
    let notices = try NoticeSocket()
    // Its other end is open as long as the daemon lives.
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
    // Who writes into the log of before goes on there, under its new name.
    if stat(logPath, &status) == 0, status.st_size >= Self.logBytesMax, rename(logPath, logPath + ".1") != 0 {
      throw CommandFailure(message: "\(logPath): \(SystemError.last)")
    }
    let file = open(logPath, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw CommandFailure(message: "\(logPath): \(SystemError.last)") }
    return file
  }

  /// The last lines that were written from there on.
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

/// A datagram socket with a name that the system has chosen, in no folder (unix(7), "Autobind feature").
private final class NoticeSocket {
  let descriptor: CInt
  /// Its name, as `NOTIFY_SOCKET` has it.
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
    // The name begins with a NUL, for which there is an @.
    let length = max(Int(size) - familySize, 1)
    name =
      "@" + withUnsafeBytes(of: &address.sun_path) { String(decoding: $0.prefix(length).dropFirst(), as: UTF8.self) }
    guard isBound else { throw CommandFailure(message: "a socket for the daemon's notice: \(error)") }
  }

  deinit { close(descriptor) }

  /// What it is told next.
  func next() -> String {
    var text = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &text, text.count, 0)
    return String(decoding: text.prefix(max(count, 0)), as: UTF8.self)
  }
}
