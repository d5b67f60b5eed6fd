internal import FormProtocol
internal import JSON
internal import JSONRPC

/// JSON-RPC 2.0 over a Unix socket, one text per line: sends requests, and is asked for the next message.
final class RPCConnection {
  private let socket: UnixSocket
  /// The daemon is trusted: a document may be deeper and larger than what the daemon takes from a stranger.
  private var reader = RPCReader(limits: RPCLimits(textBytesMax: .max, json: .file, batchMax: .max))
  /// Room for what one read brings.
  private var input: [UInt8] = []
  private let output = OutputBuffer()
  /// What was posted and not written yet; the bytes before `written` are.
  private var posted: [UInt8] = []
  private var written = 0
  private var lastID: Int64 = 0
  /// Why the connection ends, if the daemon has said so.
  private var lastWord: String?
  /// Whether the daemon has said that somebody has ended the connection.
  private(set) var wasEndedBySomebody = false

  /// Called with each message as it is sent or has arrived.
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

  /// Puts a request behind what is to be written, without waiting.
  ///
  /// - Returns: the id that its answer will have.
  func post(_ method: String, _ writeParams: (OutputBuffer) -> Void) throws(ClientError) -> RequestID {
    let id = compose(method, writeParams)
    finishLine()
    posted += output.bytes
    try flush()
    return id
  }

  /// Whether something that was posted is not written yet.
  var hasPosted: Bool { written < posted.count }

  /// Writes as much of what was posted as is taken at once.
  func flush() throws(ClientError) {
    while hasPosted {
      let count = try posted[written...].withUnsafeBufferPointer { bytes throws(ClientError) in
        try write(bytes, waits: false)
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
    // What was posted before goes before.
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

  /// Writes as many of the bytes as are taken at once, which may be none.
  private func write(_ bytes: UnsafeBufferPointer<UInt8>, waits: Bool) throws(ClientError) -> Int {
    do throws(ClientError) {
      return try socket.write(bytes, waits: waits)
    } catch {
      throw reason(of: error)
    }
  }

  /// The connection has ended, and was found so by writing. What the daemon said before says why.
  private func reason(of error: ClientError) -> ClientError {
    do throws(ClientError) {
      while try nextEvent(within: .zero) != nil {}
    } catch {}
    guard let lastWord else { return error }
    return .disconnected(socket: socket.path, reason: lastWord)
  }

  // MARK: Receiving

  /// The next message. Its views are valid until the next one is asked for.
  ///
  /// - Parameter timeout: nil waits for ever.
  /// - Returns: nil when the time is up.
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

  /// The next message as a value, whatever it is.
  ///
  /// - Parameter timeout: nil waits for ever.
  /// - Returns: nil when the time is up.
  func nextFrame(within timeout: Duration?) throws(ClientError) -> RPCFrame? {
    while let event = try nextOfReader(within: timeout) {
      guard case .text(let text) = event else { continue }
      do throws(JSONReadError) {
        let frame = RPCFrame(try JSON(parsing: text))
        onText?(frame.method == nil ? .answer : .notification, String(decoding: text, as: UTF8.self))
        return frame
      } catch {
        throw .protocolViolation("a line that is no JSON: \(error)")
      }
    }
    return nil
  }

  private func nextOfReader(within timeout: Duration?) throws(ClientError) -> RPCReader.Event? {
    let clock = ContinuousClock()
    let end = timeout.map { clock.now + $0 }
    while true {
      // All bytes are given to the reader at once and kept there.
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

  /// Remembers what is said of the connection as a whole.
  private func note(_ event: RPCReader.Event) {
    switch event {
    case .response(nil, _, let error?):
      let refusal = RemoteError(RPCError(received: error.value()))
      lastWord = refusal.description
      wasEndedBySomebody = refusal.kind == .disconnected
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
