/// Why a conversation with the daemon failed. The description says what happened, where, and what to do.
public enum ClientError: Error, Sendable {
  /// Nobody listens on the socket.
  case notRunning(socket: SocketPath, reason: String)
  /// No socket can have that path: it is empty, or longer than a socket's address.
  case unusablePath(socket: String)
  /// The connection ended in the middle.
  case disconnected(socket: String, reason: String)
  /// The daemon said no.
  case refused(method: String, RemoteError)
  /// No answer in time. An answer that comes later is ignored.
  case timeout(method: String, after: Duration)
  /// A request was sent, its answer will not come, and to make it twice is not the same as to make it once. What the session says is
  /// current by then: look at its document, values and missed events, and make the request again if it was not done.
  case outcomeUnknown(method: String, reason: String)
  /// The session is gone: its connection was lost, and it was not kept, or could not be attached again.
  case sessionLost(reason: String)
  /// Something arrived that the protocol does not know.
  case protocolViolation(String)
}

extension ClientError: CustomStringConvertible {
  /// What happened, and in further lines what to do.
  public var description: String {
    switch self {
    case .notRunning(let socket, let reason):
      """
      no daemon answers at \(socket.path) (\(reason))
        chosen by:       \(socket.origin)
        start one:       formd serve --socket \(socket.path) --forms FOLDER
        or name another: --socket PATH, or the environment variable FORMD_SOCKET
      """
    case .unusablePath(""):
      """
      the socket's path is empty
        name the daemon's socket, for example /tmp/formd.sock, or leave the option out
      """
    case .unusablePath(let socket):
      """
      the socket's path has \(socket.utf8.count) bytes, and an address has room for \(SocketPath.bytesMax): \(socket)
        use a shorter one, for example /tmp/formd.sock
      """
    case .disconnected(let socket, let reason):
      """
      the connection to \(socket) ended: \(reason)
        the daemon's log says why; if it was stopped or restarted, run the command again
      """
    // An unknown method is named by the error.
    case .refused(let method, let error): error.data.method == method ? "\(error)" : "\(method): \(error)"
    case .timeout(let method, let limit): "\(method): no answer within \(limit)"
    case .outcomeUnknown(let method, let reason):
      """
      \(method): it is not known whether it was done (\(reason))
        look at what there is now (of a session: the document, the values, the missed events), and do it again if it was not
      """
    case .sessionLost(let reason): "the session is lost: \(reason)"
    case .protocolViolation(let what): "the daemon sent what the protocol does not know: \(what)"
    }
  }
}
