package import JSON

/// Why a conversation with the daemon failed: what happened, where, and what to do.
package enum ClientError: Error, Sendable {
  /// Nobody listens on the socket.
  case notRunning(socket: String, reason: String)
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
  /// What belongs to the code: the name that is unknown, the closest one, a list of errors, a limit.
  package var data: JSON?

  /// The error in an answer; nil when the answer has none.
  package init?(answer: JSON) {
    guard let error = answer["error"] else { return nil }
    code = error["code"]?.integerValue.flatMap(Int.init(exactly:)) ?? 0
    message = error["message"]?.stringValue ?? ""
    data = error["data"]
  }
}

extension ClientError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notRunning(let socket, let reason):
      """
      no daemon answers at \(socket) (\(reason))
        start one:       formd serve --socket \(socket) --forms FOLDER
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
    // An unknown method is named by the error.
    case .refused(let method, let error):
      error.data?["method"]?.stringValue == method ? "\(error)" : "\(method): \(error)"
    case .timeout(let method, let limit): "\(method): no answer within \(limit)"
    case .protocolViolation(let what): "the daemon sent what the protocol does not know: \(what)"
    }
  }
}

extension RemoteError: CustomStringConvertible {
  /// The message, what it is about, the code, what to do, and each listed error on a line of its own.
  package var description: String {
    var text = message
    if let subject { text += " \(subject)" }
    text += " (\(code))"
    if let limit = data?["limit"] {
      // An error names the limit and its value, or gives the value alone.
      let value = data?["value"].map { " = \($0)" } ?? ""
      text += "; the limit is \(limit.stringValue ?? limit.description)\(value)"
    }
    if let closest = data?["closest"]?.stringValue { text += "; did you mean \(closest)?" }
    if let pause = data?["retryAfterMs"]?.integerValue { text += "; try again in \(pause) ms" }
    for error in data?["errors"]?.arrayValue ?? [] { text += "\n  \(Self.line(for: error))" }
    return text
  }

  /// The name that is unknown, or the reason of a refusal.
  private var subject: String? {
    guard let data else { return nil }
    for kind in ["form", "field", "action", "session", "method", "name"] {
      if let name = data[kind] { return name.description }
    }
    guard let reason = data["reason"]?.stringValue else { return nil }
    let place = data["path"]?.stringValue.map { " at \($0)" } ?? data["offset"].map { " at byte \($0)" } ?? ""
    return "[\(reason)\(place)]"
  }

  /// A listed error: its place in the params, and what is wrong there.
  private static func line(for error: JSON) -> String {
    let place = error["path"]?.stringValue ?? error["pointer"]?.stringValue ?? ""
    let message = error["message"]?.stringValue
    let expected = error["expected"]?.stringValue
    let what = message ?? expected.map { "expected \($0)" } ?? error["code"]?.stringValue ?? error.description
    // Beside a message stands what to write instead, or the message again.
    let remedy = message == nil || expected == message ? nil : expected.map { "\n    \($0)" }
    return (place.isEmpty ? what : "\(place): \(what)") + (remedy ?? "")
  }
}
