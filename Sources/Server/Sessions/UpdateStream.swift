internal import FormProtocol
internal import Forms
internal import JSON
internal import JSONRPC
internal import SessionCalls
internal import Sessions

/// The details of a turn for one client, beside the patch.
struct ToldDetails {
  var events: [ActionEvent]
  /// The values that it cannot know.
  var ids: [ValueID]

  var isEmpty: Bool { events.isEmpty && ids.isEmpty }
}

/// The updates to the client of one session: the sent part of the document, and the updates held back while the client
/// reads slowly.
struct UpdateStream {
  /// The revision last sent to the client.
  private var delivered = 0
  /// The numbers of the last events that the client has heard, without a gap. Four bytes each, because every session
  /// has them.
  private var heardEvents: Range<Int32> = 1..<1
  private var heldBack: HeldBackUpdate?

  /// ``heardEvents`` as an event's number is kept elsewhere.
  private(set) var heard: Range<Int> {
    get { Int(heardEvents.lowerBound)..<Int(heardEvents.upperBound) }
    set { heardEvents = Int32(newValue.lowerBound)..<Int32(newValue.upperBound) }
  }

  /// The client got the whole document.
  mutating func documentSent(revision: Int) {
    delivered = revision
  }

  /// The client of a kept session got the events after that one, as far as it had not heard them; nil: it got none.
  ///
  /// - Parameter next: the number of the next event.
  mutating func eventsSent(after sequence: Int?, next: Int) {
    let first = sequence.map { min(max($0, 0), next - 1) + 1 } ?? next
    heard = (heard.isEmpty ? first : min(heard.lowerBound, first))..<next
  }

  private mutating func heard(of events: [ActionEvent]) {
    if let last = events.last { heard = heard.lowerBound..<(last.sequence + 1) }
  }

  /// Writes the update of a turn.
  @inline(__always)
  mutating func write(
    _ turn: borrowing Turn,
    of session: LiveSession,
    cause: Cause,
    into writer: inout RPCWriter,
    _ server: FormServer
  ) {
    let head = UpdateHead(session: session.number, revision: turn.revision, from: delivered, cause: cause)
    writer.notify(server.updateHead) { params in
      head.write(into: params)
      server.engine.writePatch(of: turn, in: session.engineSession, into: params)
      if _slowPath(turn.hasDetails) {
        Self.writeDetails(of: turn, head, session, into: params)
      } else {
        UpdateHead.writeTail(into: params)
      }
    }
    delivered = turn.revision
    server.statistics.updates += 1
  }

  /// Writes the members behind the patch of a turn that has more than changed cells.
  @inline(never)
  private static func writeDetails(
    of turn: borrowing Turn,
    _ head: UpdateHead,
    _ session: LiveSession,
    into params: OutputBuffer
  ) {
    var update = SessionUpdate(head, events: turn.events.map { ActionEvent($0) })
    update.addValues(of: turn.told, in: session.engineSession)
    update.writeTail(into: params)
  }

  /// Writes the params of the update of a turn of a kept session, unless they are empty for this client.
  ///
  /// - Parameters:
  ///   - patch: the turn's patch, if it is already written.
  ///   - onlyPublic: whether the client gets only what the form calls public.
  /// - Returns: whether they are not empty.
  mutating func write(
    _ turn: borrowing Turn,
    details: ToldDetails,
    patch: OutputBuffer?,
    of session: LiveSession,
    onlyPublic: Bool,
    cause: Cause,
    into params: OutputBuffer,
    _ server: FormServer
  ) -> Bool {
    let head = UpdateHead(session: session.number, revision: turn.revision, from: delivered, cause: cause)
    head.write(into: params)
    let start = params.count
    if onlyPublic {
      server.engine.writePatch(
        of: session.engineSession,
        server.engine.changes(of: turn),
        onlyPublic: true,
        into: params
      )
    } else if let patch {
      params.append(patch.bytes)
    } else {
      server.engine.writePatch(of: turn, in: session.engineSession, into: params)
    }
    // Perhaps only the value of a field has changed: its sender knows the value. Or nothing of it is public.
    if details.isEmpty {
      if params.count == start + 2 { return false }
      UpdateHead.writeTail(into: params)
    } else {
      var update = SessionUpdate(head, events: session.visibleEvents(details.events, onlyPublic: onlyPublic))
      update.addValues(of: details.ids, in: session.engineSession)
      update.writeTail(into: params)
      heard(of: details.events)
    }
    delivered = turn.revision
    server.statistics.updates += 1
    return true
  }

  /// The client reads too slowly: remembers the updates that it misses.
  mutating func holdBack(_ turn: borrowing Turn, of session: LiveSession, cause: Cause, _ server: FormServer) {
    let details = ToldDetails(events: turn.events.map { ActionEvent($0) }, ids: turn.told)
    holdBack(turn, details: details, of: session, cause: cause, server)
  }

  /// Remembers the updates that the client of a kept session misses.
  mutating func holdBack(
    _ turn: borrowing Turn,
    details: ToldDetails,
    of session: LiveSession,
    cause: Cause,
    _ server: FormServer
  ) {
    let heldBack = heldBack ?? HeldBackUpdate()
    self.heldBack = heldBack
    let bytesBefore = heldBack.bytes
    heldBack.add(
      events: details.events,
      told: details.ids,
      server.engine.changes(of: turn),
      cause: cause,
      limits: server.limits,
      isMemoryFull: server.isMemoryFull
    )
    server.memory.queued += heldBack.bytes - bytesBefore
    server.statistics.updatesHeldBack += 1
  }

  /// The held-back updates are not wanted any more.
  mutating func drop(_ server: FormServer) {
    server.memory.queued -= heldBack?.bytes ?? 0
    heldBack = nil
  }

  /// Sends the held-back updates to the client, as one update, or reports that too much was lost.
  mutating func release(_ session: LiveSession, to connection: ClientConnection) {
    guard let heldBack else { return }
    let server = session.server
    drop(server)
    let params = server.pool.take()
    defer { server.pool.give(params) }
    let revision = session.engineSession.revision
    if heldBack.isDesynchronized {
      let desync = SessionDesync(session: session.number, revision: revision, eventsLost: heldBack.eventCount)
      desync.write(into: params)
      session.notify(connection, server) { $0.notify(SessionDesync.push.wireName) { $0.append(params.bytes) } }
      if let next = session.kept?.nextEvent { heard = next..<next }
      server.statistics.desyncs += 1
    } else {
      let head = UpdateHead(session: session.number, revision: revision, from: delivered, cause: heldBack.cause)
      let onlyPublic = connection.hearsOnlyPublic
      var update = SessionUpdate(head, events: session.visibleEvents(heldBack.events, onlyPublic: onlyPublic))
      update.addValues(of: Array(heldBack.told), in: session.engineSession)
      update.writeHead(into: params)
      let start = params.count
      server.engine.writePatch(of: session.engineSession, heldBack.changes, onlyPublic: onlyPublic, into: params)
      // Every change may have been undone: then the client has missed nothing.
      if params.count == start + 2, heldBack.events.isEmpty, heldBack.told.isEmpty { return }
      update.writeTail(into: params)
      session.notify(connection, server) { $0.notify(server.updateHead) { $0.append(params.bytes) } }
      heard(of: heldBack.events)
      server.statistics.updates += 1
    }
    delivered = revision
  }
}

extension LiveSession {
  /// The events as a client sees them. If it sees only what is public, they have no results of actions that the form
  /// does not call public.
  func visibleEvents(_ events: [ActionEvent], onlyPublic: Bool) -> [ActionEvent] {
    guard onlyPublic else { return events }
    let form = engineSession.form
    return events.map { event in
      if form.action(named: event.action).map({ form.actions[$0].isPublic }) ?? false { return event }
      var event = event
      event.result = nil
      return event
    }
  }
}
