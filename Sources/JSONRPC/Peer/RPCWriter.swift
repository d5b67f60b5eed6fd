public import JSON

/// Writes one JSON-RPC 2.0 connection: answers, notifications and requests of ours, into output that the caller takes
/// and sends.
///
/// The writer knows framing and batches, and how many requests have no answer yet. A closure writes one message at a
/// time and gets the buffer for the result or the params. During that time the closure alone has the output, so
/// references to it need not be counted.
@usableFromInline
package struct RPCWriter: ~Copyable {
  /// The source of the buffers.
  package let pool: OutputPool
  /// The framing that the ``RPCReader`` has found; nil while it is unknown, which means lines.
  @usableFromInline package var framing: Framing?
  /// Requests that were accepted and have no answer yet, members of batches included. Exact at any time: every
  /// ``accepted(_:)`` with an id adds one, every answer takes one off.
  package private(set) var unanswered = 0
  /// Unflushed output, never empty between two messages; nil when there is none, and while it is moved out for a
  /// message to be written.
  @usableFromInline var output: OutputBuffer?
  /// Whether a message is being written.
  @usableFromInline var isWriting = false
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

  /// Requests that are accepted and refused from now on belong to one batch, whose answers are collected into one text.
  package mutating func batchBegan() {
    precondition(currentBatch == nil, "a batch begins inside another batch")
    currentBatch = BatchAnswer()
  }

  /// The batch has no further members. Its answer is written when all members have their answers; this may be now.
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

  /// Writes why the connection ends, in a text of its own: a batch whose members are still being read may not be
  /// answered any more.
  package mutating func writeLastWord(_ error: RPCError) {
    writeError(nil, error)
  }

  // MARK: Answers

  /// Answers a request that wants an answer.
  ///
  /// - Parameter write: writes the result.
  package mutating func answer(_ token: RequestToken, _ write: (OutputBuffer) -> Void) {
    guard let id = token.id else { preconditionFailure("a notification is not answered") }
    requestAnswered()
    guard let batch = token.batch else {
      return writeText {
        $0.beginResult(id)
        write($0)
        $0.endEnvelope()
      }
    }
    let buffer = beginMember(of: batch)
    isWriting = true
    buffer.beginResult(id)
    write(buffer)
    buffer.endEnvelope()
    isWriting = false
    memberEnded(of: batch)
  }

  /// Answers a request that came alone and was not accepted. It need not be counted, because nothing else is read
  /// before it has its answer.
  ///
  /// - Parameter write: writes the result.
  @inlinable @inline(__always)
  package mutating func answerAtOnce(_ id: Int64, _ write: (OutputBuffer) -> Void) {
    writeText {
      $0.beginResult(id)
      write($0)
      $0.endEnvelope()
    }
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

  // MARK: Messages that wait

  /// Lets a closure write messages into another buffer instead of the output, for ``send(held:answers:)``.
  ///
  /// - Parameter buffer: if it is nil, the messages get one.
  @inline(__always)
  package mutating func hold(in buffer: inout OutputBuffer?, _ write: (inout RPCWriter) -> Void) {
    checkNothingIsWritten()
    swap(&output, &buffer)
    write(&self)
    swap(&output, &buffer)
  }

  /// Writes the answer to a request that came alone into another buffer. The request has no answer until
  /// ``send(held:answers:)`` or ``fail(_:_:)``.
  ///
  /// - Parameter write: writes the result.
  package mutating func holdAnswer(
    _ token: RequestToken,
    in buffer: inout OutputBuffer?,
    _ write: (OutputBuffer) -> Void
  ) {
    guard let id = token.id, token.batch == nil else {
      preconditionFailure("a notification or a member of a batch has no answer of its own")
    }
    hold(in: &buffer) { writer in
      writer.writeText {
        $0.beginResult(id)
        write($0)
        $0.endEnvelope()
      }
    }
  }

  /// Adds messages that were written into another buffer to the output.
  ///
  /// - Parameter answers: how many requests have their answers in them.
  package mutating func send(held buffer: OutputBuffer, answers: Int) {
    precondition(unanswered >= answers, "a request is answered twice")
    unanswered -= answers
    let output = beginText()
    output.append(buffer.bytes)
    self.output = output
    isWriting = false
  }

  // MARK: Our own messages

  /// Writes a notification.
  ///
  /// - Parameter write: writes the params.
  package mutating func notify(_ method: StaticString, _ write: (OutputBuffer) -> Void) {
    writeText {
      $0.beginNotification(method)
      write($0)
      $0.endEnvelope()
    }
  }

  /// Writes a notification of a method that sends many.
  @inlinable @inline(__always)
  package mutating func notify(_ head: NotificationHead, _ write: (OutputBuffer) -> Void) {
    writeText {
      $0.append(head.bytes)
      write($0)
      $0.endEnvelope()
    }
  }

  /// Writes a request of ours.
  ///
  /// - Parameter write: writes the params.
  /// - Returns: the number of the request.
  package mutating func ask(_ method: StaticString, _ write: (OutputBuffer) -> Void) -> Int {
    lastRequest += 1
    let number = lastRequest
    writeText {
      $0.beginRequest(Self.requestID(number), method)
      write($0)
      $0.endEnvelope()
    }
    return number
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

  @inline(__always)
  private mutating func requestAnswered() {
    precondition(unanswered > 0, "a request is answered twice")
    unanswered -= 1
  }

  // MARK: Batches

  /// The buffer for the next answer to a member of that batch.
  private func beginMember(of batch: BatchAnswer) -> OutputBuffer {
    checkNothingIsWritten()
    precondition(batch.unanswered > 0, "a batch gets more answers than it has requests")
    return batch.next(from: pool)
  }

  /// One member less is without an answer; after the last the whole answer is written, unless no member wants one.
  private mutating func memberEnded(of batch: BatchAnswer) {
    batch.unanswered -= 1
    let bytes = batch.unanswered == 0 ? 0 : batch.text?.count ?? 0
    batchBytes += bytes - batch.countedBytes
    batch.countedBytes = bytes
    guard batch.unanswered == 0, let answers = batch.text else { return }
    answers.append(byte: UInt8(ascii: "]"))
    if output == nil {
      // The answers may be many megabytes, and the output before them is empty.
      checkNothingIsWritten()
      endText(answers, from: 0)
    } else {
      writeText { $0.append(answers.bytes) }
      pool.give(answers)
    }
  }

  // MARK: Output

  /// Bytes that wait for ``takeOutput()``; 0 means that there is nothing to flush, or that a message is being written.
  package var unflushedBytes: Int {
    // Read in place: a copy would count a reference.
    switch output {
    case .some(let output): output.count
    case nil: 0
    }
  }

  /// Hands out all unflushed bytes, nil if there are none. The caller gives the buffer back to the pool when the bytes
  /// are sent.
  package mutating func takeOutput() -> OutputBuffer? {
    checkNothingIsWritten()
    return output.take()
  }

  /// Writes a whole error response.
  private mutating func writeError(_ id: RequestID?, _ error: RPCError) {
    writeText { $0.writeError(id, error) }
  }

  /// Writes one text, in the framing of the connection.
  @inlinable @inline(__always)
  mutating func writeText(_ write: (OutputBuffer) -> Void) {
    let buffer = beginText()
    let start = buffer.count
    write(buffer)
    endText(buffer, from: start)
  }

  /// Moves the output out for one text; a buffer is borrowed for the first.
  @inlinable @inline(__always)
  mutating func beginText() -> OutputBuffer {
    checkNothingIsWritten()
    isWriting = true
    return output.take() ?? borrowedOutput()
  }

  /// Ends the text that begins there, and takes the output back.
  @inlinable @inline(__always)
  mutating func endText(_ buffer: consuming OutputBuffer, from start: Int) {
    switch framing {
    case .headers: putHeader(into: buffer, from: start)
    case .lines, nil: buffer.append(byte: 0x0a)
    }
    // There is nothing to give back: it was taken out when the text began.
    assert(output == nil, "another message was written in between")
    withUnsafeMutablePointer(to: &output) { $0.initialize(to: buffer) }
    isWriting = false
  }

  @inlinable @inline(__always)
  func checkNothingIsWritten() {
    precondition(!isWriting, "a message is not ended")
  }

  @usableFromInline @inline(never)
  func borrowedOutput() -> OutputBuffer { pool.take() }

  /// Writes the header with the text's length after the text, and moves it to the front.
  @usableFromInline @inline(never)
  func putHeader(into output: OutputBuffer, from start: Int) {
    let textEnd = output.count
    output.append("Content-Length: ")
    output.write(textEnd - start)
    output.append("\r\n\r\n")
    output.moveBytes(from: textEnd, to: start)
  }
}
