package import JSON

/// Bounds on what a connection's other side may send.
package struct RPCLimits: Hashable, Sendable {
  /// Bytes of one text.
  package var textBytesMax: Int
  /// Depth and number of values of one text.
  package var json: JSONLimits
  /// Members of one batch.
  package var batchMax: Int

  /// The documented defaults (protocol/README.md, "Limits").
  package init(textBytesMax: Int = 4 << 20, json: JSONLimits = .message, batchMax: Int = 50) {
    self.textBytesMax = textBytesMax
    self.json = json
    self.batchMax = batchMax
  }
}

/// Where the answer to a request goes. Every token with an `id` is answered exactly once, at once or later.
package struct RequestToken {
  /// nil for a notification, which is never answered.
  package let id: RequestID?
  /// The batch that the answer is part of.
  let batch: RPCBatch?

  /// Whether the sender wants an answer.
  package var wantsAnswer: Bool { id != nil }
}

/// What was counted, for the daemon's statistics.
package enum RPCCount: Hashable, Sendable {
  /// A text or an envelope that could not be accepted.
  case badText
  /// An answer to a request that we did not make.
  case unknownResponse
}

/// Who answers the requests of a connection.
package protocol RPCHandler: AnyObject {
  /// A request or notification arrived. Its views end with the call; a token that wants an answer must get one, now or later.
  func received(_ request: RPCRequest, _ token: RequestToken)
  /// A text arrived and was not looked at yet. A handler that recognises it completely as a request handles it, with the token of
  /// ``RPCConnection/accept(_:)``, and says so; anything else is read as JSON.
  func recognises(_ text: UnsafeBufferPointer<UInt8>) -> Bool
  /// The other side answered our request of that number.
  func answered(_ number: Int, result: JSONNode?, error: JSONNode?)
  /// The connection has its first unflushed byte.
  func outputBegan()
  /// Something worth counting happened.
  func counted(_ what: RPCCount)
}

extension RPCHandler {
  /// Most handlers leave all reading to the JSON reader.
  package func recognises(_ text: UnsafeBufferPointer<UInt8>) -> Bool { false }
}

/// One JSON-RPC 2.0 connection, sans-IO: bytes in, calls of the handler, bytes out.
///
/// It knows framing, envelopes, batches and the answers to bad input (protocol/README.md, "Bad input"); it knows no method. Order
/// is that of arrival: a message is handled to its end before the next is looked at.
package final class RPCConnection {
  private let limits: RPCLimits
  private let pool: OutputPool
  /// Set right after init; the handler owns the connection.
  package unowned(unsafe) var handler: (any RPCHandler)!

  private var framer: MessageFramer
  /// What was read and not yet looked at because the handler had enough; empty unless `isPaused`.
  private var held: [UInt8] = []
  /// While true nothing more is handled; what arrives is held.
  package var isPaused = false
  /// The end of the input was reached; it is processed when `held` is empty.
  private var inputHasEnded = false
  /// Requests that have no answer yet.
  package private(set) var unanswered = 0
  /// Nothing more is read: after a framing fault, `exit` or the end of the input. Close when all is answered and flushed.
  package private(set) var isFinished = false
  /// Unflushed output; nil when there is none.
  private var output: OutputBuffer?
  /// The body of the message that is being written under header framing.
  private var body: OutputBuffer?
  /// Where the message that is being written begins in `output`, under line framing.
  private var messageStart = 0
  /// The number of our last request.
  private var lastRequestNumber = 0
  /// Numbers of our requests without an answer.
  private var openRequests: Set<Int> = []

  /// A fresh connection; set ``handler`` before anything arrives.
  package init(limits: RPCLimits, pool: OutputPool) {
    self.limits = limits
    self.pool = pool
    framer = MessageFramer(textBytesMax: limits.textBytesMax)
  }

  // MARK: Input

  /// Bytes arrived.
  package func received(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard !isFinished else { return }
    if isPaused {
      held.append(contentsOf: bytes)
      return
    }
    var input = bytes
    consume(&input)
    if isPaused && !input.isEmpty { held = Array(input) }
  }

  /// The handler has room again: what was held is handled.
  package func resume() {
    isPaused = false
    if !held.isEmpty {
      let bytes = held
      held = []
      bytes.withUnsafeBufferPointer { received($0) }
    }
    if inputHasEnded && !isPaused { finishInput() }
  }

  /// The other side will send no more. What it sent is still answered.
  package func inputEnded() {
    inputHasEnded = true
    if !isPaused { finishInput() }
  }

  /// Nothing more is read from now on.
  package func finish() {
    isFinished = true
    held = []
  }

  private func finishInput() {
    guard !isFinished else { return }
    if let event = framer.finish() { handle(event) }
    isFinished = true
  }

  private func consume(_ input: inout UnsafeBufferPointer<UInt8>) {
    while !isPaused, !isFinished, let event = framer.next(&input) {
      handle(event)
    }
  }

  private func handle(_ event: MessageFramer.Event) {
    switch event {
    case .message(let text):
      handle(text)
    case .oversized:
      handler.counted(.badText)
      write(
        nil,
        RPCError(
          code: RPCErrorCode.textTooLarge,
          message: "The text is too large",
          data: ["limit": .integer(Int64(limits.textBytesMax))]
        )
      )
    case .fault(let fault):
      handler.counted(.badText)
      write(nil, .parse(["reason": .string(fault.rawValue), "offset": 0]))
      isFinished = true
    }
  }

  /// One whole text.
  private func handle(_ text: UnsafeBufferPointer<UInt8>) {
    if handler.recognises(text) { return }
    do throws(JSONReadError) {
      let tree = try JSONTree(parsing: text)
      if let violation = tree.violation(of: limits.json) {
        refuse(violation, id: tree.root.member("id").flatMap { RequestID($0) })
        return
      }
      let root = tree.root
      if root.kind == .array {
        handleBatch(root, textBytes: text.count)
      } else {
        handle(Envelope(root, textBytes: text.count), batch: nil)
      }
    } catch {
      refuse(error, id: error.isRefusedJSON ? IdentifierScanner.identifier(in: text) : nil)
    }
  }

  private func refuse(_ fault: JSONReadError, id: RequestID?) {
    handler.counted(.badText)
    let reason = fault.reason.rawValue
    switch fault.reason {
    case .depth, .nodes:
      write(id, .invalidRequest(reason: reason, ["path": .string(fault.path ?? "")]))
    case _ where fault.isRefusedJSON:
      write(id, .invalidRequest(reason: reason))
    default:
      write(nil, .parse(["reason": .string(reason), "offset": .integer(Int64(fault.offset))]))
    }
  }

  private func handleBatch(_ root: JSONNode, textBytes: Int) {
    guard root.count > 0 else {
      handler.counted(.badText)
      write(nil, .invalidRequest(reason: "emptyBatch"))
      return
    }
    guard root.count <= limits.batchMax else {
      handler.counted(.badText)
      write(
        nil,
        RPCError(
          code: RPCErrorCode.batchTooLarge,
          message: "The batch has too many members",
          data: ["limit": .integer(Int64(limits.batchMax))]
        )
      )
      return
    }
    let batch = RPCBatch(answers: pool.take())
    // The batch itself counts as unanswered until all its members are read.
    batch.open = 1
    for index in 0..<root.count {
      handle(Envelope(root.element(index), textBytes: textBytes), batch: batch)
    }
    memberAnswered(batch)
  }

  private func handle(_ envelope: Envelope, batch: RPCBatch?) {
    switch envelope {
    case .request(let request):
      if request.id != nil {
        unanswered += 1
        batch?.open += 1
      }
      handler.received(request, RequestToken(id: request.id, batch: batch))
    case .response(let id, let result, let error):
      if case .string(let text) = id, let number = Self.ownNumber(text), openRequests.remove(number) != nil {
        handler.answered(number, result: result, error: error)
      } else {
        handler.counted(.unknownResponse)
      }
    case .invalid(let id, let reason):
      handler.counted(.badText)
      let error = RPCError.invalidRequest(reason: reason)
      guard let batch else { return write(id, error) }
      batch.beginAnswer()
      batch.answers.writeError(id, error)
    }
  }

  /// The token of a request that the handler has recognised by itself.
  package func accept(_ id: Int64) -> RequestToken {
    unanswered += 1
    return RequestToken(id: .integer(id), batch: nil)
  }

  // MARK: Answers

  /// Begins the answer to a request that wants one; the result is to be written into the buffer that comes back, then
  /// ``endResult(_:)`` called. Nothing else may be written to the connection in between.
  package func beginResult(_ token: RequestToken) -> OutputBuffer {
    let buffer: OutputBuffer
    if let batch = token.batch {
      batch.beginAnswer()
      buffer = batch.answers
    } else {
      buffer = beginMessage()
    }
    buffer.beginResult(token.id)
    return buffer
  }

  /// Ends what ``beginResult(_:)`` began.
  package func endResult(_ token: RequestToken) {
    unanswered -= 1
    if let batch = token.batch {
      batch.answers.endEnvelope()
      memberAnswered(batch)
    } else {
      bodyInProgress.endEnvelope()
      endMessage()
    }
  }

  /// Answers a request with an error; nothing for a notification.
  package func fail(_ token: RequestToken, _ error: RPCError) {
    guard token.wantsAnswer else { return }
    unanswered -= 1
    if let batch = token.batch {
      batch.beginAnswer()
      batch.answers.writeError(token.id, error)
      memberAnswered(batch)
    } else {
      write(token.id, error)
    }
  }

  private func memberAnswered(_ batch: RPCBatch) {
    batch.open -= 1
    guard batch.open == 0 else { return }
    if batch.hasAnswers {
      let buffer = beginMessage()
      buffer.append(batch.answers.bytes)
      buffer.append(byte: UInt8(ascii: "]"))
      endMessage()
    }
    pool.give(batch.answers)
  }

  private func write(_ id: RequestID?, _ error: RPCError) {
    beginMessage().writeError(id, error)
    endMessage()
  }

  // MARK: Our own messages

  /// Begins a notification; its params are to be written into the buffer that comes back, then ``endNotification()`` called.
  @inline(__always)
  package func beginNotification(_ method: StaticString) -> OutputBuffer {
    let buffer = beginMessage()
    buffer.beginNotification(method)
    return buffer
  }

  /// Ends what ``beginNotification(_:)`` or ``beginRequest(_:)`` began.
  @inline(__always)
  package func endNotification() {
    bodyInProgress.endEnvelope()
    endMessage()
  }

  /// Takes back a notification that was begun and turned out to say nothing.
  package func abandonNotification() {
    if let body {
      self.body = nil
      pool.give(body)
    } else {
      output?.truncate(to: messageStart)
    }
  }

  /// Begins a request of ours; ``endNotification()`` follows the params. The answer comes to the handler under that number.
  package func beginRequest(_ method: StaticString) -> (number: Int, params: OutputBuffer) {
    lastRequestNumber += 1
    openRequests.insert(lastRequestNumber)
    let buffer = beginMessage()
    buffer.beginRequest(Self.requestText(lastRequestNumber), method)
    return (lastRequestNumber, buffer)
  }

  /// An answer to that request is no longer waited for; one that comes all the same is counted as unknown.
  package func forgetRequest(_ number: Int) {
    openRequests.remove(number)
  }

  /// The id of our request of that number.
  private static func requestText(_ number: Int) -> String { "formd:\(number)" }

  /// The number of our request with that id. Another spelling of the number (`formd:+1`) is not ours.
  private static func ownNumber(_ text: String) -> Int? {
    guard let number = Int(text.dropFirst(6)), text.hasSameUTF8(as: requestText(number)) else { return nil }
    return number
  }

  // MARK: Output

  /// Bytes that wait for ``takeOutput(_:)``.
  package var outputBytes: Int { output?.count ?? 0 }

  /// Hands out all unflushed bytes and forgets them.
  package func takeOutput(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
    guard let output else { return }
    self.output = nil
    body(output.bytes)
    pool.give(output)
  }

  private func beginMessage() -> OutputBuffer {
    let buffer: OutputBuffer
    if let output {
      buffer = output
    } else {
      buffer = pool.take()
      output = buffer
      handler.outputBegan()
    }
    messageStart = buffer.count
    guard framer.framing == .headers else { return buffer }
    // The length stands before the body, so the body is written aside.
    let aside = pool.take()
    body = aside
    return aside
  }

  /// Where the message that was begun is being written.
  private var bodyInProgress: OutputBuffer {
    guard let buffer = body ?? output else { preconditionFailure("no message was begun") }
    return buffer
  }

  private func endMessage() {
    guard let output else { preconditionFailure("no message was begun") }
    guard let body else {
      output.append(byte: 0x0a)
      return
    }
    output.append("Content-Length: ")
    output.write(body.count)
    output.append("\r\n\r\n")
    output.append(body.bytes)
    self.body = nil
    pool.give(body)
  }
}

/// A batch whose answers are being collected (JSON-RPC 2.0, section 6).
final class RPCBatch {
  /// `[`, then the answers so far.
  let answers: OutputBuffer
  /// Members without an answer, and 1 while members are still being read.
  var open = 0
  private(set) var hasAnswers = false

  init(answers: OutputBuffer) {
    self.answers = answers
  }

  /// Another answer follows.
  func beginAnswer() {
    answers.append(byte: hasAnswers ? UInt8(ascii: ",") : UInt8(ascii: "["))
    hasAnswers = true
  }
}
