#if canImport(Glibc)
  internal import Glibc
#endif

/// The connections that libcurl keeps for later requests, by their local ports.
///
/// A server that sends bytes on an idle connection has not been asked for them: a late second answer, or the 408 of a
/// proxy that is about to close. libcurl 7.88 would read these bytes as the answer to the next request, which may be
/// another user's. So each request looks at its connection before it is sent.
///
/// An entry may be out of date, because libcurl closes connections by itself. Then its socket may have another owner,
/// and at worst a request gets a new connection without need. Sockets are only looked at here.
final class IdleConnections {
  private var sockets: [CInt: CInt] = [:]

  /// Notes that a connection is idle.
  func add(_ socket: CInt, localPort: CInt) { sockets[localPort] = socket }

  /// Notes that a request is about to be sent on a connection. Returns false if bytes wait there that no request has
  /// asked for.
  func take(_ localPort: CInt) -> Bool {
    guard let socket = sockets.removeValue(forKey: localPort) else { return true }
    var looked = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&looked, 1, 0) == 0
  }
}
