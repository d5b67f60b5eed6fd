internal import JSON
internal import JSONRPC

/// What was counted, for the daemon's statistics.
package enum RPCCount {
  /// A text or an envelope that could not be accepted.
  case badText
  /// An answer to a request that we did not make.
  case unknownResponse
}

/// Who answers the requests of a connection.
protocol RPCHandler: AnyObject {
  /// A request or notification arrived. Its views end with the call; a token that wants an answer must get one, now or later.
  func received(_ request: RPCRequest, _ token: RequestToken)
  /// A text arrived that nobody has read. A handler that recognises the whole of it as a request handles the request and says so.
  func recognises(_ text: UnsafeBufferPointer<UInt8>) -> Bool
  /// The other side answered our request of that number.
  func answered(_ number: Int, result: JSONNode?, error: JSONNode?)
  /// The connection has its first unflushed byte.
  func outputBegan()
  /// Something worth counting happened.
  func counted(_ what: RPCCount)
}

/// Temporary: a reader and a writer in the shape that the connection was built on before they came.
final class RPCConnection {
  private let pool: OutputPool
  private var reader: RPCReader
  private var writer: RPCWriter
  /// Set right after init; the handler owns the connection.
  unowned(unsafe) var handler: (any RPCHandler)!

  /// While true nothing more is handled; what arrives is held.
  var isPaused = false
  /// Nothing more is read.
  private(set) var isFinished = false
  private var isInBatch = false
  /// The handler knows that there is output.
  private var outputIsKnown = false

  init(limits: RPCLimits, pool: OutputPool) {
    self.pool = pool
    reader = RPCReader(limits: limits)
    writer = RPCWriter(pool: pool)
  }

  var unanswered: Int { writer.unanswered }
  var outputBytes: Int { writer.unflushedBytes }

  // MARK: Input

  func received(_ bytes: UnsafeBufferPointer<UInt8>) {
    var input = bytes
    readOn(&input)
    if !input.isEmpty { reader.hold(input) }
  }

  func resume() {
    isPaused = false
    var none = UnsafeBufferPointer<UInt8>(start: nil, count: 0)
    readOn(&none)
  }

  func inputEnded() {
    reader.inputEnded()
    if !isPaused { resume() }
  }

  func finish() {
    isFinished = true
    reader.close()
  }

  private func readOn(_ input: inout UnsafeBufferPointer<UInt8>) {
    while !isPaused || isInBatch {
      let event = reader.next(&input)
      writer.framing = reader.framing
      guard let event else { return }
      switch event {
      case .text(let text): if !handler.recognises(text) { reader.read(text) }
      case .request(let request): handler.received(request, writer.accepted(request.id))
      case .response(let id, let result, let error):
        if let number = writer.answered(id) {
          handler.answered(number, result: result, error: error)
        } else {
          handler.counted(.unknownResponse)
        }
      case .refused(let id, let error):
        handler.counted(.badText)
        writer.refuse(id, error)
        noteOutput()
      case .batchBegan:
        isInBatch = true
        writer.batchBegan()
      case .batchEnded:
        isInBatch = false
        writer.batchEnded()
        noteOutput()
      case .ended: isFinished = true
      }
    }
  }

  func accept(_ id: Int64) -> RequestToken { writer.accepted(.integer(id)) }

  // MARK: Output

  func beginResult(_ token: RequestToken) -> OutputBuffer { writer.beginResult(token) }

  func endResult(_ token: RequestToken) { endNotification() }

  func fail(_ token: RequestToken, _ error: RPCError) {
    writer.fail(token, error)
    noteOutput()
  }

  func beginNotification(_ method: StaticString) -> OutputBuffer { writer.beginNotification(method) }

  func endNotification() {
    writer.endMessage()
    noteOutput()
  }

  func abandonNotification() { writer.abandonNotification() }

  func beginRequest(_ method: StaticString) -> (number: Int, params: OutputBuffer) { writer.beginRequest(method) }

  func forgetRequest(_ number: Int) { writer.forget(number) }

  func takeOutput(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    outputIsKnown = false
    guard let output = writer.takeOutput() else { return }
    body(output.bytes)
    pool.give(output)
  }

  private func noteOutput() {
    guard !outputIsKnown, writer.unflushedBytes > 0 else { return }
    outputIsKnown = true
    handler.outputBegan()
  }
}
