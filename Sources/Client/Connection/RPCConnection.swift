internal import FormProtocol
internal import JSON
internal import JSONRPC

/// JSON-RPC 2.0 over a Unix socket, one text per line: sends requests, and reads the next message on request.
final class RPCConnection {
  private let socket: UnixSocket
  /// The daemon is trusted: a document may be deeper and larger than the daemon accepts from its clients.
  private var reader = RPCReader(limits: RPCLimits(textBytesMax: .max, json: .file, batchMax: .max))
  /// The buffer for one read.
  private var input: [UInt8] = []
  private let output = OutputBuffer()
  /// Posted bytes; the bytes before `written` are written already.
  private var posted: [UInt8] = []
  private var written = 0
  private var lastID: Int64 = 0
  /// The daemon's reason for ending the connection, if it sent one.
  private var lastWord: String?
  /// The daemon's error about the connection as a whole. The daemon ends the connection after it.
  private(set) var refusal: RemoteError?

  /// Called with each message that is sent or arrives.
  var onText: ((_ kind: FormConnection.TextKind, _ text: String) -> Void)?

  /// Connects.
  ///
  /// - Throws: `notRunning` or `unusablePath`.
  init(to socketPath: SocketPath, waits: Bool) throws(ClientError) {
    socket = try UnixSocket(socketPath, waits: waits)
  }

  /// Takes over a socket that is connected already.
  init(connected descriptor: CInt, named name: String) {
    socket = UnixSocket(connected: descriptor, named: name)
  }

  /// For `poll`.
  var descriptor: CInt { socket.descriptor }

  // MARK: Sending

  /// Sends a request.
  ///
  /// - Returns: the id that its answer will have.
  func send(_ method: String, _ writeParams: (OutputBuffer) -> Void) throws(ClientError) -> RequestID {
    let id = compose(method, writeParams)
    try sendLine()
    return id
  }

  /// Queues a request without waiting.
  ///
  /// - Returns: the id that its answer will have.
  func post(_ method: String, _ writeParams: (OutputBuffer) -> Void) throws(ClientError) -> RequestID {
    let id = compose(method, writeParams)
    finishLine()
    posted += output.bytes
    try flush()
    return id
  }

  /// Whether some posted bytes are not written yet.
  var hasPosted: Bool { written < posted.count }

  /// Writes as many of the posted bytes as the socket accepts at once.
  func flush() throws(ClientError) {
    while hasPosted {
      let count = try posted[written...].withUnsafeBufferPointer { bytes throws(ClientError) in
        try writeWithoutWaiting(bytes)
      }
      if count == 0 { return }
      written += count
    }
    posted = []
    written = 0
  }

  /// Writes a request into `output`.
  private func compose(_ method: String, _ writeParams: (OutputBuffer) -> Void) -> RequestID {
    lastID += 1
    let id = RequestID.integer(lastID)
    output.removeAll()
    output.beginRequest(id, named: method)
    writeParams(output)
    output.endEnvelope()
    return id
  }

  /// Sends any message.
  func send(_ frame: RPCFrame) throws(ClientError) {
    output.removeAll()
    output.write(frame.json)
    try sendLine()
  }

  private func finishLine() {
    onText?(.sent, output.text)
    output.append(byte: UInt8(ascii: "\n"))
  }

  private func sendLine() throws(ClientError) {
    finishLine()
    // Posted requests must go first.
    if hasPosted {
      try posted[written...].withUnsafeBufferPointer { bytes throws(ClientError) in try write(bytes) }
      posted = []
      written = 0
    }
    try write(output.bytes)
  }

  /// Writes all of the bytes.
  private func write(_ bytes: UnsafeBufferPointer<UInt8>) throws(ClientError) {
    do throws(ClientError) {
      try socket.write(bytes)
    } catch {
      throw reason(of: error)
    }
  }

  /// Writes as many of the bytes as the socket accepts at once, which may be none.
  private func writeWithoutWaiting(_ bytes: UnsafeBufferPointer<UInt8>) throws(ClientError) -> Int {
    do throws(ClientError) {
      return try socket.write(bytes, waits: false)
    } catch {
      throw reason(of: error)
    }
  }

  /// The error for a connection whose end a write discovered. A message that the daemon sent before gives the reason.
  private func reason(of error: ClientError) -> ClientError {
    do throws(ClientError) {
      while try nextEvent(within: .zero) != nil {}
    } catch {}
    guard let lastWord else { return error }
    return .disconnected(socket: socket.path, reason: lastWord)
  }

  // MARK: Receiving

  /// The next message. Its views are valid until the next call.
  ///
  /// - Parameter timeout: nil waits for ever.
  /// - Returns: nil after the timeout.
  func nextEvent(within timeout: Duration?) throws(ClientError) -> RPCReader.Event? {
    var line: String?
    while let event = try nextOfReader(within: timeout) {
      guard case .text(let text) = event else {
        if let line { onText?(Self.kind(of: event), line) }
        note(event)
        return event
      }
      if onText != nil { line = String(decoding: text, as: UTF8.self) }
      reader.read(text)
    }
    return nil
  }

  /// The next message of any kind, as a value.
  ///
  /// - Parameter timeout: nil waits for ever.
  /// - Returns: nil after the timeout.
  func nextFrame(within timeout: Duration?) throws(ClientError) -> RPCFrame? {
    while let event = try nextOfReader(within: timeout) {
      guard case .text(let text) = event else { continue }
      do throws(JSONReadError) {
        let frame = RPCFrame(try JSON(parsing: text))
        onText?(frame.method == nil ? .answer : .notification, String(decoding: text, as: UTF8.self))
        return frame
      } catch {
        throw .protocolViolation("a line that is not JSON: \(error)")
      }
    }
    return nil
  }

  private func nextOfReader(within timeout: Duration?) throws(ClientError) -> RPCReader.Event? {
    let clock = ContinuousClock()
    let end = timeout.map { clock.now + $0 }
    while true {
      // The reader got all bytes at once and keeps them.
      var none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
      if let event = reader.next(&none) { return event }
      guard socket.waitForInput(timeout: end.map { max($0 - clock.now, .zero) }) else { return nil }
      input.removeAll(keepingCapacity: true)
      guard try socket.read(into: &input) else {
        throw .disconnected(socket: socket.path, reason: lastWord ?? "the daemon closed it")
      }
      input.withUnsafeBufferPointer { reader.keep($0) }
    }
  }

  /// Remembers messages about the connection as a whole.
  private func note(_ event: RPCReader.Event) {
    switch event {
    case .response(nil, _, let error?):
      let refusal = RemoteError(RPCError(received: error.value()))
      self.refusal = refusal
      lastWord = refusal.description
    case .request(let request):
      let method = String(decoding: request.method, as: UTF8.self)
      if PushMethod(wireName: method) == .serverDraining { lastWord = "the daemon is ending" }
    default: break
    }
  }

  private static func kind(of event: RPCReader.Event) -> FormConnection.TextKind {
    switch event {
    case .request: .notification
    case .response: .answer
    case .text, .refused, .batchBegan, .batchEnded, .ended: .unreadable
    }
  }
}
