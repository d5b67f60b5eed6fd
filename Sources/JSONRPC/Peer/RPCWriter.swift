package import JSON

/// Writes one JSON-RPC 2.0 connection: answers, notifications and requests of ours, into output that the caller takes and sends.
///
/// The writer knows framing and batches, and how many requests have no answer yet. One message is written at a time: a `begin…` call
/// hands out the buffer for the result or the params, and ``endMessage()`` ends the message.
package struct RPCWriter: ~Copyable {
  /// The message that is being written. Each case says which may follow.
  private enum Message {
    /// None. Then any other.
    case none
    /// The result of a request that came alone. Then `none`.
    case result
    /// The result of a member of that batch. Then `none`.
    case resultOfMember(BatchAnswer)
    /// A notification of ours. Then `none`.
    case notification
    /// A request of ours. Then `none`.
    case request
  }

  /// Where the buffers come from.
  package let pool: OutputPool
  /// How texts are told apart, as the ``RPCReader`` has found it out; nil, as long as that is not known, means lines.
  package var framing: Framing?
  /// Requests that were accepted and have no answer yet, members of batches included. Exact at any time: every
  /// ``accepted(_:)`` with an id adds one, every answer takes one off.
  package private(set) var unanswered = 0
  /// Unflushed output, never empty between two messages; nil when there is none.
  private var output: OutputBuffer?
  private var message = Message.none
  /// Where the text that is being written begins in `output`.
  private var textStart = 0
  /// The batch whose members are being read.
  private var currentBatch: BatchAnswer?
  /// The number of our last request.
  private var lastRequest = 0

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
    currentBatch?.unanswered += 1
    return RequestToken(id: id, batch: currentBatch)
  }

  /// What is accepted and refused from now on belongs to one batch, whose answers are collected into one text.
  package mutating func batchBegan() {
    precondition(currentBatch == nil, "a batch began in another")
    currentBatch = BatchAnswer()
  }

  /// The batch has no further members. Its answer is written when all of them have theirs; this may be now.
  package mutating func batchEnded() {
    guard let batch = currentBatch else { preconditionFailure("no batch has begun") }
    currentBatch = nil
    memberEnded(of: batch)
  }

  /// Bytes of the answers to batches that are not finished.
  package private(set) var batchBytes = 0

  /// Answers bad input (``RPCReader/Event/refused(id:_:)``).
  package mutating func refuse(_ id: RequestID?, _ error: RPCError) {
    if let currentBatch {
      beginMember(of: currentBatch).writeError(id, error)
    } else {
      writeError(id, error)
    }
  }

  /// Says why the connection ends, in a text of its own: a batch whose members are still being read may have no answer any more.
  package mutating func writeLastWord(_ error: RPCError) {
    writeError(nil, error)
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
      message = .resultOfMember(batch)
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
    guard let output else { return }
    output.truncate(to: textStart)
    guard textStart == 0 else { return }
    self.output = nil
    pool.give(output)
  }

  /// Begins a request of ours.
  ///
  /// - Returns: the number of the request, and where the params go; ``endMessage()`` follows.
  package mutating func beginRequest(_ method: StaticString) -> (number: Int, params: OutputBuffer) {
    lastRequest += 1
    let buffer = begin(.request)
    buffer.beginRequest(Self.requestID(lastRequest), method)
    return (lastRequest, buffer)
  }

  /// The id of our request of that number.
  package static func requestID(_ number: Int) -> RequestID { .string("\(requestIDPrefix)\(number)") }

  /// The number of our request of that id; nil when no request of ours has such an id.
  package static func requestNumber(_ id: RequestID?) -> Int? {
    // Another spelling of the number, as in formd:+1, is not ours.
    guard case .string(let text) = id, let number = Int(text.dropFirst(requestIDPrefix.count)), number > 0,
      id == requestID(number)
    else { return nil }
    return number
  }

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
    guard let output else { return }
    output.endEnvelope()
    endText(in: output)
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
  private func beginMember(of batch: BatchAnswer) -> OutputBuffer {
    checkNothingIsWritten()
    precondition(batch.unanswered > 0, "an answer to a batch that has all of them")
    return batch.next(from: pool)
  }

  private mutating func endResult(ofMemberOf batch: BatchAnswer) {
    message = .none
    requestAnswered()
    batch.text?.endEnvelope()
    memberEnded(of: batch)
  }

  /// One member less is without an answer; after the last the whole answer is written, unless nobody wants one.
  private mutating func memberEnded(of batch: BatchAnswer) {
    batch.unanswered -= 1
    let bytes = batch.unanswered == 0 ? 0 : batch.text?.count ?? 0
    batchBytes += bytes - batch.countedBytes
    batch.countedBytes = bytes
    guard batch.unanswered == 0, let answers = batch.text else { return }
    answers.append(byte: UInt8(ascii: "]"))
    if output == nil {
      // The answers may be many megabytes, and nothing stands before them.
      checkNothingIsWritten()
      textStart = 0
      output = answers
    } else {
      beginText().append(answers.bytes)
      pool.give(answers)
    }
    endText()
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

  /// Begins one text.
  @inline(__always)
  private mutating func beginText() -> OutputBuffer {
    checkNothingIsWritten()
    let buffer = borrowedOutput()
    textStart = buffer.count
    return buffer
  }

  /// Ends the text, in the framing of the connection.
  @inline(__always)
  private func endText() {
    if let output { endText(in: output) }
  }

  @inline(__always)
  private func endText(in output: OutputBuffer) {
    if framing == .headers { putHeader(into: output) } else { output.append(byte: 0x0a) }
  }

  /// Writes the length of the text behind it and moves that to the front.
  private func putHeader(into output: OutputBuffer) {
    let textEnd = output.count
    output.append("Content-Length: ")
    output.write(textEnd - textStart)
    output.append("\r\n\r\n")
    output.moveBytes(from: textEnd, to: textStart)
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
