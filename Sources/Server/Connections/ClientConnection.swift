internal import FormProtocol
internal import Forms
package import JSON
package import JSONRPC
internal import Logging
internal import Sessions
internal import Texts

/// One client: its sessions, what it waits for, and the rules for reading slowly. Bytes come in by ``received(_:)`` and go out by
/// its transport.
package final class ClientConnection {
  /// A request whose answer waits for an outcome.
  struct Wait {
    enum Outcome {
      /// The event of a tap.
      case tap(SessionSlot, UInt64)
      /// The end of a validation's checks.
      case validation(SessionSlot)
    }

    let token: RequestToken
    let outcome: Outcome
  }

  /// Outlives its connections: their handlers hold it. Neither counted nor checked, for it is read several times per request, and
  /// an object with checked references counts slowly.
  unowned(unsafe) let daemon: Daemon
  let rpc: RPCConnection
  /// nil once the connection is gone.
  private(set) var transport: (any ConnectionTransport)?
  /// In the order in which they were opened.
  var sessions: [SessionSlot] = []
  var waits: [Wait] = []
  /// Questions to this client's providers, by the number of our request.
  var evaluations: [Int: (slot: SessionSlot, effect: EffectID, provider: String)] = [:]
  /// Names that this client registered.
  var providerNames: [String] = []
  /// Bytes that its sessions hold, as far as they are counted.
  var valueBytes = 0
  /// Sessions with a definition of its own.
  var definitionCount = 0
  /// `shutdown` was called.
  var isShutDown = false

  /// Whether its unread output is over the soft limit: nothing is read, updates are held back.
  private(set) var isBlocked = false
  /// All is said; the transport ends when it has sent everything.
  private var isClosing = false
  /// Bytes ever written, to see whether a stalled client drains any.
  private var writtenBytes = 0
  /// What was drained when the stall timer was set.
  private var drainedAtStall = 0
  private var hasStallTimer = false

  /// From so many bytes on the output is flushed in the midst of a burst, so that the soft limit is seen in time.
  private static let flushBytes = 64 << 10

  init(daemon: Daemon, transport: any ConnectionTransport) {
    self.daemon = daemon
    self.transport = transport
    rpc = RPCConnection(limits: daemon.limits.rpc, pool: daemon.pool)
    rpc.handler = self
  }

  // MARK: What the transport says

  /// Bytes arrived.
  package func received(_ bytes: UnsafeBufferPointer<UInt8>) {
    daemon.enter()
    rpc.received(bytes)
  }

  /// All that had arrived was passed on: now the answers go out, in one piece.
  package func receivedAll() {
    daemon.leave()
    closeIfFinished()
  }

  /// The other side will send no more; it is still answered.
  package func inputEnded() {
    daemon.enter()
    rpc.inputEnded()
    daemon.leave()
    closeIfFinished()
  }

  /// Enough of the output was taken: there is room again.
  package func roomAgain() {
    guard isBlocked, transport != nil else { return }
    daemon.enter()
    isBlocked = false
    for slot in sessions { releaseHeldBack(slot) }
    flush()
    if !isBlocked {
      rpc.resume()
      flush()
    }
    if !isBlocked { transport?.setReading(true) }
    daemon.leave()
    closeIfFinished()
  }

  /// The connection is gone.
  package func closed() {
    guard transport != nil else { return }
    daemon.enter()
    transport = nil
    rpc.finish()
    endValidations()
    waits = []
    for slot in sessions { end(slot) }
    sessions = []
    for name in providerNames { daemon.providers[UTF8Key(text: name)] = nil }
    providerNames = []
    let open = evaluations.values
    evaluations = [:]
    for evaluation in open where !evaluation.slot.isClosed {
      daemon.answerLater(
        evaluation.slot,
        evaluation.effect,
        EffectResponse(kind: .gone, reason: "its client went away")
      )
    }
    daemon.remove(self)
    daemon.leave()
  }

  // MARK: Output

  /// Hands the output to the transport.
  func flush() {
    rpc.takeOutput { bytes in
      guard let transport, !bytes.isEmpty else { return }
      writtenBytes += bytes.count
      if !transport.write(bytes), !isBlocked { block() }
    }
  }

  private func block() {
    guard let transport else { return }
    isBlocked = true
    rpc.isPaused = true
    transport.setReading(false)
    watchForStall()
  }

  private func watchForStall() {
    guard !hasStallTimer, let transport else { return }
    hasStallTimer = true
    drainedAtStall = writtenBytes - transport.unsentBytes
    daemon.schedule(.stall(self), at: daemon.now + .milliseconds(daemon.limits.stallMs))
  }

  /// The client had its time to drain something.
  func stallTimerFired() {
    hasStallTimer = false
    guard let transport, isBlocked || isClosing else { return }
    if writtenBytes - transport.unsentBytes > drainedAtStall || transport.unsentBytes == 0 {
      watchForStall()
      return
    }
    daemon.statistics.connectionsStalled += 1
    daemon.logger.warning(
      "a client reads nothing and is disconnected",
      metadata: ["unsentBytes": "\(transport.unsentBytes)"]
    )
    transport.abort()
  }

  /// Ends the connection when nothing is left to be said.
  func closeIfFinished() {
    guard let transport, !isClosing, rpc.unanswered == 0, !rpc.isPaused else { return }
    guard rpc.isFinished || daemon.isDraining else { return }
    isClosing = true
    rpc.finish()
    if daemon.isDraining {
      for slot in sessions { writeClosed(slot, reason: "draining") }
    }
    flush()
    transport.closeAfterSending()
    if transport.unsentBytes > 0 { watchForStall() }
  }

  // MARK: The daemon ends

  func drain() {
    let params = rpc.beginNotification("server/draining")
    params.append(#"{"withinMs":"#)
    params.write(daemon.limits.drainMs)
    params.append(byte: UInt8(ascii: "}"))
    rpc.endNotification()
    flush()
    closeIfFinished()
  }

  func drainDeadlinePassed() {
    endValidations()
    let open = waits
    waits = []
    for wait in open { fail(wait.token, .draining) }
    flush()
    rpc.finish()
    rpc.isPaused = false
    closeIfFinished()
  }

  /// Sessions of `form/validate` are known only to those who wait for them.
  private func endValidations() {
    for wait in waits {
      if case .validation(let slot) = wait.outcome { end(slot) }
    }
  }

  // MARK: Answers

  /// Answers with an error; a notification of an input is answered by `server/rejected`.
  func refuse(_ method: Method, _ token: RequestToken, _ error: RPCError) {
    if token.wantsAnswer { return fail(token, error) }
    guard method.isInput else {
      daemon.statistics.notificationsIgnored += 1
      return
    }
    daemon.statistics.notificationsRejected += 1
    let params = rpc.beginNotification("server/rejected")
    params.append(#"{"method":""#)
    params.append(Array(method.rawValue.utf8))
    params.append(#"","error":"#)
    params.write(error)
    params.append(byte: UInt8(ascii: "}"))
    rpc.endNotification()
  }

  func fail(_ token: RequestToken, _ error: RPCError) {
    daemon.statistics.errors += 1
    rpc.fail(token, error)
  }

  /// Answers with a prepared value.
  func answer(_ token: RequestToken, _ result: JSON) {
    guard token.wantsAnswer else { return }
    rpc.beginResult(token).write(result)
    rpc.endResult(token)
  }
}

extension ClientConnection: RPCHandler {
  package func received(_ request: RPCRequest, _ token: RequestToken) {
    if token.wantsAnswer { daemon.statistics.requests += 1 } else { daemon.statistics.notifications += 1 }
    guard let method = Method(utf8: request.method) else {
      let name = String(decoding: request.method.prefix(128), as: UTF8.self)
      if token.wantsAnswer {
        fail(token, .methodNotFound(name, closest: closestName(to: name, among: Method.allCases.map(\.rawValue))))
      } else {
        daemon.statistics.notificationsIgnored += 1
      }
      return
    }
    perform(method, request, token)
    if rpc.outputBytes >= Self.flushBytes { flush() }
  }

  package func recognises(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    // Whatever is out of the ordinary goes the long way, which knows all the answers.
    guard daemon.recognisesPlainInputs, !daemon.isDraining, !isShutDown, let input = PlainInput(text),
      let slot = plainSlot(input.session)
    else { return false }
    guard perform(input, in: slot) else { return false }
    if rpc.outputBytes >= Self.flushBytes { flush() }
    return true
  }

  package func answered(_ number: Int, result: JSONNode?, error: JSONNode?) {
    evaluated(number, result: result, error: error)
  }

  package func outputBegan() {
    daemon.outputBegan(self)
  }

  package func counted(_ what: RPCCount) {
    switch what {
    case .badText: daemon.statistics.badTexts += 1
    case .unknownResponse: daemon.statistics.unknownResponses += 1
    }
  }
}
