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
  /// Locked while a daemon is started: whoever comes meanwhile waits, and finds it.
  private let turn: CInt

  /// How long it may take to read its forms.
  private static let patienceMs: CInt = 60_000

  /// Waits until no other start of the user is under way. The log is `$XDG_STATE_HOME/formd/formd.log`, without that variable in `~/.local/state` (XDG Base Directory Specification).
  ///
  /// - Throws: ``CommandFailure`` where neither says anything, or the folder cannot be used.
  init() throws(CommandFailure) {
    guard let folder = ProcessEnvironment["XDG_STATE_HOME"] ?? ProcessEnvironment["HOME"].map({ $0 + "/.local/state" })
    else {
      throw CommandFailure(message: "neither XDG_STATE_HOME nor HOME says where the daemon's log can be")
    }
    logPath = folder + "/formd/formd.log"
    Self.makeFolders(of: logPath)
    turn = try Self.open(folder + "/formd/formctl-start.lock")
    while flock(turn, LOCK_EX) != 0, errno == EINTR {}
  }

  /// Starts a daemon, and waits until it takes clients or has ended.
  ///
  /// - Parameter arguments: what follows `formd serve`.
  /// - Throws: ``CommandFailure`` when it cannot be started.
  func run(_ arguments: [String]) throws(CommandFailure) -> End {
    let program = try DaemonProgram()
    let log = try Self.open(logPath)
    defer { close(log) }
    let logStart = lseek(log, 0, SEEK_END)
    let nothing = Glibc.open("/dev/null", O_RDWR | O_CLOEXEC)
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
      variables: ["NOTIFY_SOCKET": notices.path],
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

  private static func makeFolders(of path: String) {
    var position = path.startIndex
    while let next = path[position...].dropFirst().firstIndex(of: "/") {
      _ = mkdir(String(path[..<next]), 0o700)
      position = next
    }
  }

  private static func open(_ path: String) throws(CommandFailure) -> CInt {
    let file = Glibc.open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw CommandFailure(message: "\(path): \(SystemError.last)") }
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

/// A datagram socket in a folder of its own, which both go when this does.
private final class NoticeSocket {
  let path: String
  let descriptor: CInt
  private let folder: String

  init() throws(CommandFailure) {
    var template = Array("/tmp/formctl-XXXXXX".utf8CString)
    let isMade = mkdtemp(&template) != nil
    folder = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    path = folder + "/ready"
    descriptor = socket(AF_UNIX, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isMade, isBound else { throw CommandFailure(message: "\(path): \(SystemError.last)") }
  }

  deinit {
    close(descriptor)
    unlink(path)
    rmdir(folder)
  }

  /// What it is told next.
  func next() -> String {
    var text = [UInt8](repeating: 0, count: 4096)
    let count = recv(descriptor, &text, text.count, 0)
    return String(decoding: text.prefix(max(count, 0)), as: UTF8.self)
  }
}
