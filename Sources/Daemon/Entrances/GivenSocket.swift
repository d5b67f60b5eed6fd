internal import Files
internal import JSON
internal import Logging
internal import NIOCore
internal import Processes

#if canImport(Glibc)
  internal import Glibc
#endif

/// The socket that a service manager listens on, and gives to the daemon when a client connects (sd_listen_fds(3)).
/// When the daemon goes, the socket and the clients that wait there stay.
struct GivenSocket: Entrance {
  /// The first descriptor that is given (`SD_LISTEN_FDS_START`).
  private static let first: CInt = 3

  private let descriptor: CInt
  private let path: String

  /// Takes the socket that the environment names, and removes its variables from the environment; nil if the
  /// environment names none for this process.
  ///
  /// - Throws: ``StartError`` when it is not a listening socket.
  init?() throws(StartError) {
    guard let process = ProcessEnvironment["LISTEN_PID"], let count = ProcessEnvironment["LISTEN_FDS"] else {
      return nil
    }
    guard pid_t(process) == getpid() else { return nil }
    ProcessEnvironment.remove("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")
    if count == "0" { return nil }
    guard count == "1" else {
      throw StartError(
        "the service manager passes \(count) sockets, but formd listens on one: set one ListenStream= in its unit"
      )
    }
    descriptor = Self.first
    guard Self.option(SO_DOMAIN, of: descriptor) == AF_UNIX,
      Self.option(SO_TYPE, of: descriptor) == CInt(SOCK_STREAM.rawValue),
      Self.option(SO_ACCEPTCONN, of: descriptor) == 1
    else {
      throw StartError(
        "the service manager does not pass a listening Unix stream socket: set ListenStream=PATH in its unit"
      )
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    path = Self.path(of: descriptor)
  }

  func open(to host: NIOLoopBound<LoopServer>, _ group: any EventLoopGroup) async throws -> OpenEntrance {
    let listener = try await ListeningSocket.accept(on: descriptor, to: host, group)
    return OpenEntrance(metadata: ["socket": "\(path)", "chosenBy": "the service manager"], ended: nil) {
      listener.close(promise: nil)
    }
  }

  private static func option(_ name: CInt, of descriptor: CInt) -> CInt? {
    var value: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
  }

  private static func path(of descriptor: CInt) -> String {
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let isKnown = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard isKnown == 0 else { return "?" }
    return withUnsafeBytes(of: &address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
