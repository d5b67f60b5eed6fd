/// The reason why a conversation with the daemon failed. The description says what happened, where, and what to do.
public enum ClientError: Error, Sendable {
  /// No daemon listens on the socket.
  case notRunning(socket: SocketPath, reason: String)
  /// No socket can have that path: it is empty, or longer than a socket's address.
  case unusablePath(socket: String)
  /// The connection ended before the answer.
  case disconnected(socket: String, reason: String)
  /// The daemon refused the request.
  case refused(method: String, RemoteError)
  /// No answer came in time. A later answer is ignored.
  case timeout(method: String, after: Duration)
  /// A request was sent, its answer will not come, and the request is not idempotent. The session is current by then.
  /// Look at its document, values and missed events, and repeat the request if it was not carried out.
  case outcomeUnknown(method: String, reason: String)
  /// The session is lost: its connection was lost, and the session was not kept or could not be attached again.
  case sessionLost(reason: String)
  /// A message arrived that the protocol does not know.
  case protocolViolation(String)
}

extension ClientError: CustomStringConvertible {
  /// The error, then hints in further lines.
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
      the socket's path has \(socket.utf8.count) bytes, but only \(SocketPath.bytesMax) are allowed: \(socket)
        use a shorter one, for example /tmp/formd.sock
      """
    case .disconnected(let socket, let reason):
      """
      the connection to \(socket) ended: \(reason)
        see the daemon's log; if the daemon was stopped or restarted, run the command again
      """
    // For an unknown method, the error itself has the name.
    case .refused(let method, let error): error.data.method == method ? "\(error)" : "\(method): \(error)"
    case .timeout(let method, let limit): "\(method): no answer within \(limit)"
    case .outcomeUnknown(let method, let reason):
      """
      \(method): the daemon may have executed it (\(reason))
        check the state (of a session: the document, the values, the missed events), and repeat the call if needed
      """
    case .sessionLost(let reason): "the session is lost: \(reason)"
    case .protocolViolation(let what): "the daemon violated the protocol: \(what)"
    }
  }
}
