package import FormProtocol
package import JSON

/// Why a conversation with the daemon failed: what happened, where, and what to do.
package enum ClientError: Error, Sendable {
  /// Nobody listens on the socket.
  case notRunning(socket: SocketPath, reason: String)
  /// The path is longer than a socket's address can be.
  case pathTooLong(socket: String)
  /// The connection ended in the middle.
  case disconnected(socket: String, reason: String)
  /// The daemon answered with a JSON-RPC error.
  case refused(method: String, RemoteError)
  /// No answer in time.
  case timeout(method: String, after: Duration)
  /// Something arrived that the protocol does not know.
  case protocolViolation(String)
}

/// A JSON-RPC error that the daemon answered with.
package struct RemoteError: Sendable, Equatable {
  /// The error code; protocol/README.md lists them.
  package var code: Int
  /// One sentence.
  package var message: String
  /// What belongs to the code: a list of errors, the closest name, a limit.
  package var data: JSON?
}

extension ClientError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notRunning(let socket, let reason):
      """
      no daemon answers at \(socket.path) (\(reason))
        chosen by:       \(socket.origin)
        start one:       formd serve --socket \(socket.path) --forms FOLDER
        or name another: --socket PATH, or the environment variable FORMD_SOCKET
      """
    case .pathTooLong(let socket):
      """
      the socket's path has \(socket.utf8.count) bytes, and an address has room for \(SocketPath.bytesMax): \(socket)
        use a shorter one, for example /tmp/formd.sock
      """
    case .disconnected(let socket, let reason):
      """
      the connection to \(socket) ended: \(reason)
        the daemon's log says why; if it was stopped or restarted, run the command again
      """
    case .refused(let method, let error): "\(method): \(error)"
    case .timeout(let method, let limit): "\(method): no answer within \(limit)"
    case .protocolViolation(let what): "the daemon sent what the protocol does not know: \(what)"
    }
  }
}

extension RemoteError: CustomStringConvertible {
  /// The message with its code, the closest name and each listed error.
  package var description: String {
    var text = "\(message) (\(code))"
    if let closest = data?["closest"]?.stringValue { text += "; did you mean \(closest)?" }
    for error in data?["errors"]?.arrayValue ?? [] {
      let place = error["path"]?.stringValue ?? error["pointer"]?.stringValue ?? ""
      let what =
        error["message"]?.stringValue ?? error["expected"]?.stringValue.map { "expected \($0)" }
        ?? error["code"]?.stringValue ?? error.description
      text += "\n  \(place.isEmpty ? "" : place + ": ")\(what)"
    }
    if let limit = data?["limit"] { text += "; the limit is \(limit)" }
    return text
  }
}
