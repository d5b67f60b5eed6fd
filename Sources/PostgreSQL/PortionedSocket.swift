#if canImport(Glibc)
  internal import Glibc
#endif

/// Gives libpq the bytes of a server in portions.
///
/// libpq reads as long as a server sends, so a row of any size is in memory before a caller can refuse it. Therefore
/// libpq's descriptor becomes one end of a pair of sockets (socketpair(2)), once it is connected. The bytes go from the
/// server into the other end, one portion at a time. TLS passes through.
///
/// Invariant: the pair holds at most one portion that libpq has not read.
final class PortionedSocket {
  /// The largest portion in bytes. A new pair of sockets takes as many at once.
  static let portionBytes = 65_536

  /// The socket to the server, to be polled.
  let server: CInt
  /// libpq's end of the pair, which libpq closes.
  private let inner: CInt
  /// The other end of the pair.
  private let outer: CInt
  /// Bytes of libpq that the server has not taken.
  private var unsent: ArraySlice<UInt8> = []
  private var chunk = [UInt8](repeating: 0, count: PortionedSocket.portionBytes)

  /// Comes between libpq and the server.
  ///
  /// - Parameter descriptor: libpq's descriptor of a connection that does not block.
  /// - Throws: when the process has no descriptor left.
  init(between descriptor: CInt) throws(PostgresFailure) {
    var ends: [CInt] = [-1, -1]
    let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    let server = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    guard server >= 0 else { throw .noDescriptor() }
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0, dup2(ends[0], descriptor) >= 0 else {
      for open in ends + [server] where open >= 0 { close(open) }
      throw .noDescriptor()
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    close(ends[0])
    (self.server, inner, outer) = (server, descriptor, ends[1])
  }

  deinit {
    // libpq says good-bye when it ends.
    _ = send()
    close(outer)
    close(server)
  }

  /// Whether libpq has bytes to read.
  var hasUnread: Bool {
    var count: CInt = 0
    return ioctl(inner, UInt(FIONREAD), &count) == 0 && count > 0
  }

  /// Sends what libpq has written.
  ///
  /// - Returns: whether nothing is left. A broken connection takes nothing, and ``receive()`` finds its end.
  func send() -> Bool {
    while true {
      if unsent.isEmpty {
        let count = read(outer, &chunk, chunk.count)
        guard count > 0 else { return true }
        unsent = chunk[..<count]
      }
      let count = unsent.withUnsafeBytes { Glibc.send(server, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
      guard count > 0 else { return false }
      unsent = unsent.dropFirst(count)
    }
  }

  /// Gives libpq the next portion, when it has nothing to read. At the end of what the server sends, libpq's end ends.
  ///
  /// - Returns: how many bytes they are.
  func receive() -> Int {
    if hasUnread { return 0 }
    let count = read(server, &chunk, chunk.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return 0 }
    let written = count > 0 ? write(outer, chunk, count) : 0
    // The pair is empty, so it takes the whole portion.
    if count <= 0 || written < count { shutdown(outer, CInt(SHUT_WR)) }
    return max(0, count)
  }
}
