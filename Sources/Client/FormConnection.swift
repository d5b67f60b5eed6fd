package import JSON

/// A connection to the daemon: JSON-RPC 2.0, one text per line, blocking.
///
/// It belongs to one thread. Notifications that arrive while a call waits for its answer go to ``onNotification`` in the order in
/// which they were sent, before the call returns.
package final class FormConnection {
  private let socket: UnixSocket
  /// Received and not yet taken: at most one incomplete line behind the last `receive`.
  private var input: [UInt8] = []
  /// Bytes at the beginning of `input` that were taken already.
  private var taken = 0
  /// Bytes of `input` that are known to hold no newline; so that a long line is not searched twice.
  private var searched = 0
  private var lastID: Int64 = 0
  private let output = OutputBuffer()

  /// Called with each notification's method and params.
  package var onNotification: ((_ method: String, _ params: JSON) -> Void)?
  /// Called with each line as it is sent (true) or received (false), without its newline.
  package var onLine: ((_ isSent: Bool, _ line: String) -> Void)?

  /// Connects.
  ///
  /// - Throws: ``ClientError/notRunning(socket:reason:)`` with what to do about it.
  package init(socketPath: String = SocketPath.standard) throws(ClientError) {
    socket = try UnixSocket(path: socketPath)
  }

  /// For ``Poll``.
  package var descriptor: CInt { socket.descriptor }

  // MARK: Calls

  /// Calls a method and waits for its answer.
  ///
  /// - Parameters:
  ///   - timeout: nil waits for ever.
  /// - Returns: the result.
  /// - Throws: ``ClientError/refused(method:_:)`` for a JSON-RPC error; others when the connection fails.
  package func call(
    _ method: String,
    _ params: JSONObject? = nil,
    timeout: Duration? = nil
  ) throws(ClientError) -> JSON {
    lastID += 1
    let id = lastID
    try send(method: method, params: params, id: id)
    let clock = ContinuousClock()
    let end = timeout.map { clock.now + $0 }
    while true {
      guard let message = try receive(timeout: end.map { $0 - clock.now }) else {
        throw .timeout(method: method, after: timeout ?? .zero)
      }
      guard message["method"] == nil else {
        notified(message)
        continue
      }
      // An answer without an id answers something that was not understood: ours, since calls are one at a time.
      guard message["id"]?.integerValue == id || message["id"]?.isNull == true else { continue }
      if let error = RemoteError(answer: message) { throw .refused(method: method, error) }
      guard let result = message["result"] else { throw .protocolViolation("an answer without result and error") }
      return result
    }
  }

  /// Sends a notification; nothing answers it.
  package func notify(_ method: String, _ params: JSONObject? = nil) throws(ClientError) {
    try send(method: method, params: params, id: nil)
  }

  private func send(method: String, params: JSONObject?, id: Int64?) throws(ClientError) {
    var message: JSONObject = ["jsonrpc": "2.0"]
    if let id { message["id"] = .integer(id) }
    message["method"] = .string(method)
    if let params { message["params"] = .object(params) }
    try send(.object(message))
  }

  /// Sends any JSON text as a line: for transcripts.
  package func send(_ message: JSON) throws(ClientError) {
    output.removeAll()
    output.write(message)
    onLine?(true, output.text)
    output.append(byte: UInt8(ascii: "\n"))
    try socket.write(output.bytes)
  }

  /// Says that nothing more will be sent.
  package func endWriting() {
    socket.endWriting()
  }

  // MARK: Receiving

  /// Takes in what has arrived and hands notifications on; waits for nothing.
  package func receiveNotifications() throws(ClientError) {
    while let message = try receive(timeout: .zero) {
      if message["method"] != nil { notified(message) }
    }
  }

  /// The next message, whatever it is; nil when the time was up.
  package func receive(timeout: Duration?) throws(ClientError) -> JSON? {
    let clock = ContinuousClock()
    let end = timeout.map { clock.now + $0 }
    while true {
      if let line = nextLine() {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x0d || $0 == 0x09 }) { continue }
        onLine?(false, String(decoding: line, as: UTF8.self))
        do {
          return try JSON(parsing: Array(line))
        } catch {
          throw .protocolViolation("a line that is no JSON: \(error)")
        }
      }
      guard socket.waitForInput(timeout: end.map { max($0 - clock.now, .zero) }) else { return nil }
      guard try socket.read(into: &input) else {
        throw .disconnected(socket: socket.path, reason: "the daemon closed it")
      }
    }
  }

  private func nextLine() -> ArraySlice<UInt8>? {
    guard let newline = input[max(taken, searched)...].firstIndex(of: UInt8(ascii: "\n")) else {
      input.removeFirst(taken)
      taken = 0
      searched = input.count
      return nil
    }
    defer { taken = newline + 1 }
    return input[taken..<newline]
  }

  private func notified(_ message: JSON) {
    guard let method = message["method"]?.stringValue else { return }
    onNotification?(method, message["params"] ?? .null)
  }
}
