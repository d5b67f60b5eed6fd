internal import Files
internal import JSON

#if canImport(Glibc)
  internal import Glibc
#endif

/// The socket of the scripted daemon, in a folder of its own that is removed with this object.
final class ScriptedListener {
  /// The path of the socket.
  let path: String
  private let folder: String
  /// The listening socket; -1 while no daemon listens.
  private(set) var descriptor: CInt = -1

  /// Makes the folder, and listens.
  ///
  /// - Throws: ``KitFailure`` if the system refuses.
  init() throws(KitFailure) {
    var template = Array("/tmp/formd-kit-XXXXXX\0".utf8CString)
    guard mkdtemp(&template) != nil else { throw KitFailure("mkdtemp: \(SystemError.last)") }
    folder = String(decoding: template.dropLast(2).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = folder + "/formd.sock"
    try listen()
  }

  deinit {
    stop()
    rmdir(folder)
  }

  /// Listens, after ``stop()`` at the same path.
  ///
  /// - Throws: ``KitFailure`` if the system refuses.
  func listen() throws(KitFailure) {
    descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard descriptor >= 0, result == 0, Glibc.listen(descriptor, 16) == 0 else {
      throw KitFailure("\(path): \(SystemError.last)")
    }
  }

  /// Stops listening and removes the socket, as a daemon that ends.
  func stop() {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(path)
    descriptor = -1
  }

  /// The next connection; nil if none has come.
  func accept() -> DaemonConnection? {
    let accepted = Glibc.accept(descriptor, nil, nil)
    guard accepted >= 0 else { return nil }
    _ = fcntl(accepted, F_SETFD, FD_CLOEXEC)
    return DaemonConnection(descriptor: accepted)
  }
}
