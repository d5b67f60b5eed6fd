internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import Logging
internal import Sessions
internal import Texts
internal import Times

/// A session as the server has it: the engine's session, and everything around it that a turn touches.
final class LiveSession {
  /// The session's number, never used again while the daemon runs; 0 for one that its client does not know.
  let number: Int64
  let engineSession: Session
  unowned(unsafe) let server: FormServer
  /// The client of the session: the connection with which it ends. Of a kept session it is the first client, or nil
  /// while there is none. The session counts for it. Read only while the session is not closed; the connection closes
  /// or leaves its sessions before it goes.
  var connection: ClientConnection? {
    get { client?.takeUnretainedValue() }
    set { client = newValue.map { .passUnretained($0) } }
  }
  /// The same, for what each turn does: no reference to it is counted.
  private var client: Unmanaged<ClientConnection>?
  /// The state of the updates to the client of ``connection``.
  var updates = UpdateStream()
  /// The part of a session that outlives its connections; nil for any other session.
  let kept: KeptSession?
  /// The text that is judged by a session of ``Method/textValidate``.
  let text: ReadText?
  /// Effects under way.
  private var effects = RunningEffects()
  /// The session's next wake-up.
  private var timer: (deadline: Instant, ticket: TimerQueue.Ticket)?
  /// Whether the session was opened with a definition of the client's.
  let hasOwnDefinition: Bool
  /// The counts of the session's form.
  private let counts: NamedCounts.Form
  private(set) var isClosed = false

  init(
    number: Int64,
    session: Session,
    text: ReadText?,
    connection: ClientConnection,
    kept: KeptSession?,
    hasOwnDefinition: Bool
  ) {
    self.number = number
    engineSession = session
    self.text = text
    server = connection.server
    client = .passUnretained(connection)
    self.kept = kept
    self.hasOwnDefinition = hasOwnDefinition
    counts = server.namedCounts.form(hasOwnDefinition ? "" : engineSession.form.name)
  }

  /// A kept session without clients that replaces an earlier one.
  init(insteadOf earlier: LiveSession, _ session: Session) {
    number = earlier.number
    engineSession = session
    text = nil
    server = earlier.server
    client = nil
    kept = earlier.kept
    hasOwnDefinition = earlier.hasOwnDefinition
    counts = earlier.counts
  }

  /// A session from the store, which has no client yet.
  init(restored session: Session, _ kept: KeptSession, hasOwnDefinition: Bool, _ server: FormServer) {
    number = server.nextSessionNumber()
    engineSession = session
    text = nil
    self.server = server
    client = nil
    self.kept = kept
    self.hasOwnDefinition = hasOwnDefinition
    counts = server.namedCounts.form(hasOwnDefinition ? "" : engineSession.form.name)
    session.isAttended = false
  }

  /// The bytes that the session keeps for its clients, in ``MemoryAccounts/values``: the bytes of the engine's session,
  /// and the events for clients that come back.
  var contentAndEventBytes: Int { engineSession.contentBytes + (kept?.eventBytes ?? 0) }

  /// The bytes of the session itself in ``MemoryAccounts/sessions``.
  var structureBytes: Int {
    Self.structureBytes(engineSession, text: text, hasOwnDefinition: hasOwnDefinition, isKept: kept != nil)
  }

  /// The bytes of a session that is about to be made.
  static func structureBytes(_ session: Session, text: ReadText?, hasOwnDefinition: Bool, isKept: Bool) -> Int {
    session.structureBytes + (hasOwnDefinition ? session.form.memoryBytes : 0) + (text?.memoryBytes ?? 0)
      + (isKept ? KeptSession.structureBytes : 0)
  }

  /// Whether the session belongs to ``Method/formValidate`` or ``Method/textValidate``: only the request that waits for
  /// it knows it.
  var isValidation: Bool { number == 0 }

  // MARK: Turns

  /// The taker of the slices in which the session works without a message.
  var taker: any SliceTaker { connection ?? server.unattended }

  /// Checks that the connection that the session counts for has room for the values of an input of a client, and that
  /// the store can take them.
  ///
  /// - Throws: ``FormErrorCode/overloaded`` or ``FormErrorCode/quotaExceeded``.
  func checkRoomAndStore(
    for input: Input,
    from sender: ClientConnection,
    _ server: FormServer
  ) throws(RPCError) {
    // Most sessions have one client.
    if client?.toOpaque() == Unmanaged.passUnretained(sender).toOpaque() {
      try sender.checkRoom(for: input, in: self, server)
    } else {
      try connection?.checkRoom(for: input, in: self, server)
    }
    try checkStore(server)
  }

  /// Applies an input, and carries out its turn.
  ///
  /// - Parameters:
  ///   - sender: the client that has sent the input; nil if a time has come, or an effect has its answer.
  ///   - beforeCarryingOut: called with the turn before it is carried out.
  /// - Returns: the turn.
  @inline(__always)
  @discardableResult
  func apply(
    _ input: consuming Input,
    cause: Cause,
    from sender: ClientConnection?,
    _ server: FormServer,
    beforeCarryingOut: (borrowing Turn) -> Void = { _ in }
  ) -> Turn {
    if case .tap(let action) = input { sender?.audit(tap: engineSession.form.actions[action].name, of: self) }
    let turn = compute(input, from: sender.map(self.sender) ?? .nobody, server)
    beforeCarryingOut(turn)
    carryOut(turn, cause: cause, server)
    return turn
  }

  /// Computes the turn of an input. ``carryOut(_:cause:_:)`` is to follow. If several clients have a kept session, the
  /// other clients are to get the values that the input gives to fields.
  ///
  /// - Parameter sender: nobody if the session is not kept.
  @inline(__always)
  func compute(_ input: consuming Input, from sender: Sender, _ server: FormServer) -> Turn {
    let bytesBefore = engineSession.contentBytes
    let noted = kept?.needsSenders ?? false ? sender : nil
    let turn = server.engine.apply(input, to: engineSession, by: noted, at: server.now)
    contentBytesGrew(by: engineSession.contentBytes &- bytesBefore, server)
    return turn
  }

  /// Changes the engine's session or the kept events, and counts the bytes that they take then.
  func countingBytes<Result>(_ change: () -> Result) -> Result {
    let bytesBefore = contentAndEventBytes
    let result = change()
    contentBytesGrew(by: contentAndEventBytes &- bytesBefore, server)
    return result
  }

  /// The session keeps so many bytes more, or fewer: counts them in the account that it has.
  @inline(__always)
  private func contentBytesGrew(by growth: Int, _ server: FormServer) {
    if let client {
      client._withUnsafeGuaranteedRef { $0.sessions.contentBytesGrew(by: growth, server) }
    } else {
      server.memory.values &+= growth
    }
  }

  /// The exceeded limit of the session's connection or of the daemon, with the bytes for which there is still room. It
  /// is nil if no limit is exceeded, and for a closed session.
  var exceededLimit: (limit: Limit, roomBytes: Int)? {
    if isClosed { return nil }
    if let connection { return connection.sessions.exceededLimit(server) }
    return server.exceededLimit.map { ($0, ConnectionSessions.reservedBytes - contentAndEventBytes) }
  }

  /// Carries out a turn: writes the update to all clients, cancels and starts effects, sets the timer, and answers the
  /// requests that waited for its results. Every turn of the server ends here.
  @inline(__always)
  func carryOut(_ turn: borrowing Turn, cause: Cause, _ server: FormServer) {
    // The update goes out when the entry ends: no connection is lost over it, and no session with it.
    assert(!isClosed)
    if turn.hasUpdate && !isValidation {
      if _slowPath(kept != nil) {
        notifyAll(of: turn, cause, server)
      } else {
        client?._withUnsafeGuaranteedRef { $0.sendUpdate(of: turn, in: self, cause: cause, server) }
      }
    }
    counts.countTurn()
    if _slowPath(turn.hasDetails) { carryOutDetails(of: turn) }
    updateTimer()
    if _slowPath(isValidation || kept != nil) { endOfTurn(server) }
    if _slowPath(server.logsTurns) { log(turn) }
  }

  /// Sends the changes to all clients of a kept session.
  @inline(never)
  private func notifyAll(of turn: borrowing Turn, _ cause: Cause, _ server: FormServer) {
    guard let kept else { return }
    if kept.needsDetails(of: turn) { return kept.notifyAll(of: turn, in: self, cause: cause, server) }
    client?._withUnsafeGuaranteedRef { $0.sendUpdate(of: turn, in: self, cause: cause, server) }
  }

  /// Continues for the request that waits for the verdict, or for the data of a kept session.
  @inline(never)
  private func endOfTurn(_ server: FormServer) {
    if isValidation { FormValidateMethod.conclude(self) } else { kept?.turnEnded(of: self, server) }
  }

  @inline(never)
  private func carryOutDetails(of turn: borrowing Turn) {
    let timeouts = turn.timeouts
    for effect in turn.cancels {
      guard let running = removeEffect(effect) else {
        withdraw(effect)
        continue
      }
      let isLate = timeouts.contains(effect)
      if isLate { ended(running, EffectResponse(kind: .timeout, reason: "no answer in time")) }
      running.cancel(isLate)
    }
    for effect in turn.starts { startWhenStored(effect) }
    if !turn.faults.isEmpty { log(turn.faults) }
    if let connection, !connection.waits.isEmpty { connection.answerWaits(self, turn) }
    if let kept, kept.isShared { for other in kept.furtherClients { other.connection.answerWaits(self, turn) } }
  }

  /// Sets the timer anew if the session's deadline has changed.
  @inline(__always)
  func updateTimer() {
    if _slowPath(engineSession.deadline != timer?.deadline) { setTimer() }
  }

  @inline(never)
  private func setTimer() {
    if let timer { server.timers.cancel(timer.ticket) }
    timer = engineSession.deadline.map { (deadline: $0, ticket: server.schedule(.session(self), at: $0)) }
  }

  /// The session's deadline has come: a turn does what is due.
  func timerFired() {
    guard !isClosed else { return }
    timer = nil
    apply(.timer, cause: .timer, from: nil, server)
    if server.isDraining { server.turnEndedWhileDraining(self) }
  }

  // MARK: Effects

  /// Sends the request of an effect now.
  func start(_ effect: Effect) {
    server.statistics.effectsStarted += 1
    if case .provider(let request) = effect.request {
      // Without a holder the effect fails when the turn under way is over. Until then nothing is to be taken back.
      add(effect, cancel: server.ask(request, for: effect, of: self) ?? { _ in })
      return
    }
    let id = effect.id
    // 0 means all sessions without clients.
    let client = Int(connection?.number ?? 0)
    let cancel = server.environment.perform(effect, client) { [self, unowned(unsafe) server] response in
      // The effect is cancelled when the session is closed, and the server outlives all effects.
      guard !isClosed, server.stage != .ended else { return }
      server.enter()
      taker.perform(.answer(response, to: id, of: self))
      server.endEntry()
    }
    add(effect, cancel: cancel)
  }

  private func add(_ effect: Effect, cancel: @escaping CancelEffect) {
    effects.add(effect, at: server.now, cancel: cancel)
    server.counts.effects += 1
  }

  private func removeEffect(_ effect: EffectID) -> RunningEffect? {
    guard let running = effects.take(effect) else { return nil }
    server.counts.effects -= 1
    return running
  }

  /// An effect has its answer: counts it, logs a failure, and feeds it to the session.
  func effectEnded(_ effect: EffectID, _ response: EffectResponse) {
    guard !isClosed else { return }
    let running = removeEffect(effect)
    ended(running, response)
    apply(.effect(effect, response), cause: .effect, from: nil, server)
    if server.isDraining { server.turnEndedWhileDraining(self) }
  }

  /// Counts an answer, or its absence, and logs a failure.
  private func ended(_ running: RunningEffect?, _ response: EffectResponse) {
    if let running { server.namedCounts.answered(running.target, response.kind, after: server.now - running.start) }
    if response.kind != .ok { log(response, of: running) }
  }

  private func log(_ response: EffectResponse, of running: RunningEffect?) {
    server.statistics.effectsFailed += 1
    let target = running?.target ?? EffectTarget(part: "effect", name: "")
    guard let more = server.effectFailures.failed(target, response.kind, at: server.now) else { return }
    var metadata: Logger.Metadata = [
      "form": "\(engineSession.form.name.forLog)", "session": "\(number)", "kind": "\(response.kind.rawValue)",
      "reason": "\((response.reason ?? "").forLog)",
    ]
    metadata[target.part] = "\(target.name.forLog)"
    if more > 0 { metadata["more"] = "\(more)" }
    server.logger.warning("an effect failed", metadata: metadata)
  }

  /// Logs the parts of the form that a turn has changed: their names, and no value.
  @inline(never)
  private func log(_ turn: borrowing Turn) {
    let changes = server.engine.changes(of: turn)
    let names = changes.prefix(Self.loggedChangesMax).map { engineSession.form.name(ofCell: $0.cell) }
    let events = turn.events.map { "\($0.action):\($0.kind.rawValue)" }
    server.logger.trace(
      "a turn has ended",
      metadata: [
        "form": "\(engineSession.form.name.forLog)", "session": "\(number)", "revision": "\(turn.revision)",
        "changes": "\(changes.count)", "changed": "\(names.joined(separator: ",").forLog)",
        "events": "\(events.joined(separator: ",").forLog)", "effects": "\(turn.starts.count)",
        "cancelled": "\(turn.cancels.count)", "faults": "\(turn.faults.count)",
      ]
    )
  }

  /// A line of the log names so many changed parts at most.
  private static let loggedChangesMax = 32

  private func log(_ faults: [Fault]) {
    server.statistics.faults += faults.count
    counts.countFaults(faults.count)
    for fault in faults {
      server.logger.notice(
        "a formula or the schema had a run-time error",
        metadata: [
          "form": "\(engineSession.form.name.forLog)", "session": "\(number)", "part": "\(fault.name.forLog)",
          "pointer": "\(fault.pointer.forLog)",
          "reason": "\(fault.message.forLog)",
        ]
      )
    }
  }

  // MARK: The end

  /// Cancels all that the session has in flight. It is closed from now on.
  func cancelWork() {
    isClosed = true
    if let timer { server.timers.cancel(timer.ticket) }
    timer = nil
    updates.drop(server)
    let ended = effects.takeAll()
    server.counts.effects -= ended.count
    for running in ended { running.cancel(false) }
  }
}
