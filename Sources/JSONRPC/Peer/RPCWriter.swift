package import JSON

/// Writes one JSON-RPC 2.0 connection: answers, notifications and requests of ours, into output that the caller takes and sends.
///
/// The writer knows framing and batches, which requests have no answer yet, and which requests of ours are open. One message is
/// written at a time: a `begin…` call hands out the buffer for the result or the params, and ``endMessage()`` ends the message.
package struct RPCWriter: ~Copyable {
  /// The message that is being written. Each case says which may follow.
  private enum Message {
    /// None. Then any other.
    case none
    /// The result of a request that came alone. Then `none`.
    case result
    /// The result of a member of the batch of that number. Then `none`.
    case resultOfMember(batch: Int)
    /// A notification of ours. Then `none`.
    case notification
    /// A request of ours. Then `none`.
    case request
  }

  private let pool: OutputPool
  /// How texts are told apart, as the ``RPCReader`` has found it out; nil, as long as that is not known, means lines.
  package var framing: Framing?
  /// Requests that were accepted and have no answer yet, members of batches included. Exact at any time: every
  /// ``accepted(_:)`` with an id adds one, every answer takes one off.
  package private(set) var unanswered = 0
  /// Unflushed output, never empty between two messages; nil when there is none.
  private var output: OutputBuffer?
  private var message = Message.none
  /// Where the message begins in `output`, under line framing.
  private var messageStart = 0
  /// The message, under header framing; nil between two messages.
  private var body: OutputBuffer?
  /// By number: the batches that are being read or have members without an answer.
  private var batches: [Int: BatchAnswer] = [:]
  private var lastBatch = 0
  /// The batch whose members are being read.
  private var currentBatch: Int?
  /// The number of our last request.
  private var lastRequest = 0
  /// Numbers of our requests without an answer.
  private var openRequests: Set<Int> = []

  /// A writer for a fresh connection; its buffers come from that pool.
  package init(pool: OutputPool) {
    self.pool = pool
  }

  // MARK: What was read

  /// A request (or, without an id, a notification) was accepted; a member of the batch, if one has begun.
  ///
  /// - Returns: the token to answer the request with.
  @inline(__always)
  package mutating func accepted(_ id: RequestID?) -> RequestToken {
    guard id != nil else { return RequestToken(id: nil, batch: nil) }
    unanswered += 1
    if let currentBatch { batches[currentBatch]?.unanswered += 1 }
    return RequestToken(id: id, batch: currentBatch)
  }

  /// What is accepted and refused from now on belongs to one batch, whose answers are collected into one text.
  package mutating func batchBegan() {
    precondition(currentBatch == nil, "a batch began in another")
    lastBatch += 1
    batches[lastBatch] = BatchAnswer()
    currentBatch = lastBatch
  }

  /// The batch has no further members. Its answer is written when all of them have theirs; this may be now.
  package mutating func batchEnded() {
    guard let batch = currentBatch else { preconditionFailure("no batch has begun") }
    currentBatch = nil
    memberEnded(of: batch)
  }

  /// Answers bad input (``RPCReader/Event/refused(id:_:)``).
  package mutating func refuse(_ id: RequestID?, _ error: RPCError) {
    if let currentBatch {
      beginMember(of: currentBatch).writeError(id, error)
    } else {
      writeError(id, error)
    }
  }

  /// An answer with that id arrived.
  ///
  /// - Returns: the number of the request of ours that it answers, which is no longer open; nil if none waits for it.
  package mutating func answered(_ id: RequestID?) -> Int? {
    // Another spelling of the number, as in formd:+1, is not ours.
    guard case .string(let text) = id, let number = Int(text.dropFirst(Self.requestIDPrefix.count)),
      id == Self.requestID(number)
    else { return nil }
    return openRequests.remove(number)
  }

  // MARK: Answers

  /// Begins the answer to a request that wants one.
  ///
  /// - Returns: where the result goes; ``endMessage()`` follows.
  @inline(__always)
  package mutating func beginResult(_ token: RequestToken) -> OutputBuffer {
    precondition(token.wantsAnswer, "a notification is not answered")
    let buffer: OutputBuffer
    if let batch = token.batch {
      buffer = beginMember(of: batch)
      message = .resultOfMember(batch: batch)
    } else {
      buffer = begin(.result)
    }
    buffer.beginResult(token.id)
    return buffer
  }

  /// Answers a request with an error; writes nothing for a notification.
  package mutating func fail(_ token: RequestToken, _ error: RPCError) {
    guard token.wantsAnswer else { return }
    requestAnswered()
    if let batch = token.batch {
      beginMember(of: batch).writeError(token.id, error)
      memberEnded(of: batch)
    } else {
      writeError(token.id, error)
    }
  }

  // MARK: Our own messages

  /// Begins a notification.
  ///
  /// - Returns: where the params go; ``endMessage()`` or ``abandonNotification()`` follows.
  @inline(__always)
  package mutating func beginNotification(_ method: StaticString) -> OutputBuffer {
    let buffer = begin(.notification)
    buffer.beginNotification(method)
    return buffer
  }

  /// Takes back a notification that was begun and turned out to say nothing.
  package mutating func abandonNotification() {
    guard case .notification = message else { preconditionFailure("not a notification is written, but \(message)") }
    message = .none
    if let body {
      self.body = nil
      pool.give(body)
    } else if let output {
      output.truncate(to: messageStart)
      guard messageStart == 0 else { return }
      self.output = nil
      pool.give(output)
    }
  }

  /// Begins a request of ours. It is open until it is ``answered(_:)`` or ``forget(_:)`` is called.
  ///
  /// - Returns: the number of the request, and where the params go; ``endMessage()`` follows.
  package mutating func beginRequest(_ method: StaticString) -> (number: Int, params: OutputBuffer) {
    lastRequest += 1
    openRequests.insert(lastRequest)
    let buffer = begin(.request)
    buffer.beginRequest(Self.requestID(lastRequest), method)
    return (lastRequest, buffer)
  }

  /// No answer to that request of ours is waited for any more; one that comes all the same is unknown.
  package mutating func forget(_ number: Int) {
    openRequests.remove(number)
  }

  /// The id of our request of that number.
  package static func requestID(_ number: Int) -> RequestID { .string("\(requestIDPrefix)\(number)") }

  private static let requestIDPrefix = "formd:"

  // MARK: One message

  /// Ends the message that was begun.
  @inline(__always)
  package mutating func endMessage() {
    switch message {
    case .none: preconditionFailure("no message was begun")
    case .notification, .request: break
    case .result: requestAnswered()
    case .resultOfMember(let batch):
      endResult(ofMemberOf: batch)
      return
    }
    message = .none
    (body ?? output)?.endEnvelope()
    endText()
  }

  @inline(__always)
  private mutating func begin(_ message: Message) -> OutputBuffer {
    let buffer = beginText()
    self.message = message
    return buffer
  }

  /// Writes a whole error response.
  private mutating func writeError(_ id: RequestID?, _ error: RPCError) {
    beginText().writeError(id, error)
    endText()
  }

  @inline(__always)
  private func checkNothingIsWritten() {
    guard case .none = message else { preconditionFailure("a message is not ended: \(message)") }
  }

  @inline(__always)
  private mutating func requestAnswered() {
    precondition(unanswered > 0, "an answer to a request that has one")
    unanswered -= 1
  }

  // MARK: Batches

  /// Where the next answer to a member of that batch goes.
  private mutating func beginMember(of batch: Int) -> OutputBuffer {
    checkNothingIsWritten()
    guard let answer = batches[batch]?.next(from: pool) else { preconditionFailure("batch \(batch) was answered") }
    return answer
  }

  private mutating func endResult(ofMemberOf batch: Int) {
    message = .none
    requestAnswered()
    batches[batch]?.text?.endEnvelope()
    memberEnded(of: batch)
  }

  /// One member less is without an answer; after the last the whole answer is written, unless nobody wants one.
  private mutating func memberEnded(of batch: Int) {
    batches[batch]?.unanswered -= 1
    guard batches[batch]?.unanswered == 0, let answers = batches.removeValue(forKey: batch)?.text else { return }
    let text = beginText()
    text.append(answers.bytes)
    text.append(byte: UInt8(ascii: "]"))
    endText()
    pool.give(answers)
  }

  // MARK: Output

  /// Bytes that wait for ``takeOutput()``; 0 means that there is nothing to flush.
  package var unflushedBytes: Int { output?.count ?? 0 }

  /// Hands out all unflushed bytes, nil if there are none. The caller gives the buffer back to the pool when the bytes are sent.
  package mutating func takeOutput() -> OutputBuffer? {
    checkNothingIsWritten()
    let taken = output
    output = nil
    return taken
  }

  /// Begins one text in the framing of the connection.
  @inline(__always)
  private mutating func beginText() -> OutputBuffer {
    checkNothingIsWritten()
    let buffer: OutputBuffer
    if framing == .headers {
      // The length stands before the body, so the body is written aside.
      buffer = pool.take()
      body = buffer
    } else {
      buffer = borrowedOutput()
      messageStart = buffer.count
    }
    return buffer
  }

  @inline(__always)
  private mutating func endText() {
    if let body { endBody(body) } else { output?.append(byte: 0x0a) }
  }

  private mutating func endBody(_ body: OutputBuffer) {
    let output = borrowedOutput()
    output.append("Content-Length: ")
    output.write(body.count)
    output.append("\r\n\r\n")
    output.append(body.bytes)
    self.body = nil
    pool.give(body)
  }

  /// The unflushed output; a buffer is borrowed for its first byte.
  @inline(__always)
  private mutating func borrowedOutput() -> OutputBuffer {
    if let output { return output }
    let buffer = pool.take()
    output = buffer
    return buffer
  }
}

/// The answer to one batch, as far as it is collected (JSON-RPC 2.0, section 6).
private struct BatchAnswer {
  /// `[` and the answers so far; nil before the first.
  private(set) var text: OutputBuffer?
  /// Members without an answer, and one more while members are still being read.
  var unanswered = 1

  /// Where the next member's answer goes.
  mutating func next(from pool: OutputPool) -> OutputBuffer {
    if let text {
      text.append(byte: UInt8(ascii: ","))
      return text
    }
    let buffer = pool.take()
    buffer.append(byte: UInt8(ascii: "["))
    text = buffer
    return buffer
  }
}
