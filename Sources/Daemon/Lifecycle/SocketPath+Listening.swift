internal import Files
package import FormProtocol
internal import JSON
package import Processes

#if canImport(Glibc)
  internal import Glibc
#endif

/// Checks and preparation of the socket's path, before the daemon listens there.
extension SocketPath {
  /// That path, or the default one.
  ///
  /// - Throws: ``StartError`` when no socket can have that path.
  package init(_ wanted: String?) throws(StartError) {
    self = wanted.map { SocketPath($0, namedBy: "--socket, FORMD_SOCKET or the configuration") } ?? .standard
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StartError("the socket's path is empty or contains U+0000; set it with --socket PATH")
    }
    guard path.utf8.count <= Self.bytesMax else {
      throw StartError(
        "the socket's path has \(path.utf8.count) bytes and the system allows \(Self.bytesMax): \(path)\n"
          + "Choose a shorter one with --socket, in a folder of your own under /run or /tmp, or start the daemon in that "
          + "folder with a relative path."
      )
    }
  }

  /// Only a socket is ever replaced: a mistyped path must not cost a file.
  func refuseWhatIsNoSocket() throws(StartError) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK else { return }
    throw StartError(
      "\(path) exists and is not a socket, so the daemon does not replace it; choose another path with --socket"
    )
  }

  /// Other users must not be able to replace the daemon's socket by their own, because clients send secrets there. The
  /// rule is the one of ssh for its files (sshd_config(5), StrictModes). The folder belongs to the daemon's user or to
  /// root. No other user may write there, or its sticky bit protects the files of others (as in `/tmp`).
  ///
  /// - Throws: ``StartError`` that names the rule.
  package func refuseUnsafeFolder() throws(StartError) {
    var status = stat()
    guard stat(folder, &status) == 0 else {
      throw StartError("the folder \(folder) cannot be examined: \(SystemError.last)")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw StartError(
        "the folder \(folder) belongs to the user \(status.st_uid), who could replace the socket; "
          + "it must belong to the daemon's user or to root: name another path with --socket"
      )
    }
    guard status.st_mode & 0o022 == 0 || status.st_mode & S_ISVTX != 0 else {
      throw StartError(
        "other users may write to the folder \(folder), and so could replace the socket: "
          + "chmod go-w \(folder), or name another path with --socket"
      )
    }
  }

  /// The same for a folder that may be missing, because the daemon makes it.
  ///
  /// - Throws: ``StartError`` that says what is wrong with the folder.
  func refuseUnusableFolder() throws(StartError) {
    var status = stat()
    guard stat(folder, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw notAFolder }
    try refuseUnsafeFolder()
  }

  private var notAFolder: StartError { StartError("\(folder) is not a folder; the socket cannot be made in it") }

  /// A socket with a listener is never replaced, even when its lock file is gone.
  ///
  /// - Throws: ``StartError`` when there is a listener.
  func refuseListener() throws(StartError) {
    let client = try makeSocket()
    defer { close(client) }
    let code = withAddress { connect(client, $0, $1) }
    // EAGAIN: there is a listener, and its queue of connections to accept is full (connect(2)).
    guard code == 0 || errno == EAGAIN else { return }
    throw StartError(
      "a process listens on \(path) without holding \(lockPath): perhaps a formd whose lock file was removed. "
        + "Use it, end it first, or choose another --socket."
    )
  }

  /// Makes the socket at that path, and listens on it at once, so that a client that sees it is not refused. The path
  /// must be free.
  ///
  /// NIO can do this too, but it removes whatever socket is at the path when it closes its own, and has 4 bytes less
  /// for the path.
  ///
  /// - Parameters:
  ///   - backlog: connections that wait to be accepted, at most.
  ///   - mode: who may connect.
  /// - Returns: the open socket.
  /// - Throws: ``StartError`` when it cannot be made.
  func listen(backlog: CInt, mode: mode_t) throws(StartError) -> CInt {
    let server = try makeSocket()
    // No other user may connect before chmod.
    let mask = umask(0o177)
    let isBound = withAddress { bind(server, $0, $1) } == 0
    let error = SystemError.last
    umask(mask)
    guard isBound, Glibc.listen(server, backlog) == 0, chmod(path, mode) == 0 else {
      let error = isBound ? .last : error
      close(server)
      throw StartError("the socket \(path) cannot be made: \(error)")
    }
    return server
  }

  private func makeSocket() throws(StartError) -> CInt {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let descriptor = socket(AF_UNIX, CInt(type), 0)
    guard descriptor >= 0 else { throw StartError("a socket cannot be made: \(SystemError.last)") }
    return descriptor
  }

  private func withAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }

  /// Whether the group or all users may enter the folder of the socket.
  var othersMayEnterFolder: Bool {
    var status = stat()
    return stat(folder, &status) == 0 && status.st_mode & 0o011 != 0
  }

  /// The folder that the socket is in.
  private var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Makes the socket's folder if it is missing.
  ///
  /// - Parameter isShared: whether all users may enter it. A private folder in `/tmp` is always for its owner only.
  /// - Throws: ``StartError`` when it cannot be made, or is a private folder in `/tmp` that is not the user's alone.
  package func makeFolder(isShared: Bool = false) throws(StartError) {
    let mode: mode_t = isShared ? 0o755 : 0o700
    if case .privateFolder = origin {
      // Made first and checked then: no other user can put a folder in its place in between.
      _ = mkdir(folder, 0o700)
      if let problem {
        throw StartError("\(problem), so the socket is not made there; name another path: --socket PATH")
      }
    }
    var status = stat()
    if stat(folder, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw notAFolder }
      return
    }
    let mask = umask(0o022)
    defer { umask(mask) }
    var position = folder.startIndex
    while let next = folder[position...].dropFirst().firstIndex(of: "/") {
      _ = mkdir(String(folder[..<next]), mode)
      position = next
    }
    guard mkdir(folder, mode) == 0 || errno == EEXIST else {
      throw StartError("the folder \(folder) cannot be made: \(SystemError.last)")
    }
  }
}
