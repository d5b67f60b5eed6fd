internal import Forms
internal import JSON
internal import JSONRPC
internal import Logging
internal import Sessions

/// What is done with a turn.
extension ClientConnection {
  /// Writes the update of a turn, starts and cancels its effects, sets the session's timer, and answers who waited for the turn.
  ///
  /// - Parameter concludes: whether a validation may be over with this turn.
  func route(_ turn: Turn, of slot: SessionSlot, cause: StaticString, concludes: Bool = true) {
    if turn.hasUpdate && !slot.isHidden {
      if isBlocked {
        hold(turn, cause, slot)
      } else {
        writeUpdate(turn, of: slot, cause: cause)
      }
    }
    if !turn.cancels.isEmpty { cancelEffects(turn.cancels, of: slot) }
    if !turn.starts.isEmpty { startEffects(turn.starts, of: slot) }
    if !turn.faults.isEmpty { log(turn.faults, of: slot) }
    if let deadline = slot.session.deadline, slot.timerDeadline != deadline {
      slot.timerDeadline = deadline
      daemon.schedule(.session(slot), at: deadline)
    }
    if !waits.isEmpty && concludes { answerWaits(of: slot, turn) }
  }

  /// A session's time has come.
  func timerFired(_ slot: SessionSlot) {
    let turn = daemon.engine.apply(.timer, to: slot.session, at: daemon.now)
    route(turn, of: slot, cause: "timer")
    closeIfFinished()
  }

  // MARK: Updates

  private func writeUpdate(_ turn: Turn, of slot: SessionSlot, cause: StaticString) {
    let params = beginUpdate(slot, revision: turn.revision, cause: cause)
    daemon.engine.writePatch(of: turn, in: slot.session, into: params)
    if !turn.events.isEmpty {
      params.append(#","events":["#)
      var isFirst = true
      for event in turn.events {
        if !isFirst { params.append(byte: UInt8(ascii: ",")) }
        isFirst = false
        params.write(event)
      }
      params.append(byte: UInt8(ascii: "]"))
    }
    params.append(byte: UInt8(ascii: "}"))
    rpc.endNotification()
    slot.delivered = turn.revision
    daemon.statistics.updates += 1
  }

  /// Writes an update up to where its patch goes.
  @inline(__always)
  private func beginUpdate(_ slot: SessionSlot, revision: Int, cause: StaticString) -> OutputBuffer {
    let params = rpc.beginNotification("session/update")
    params.append(#"{"session":"#)
    params.write(slot.id)
    params.append(#","revision":"#)
    params.write(revision)
    params.append(#","from":"#)
    params.write(slot.delivered)
    params.append(#","cause":""#)
    params.append(cause)
    params.append(#"","patch":"#)
    return params
  }

  /// The client reads too slowly: remembers what it misses.
  private func hold(_ turn: Turn, _ cause: StaticString, _ slot: SessionSlot) {
    let heldBack = slot.heldBack ?? HeldBackUpdate()
    slot.heldBack = heldBack
    let scratch = daemon.pool.take()
    heldBack.add(
      turn,
      daemon.engine.changes(of: turn),
      cause: cause,
      limits: daemon.limits,
      scratch: scratch
    )
    daemon.pool.give(scratch)
    daemon.statistics.updatesHeldBack += 1
  }

  /// Writes what was held back, as one update, or says that too much was lost.
  func releaseHeldBack(_ slot: SessionSlot) {
    guard let heldBack = slot.heldBack else { return }
    slot.heldBack = nil
    let revision = slot.session.revision
    if heldBack.isDesynchronised {
      let params = rpc.beginNotification("session/desync")
      params.append(#"{"session":"#)
      params.write(slot.id)
      params.append(#","revision":"#)
      params.write(revision)
      params.append(#","eventsLost":"#)
      params.write(heldBack.eventCount)
      params.append(byte: UInt8(ascii: "}"))
      rpc.endNotification()
      daemon.statistics.desyncs += 1
    } else {
      let params = beginUpdate(slot, revision: revision, cause: heldBack.cause)
      let start = params.count
      daemon.engine.writePatch(of: slot.session, heldBack.changes, into: params)
      if params.count == start + 2 && heldBack.eventCount == 0 {
        // All of it was changed back: the client has missed nothing.
        rpc.abandonNotification()
        return
      }
      if heldBack.eventCount > 0 {
        params.append(#","events":["#)
        params.append(heldBack.events)
        params.append(byte: UInt8(ascii: "]"))
      }
      params.append(byte: UInt8(ascii: "}"))
      rpc.endNotification()
      daemon.statistics.updates += 1
    }
    slot.delivered = revision
  }

  func writeClosed(_ slot: SessionSlot, reason: StaticString) {
    let params = rpc.beginNotification("session/closed")
    params.append(#"{"session":"#)
    params.write(slot.id)
    params.append(#","reason":""#)
    params.append(reason)
    params.append(#""}"#)
    rpc.endNotification()
  }

  // MARK: Effects

  private func startEffects(_ effects: [Effect], of slot: SessionSlot) {
    for effect in effects {
      daemon.statistics.effectsStarted += 1
      if case .provider(let request) = effect.request {
        ask(request, for: effect, of: slot)
        continue
      }
      let id = effect.id
      let cancel = daemon.environment.perform(effect) { [unowned(unsafe) daemon] response in
        // The run is cancelled when the session is closed, and the daemon outlives all runs.
        guard !slot.isClosed else { return }
        daemon.enter()
        slot.connection.effectEnded(slot, id, response)
        daemon.leave()
      }
      slot.runs.append((id, cancel))
    }
  }

  private func cancelEffects(_ effects: [EffectID], of slot: SessionSlot) {
    for effect in effects {
      guard let position = slot.runs.firstIndex(where: { $0.effect == effect }) else { continue }
      slot.runs.remove(at: position).cancel()
    }
  }

  /// An effect has its answer.
  func effectEnded(_ slot: SessionSlot, _ effect: EffectID, _ response: EffectResponse) {
    guard !slot.isClosed else { return }
    slot.runs.removeAll { $0.effect == effect }
    if slot.runs.isEmpty { slot.runs = [] }
    if response.kind != .ok {
      daemon.logger.info(
        "an effect failed",
        metadata: [
          "form": "\(slot.session.form.name.forLog)", "session": "\(slot.id)", "kind": "\(response.kind.rawValue)",
          "reason": "\((response.reason ?? "").forLog)",
        ]
      )
    }
    let turn = daemon.engine.apply(.effect(effect, response), to: slot.session, at: daemon.now)
    route(turn, of: slot, cause: "effect")
    closeIfFinished()
  }

  private func log(_ faults: [Fault], of slot: SessionSlot) {
    daemon.statistics.faults += faults.count
    for fault in faults {
      daemon.logger.notice(
        "a formula had a run-time error",
        metadata: [
          "form": "\(slot.session.form.name.forLog)", "session": "\(slot.id)", "formula": "\(fault.formula.forLog)",
          "reason": "\(fault.message.forLog)",
        ]
      )
    }
  }

  // MARK: Waiting requests

  private func answerWaits(of slot: SessionSlot, _ turn: Turn) {
    for event in turn.events {
      let position = waits.firstIndex { wait in
        if case .tap(let other, let token) = wait.outcome { other === slot && token == event.token } else { false }
      }
      guard let position else { continue }
      let wait = waits.remove(at: position)
      // After an answer the client's document is current, however slowly it reads.
      releaseHeldBack(slot)
      let result = rpc.beginResult(wait.token)
      result.append(#"{"revision":"#)
      result.write(turn.revision)
      result.append(#","event":"#)
      result.write(event)
      result.append(byte: UInt8(ascii: "}"))
      rpc.endResult(wait.token)
    }
    if slot.isHidden { concludeValidation(slot) }
    if waits.isEmpty { waits = [] }
  }

  /// The session is gone: who waited for it is told so.
  func failWaits(of slot: SessionSlot) {
    guard !waits.isEmpty else { return }
    var open: [Wait] = []
    for wait in waits {
      if case .tap(let other, _) = wait.outcome, other === slot {
        fail(
          wait.token,
          RPCError(
            code: RPCErrorCode.requestCancelled,
            message: "Request cancelled",
            data: ["reason": "sessionClosed"]
          )
        )
      } else {
        open.append(wait)
      }
    }
    waits = open
  }
}
