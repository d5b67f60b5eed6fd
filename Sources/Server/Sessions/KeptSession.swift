internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import SessionMessages
internal import SessionStore
internal import Sessions

/// What a session has besides that outlives its connections: who has it now, its key, its end.
final class KeptSession {
  /// What the daemon knows of the key that opens it.
  private(set) var key: StoredSessionID
  /// For how long it is kept when nobody has it.
  let keep: Duration
  /// The number of the connection that opened it: a definition brought along reaches the providers of that one. 0: of no connection that is
  /// there.
  let opener: Int64
  /// When it was opened, in milliseconds since 1970.
  let opened: Int64
  /// What it has besides where the daemon has a store.
  let storage: SessionStorage?
  /// Who has it now.
  var attachments = Attachments()
  private var events = KeptEvents()
  private var writers = LastWriters()
  /// When it ends; nil while somebody has it, or an action runs.
  private(set) var expiry: (deadline: Instant, ticket: TimerQueue.Ticket)?

  /// Bytes of memory, approximately, without the events.
  static let structureBytes = 384

  /// A session that is kept so long, opened by that connection.
  ///
  /// - Parameter definition: what the client has brought along.
  init(_ key: SessionKey, for keep: Duration, by connection: ClientConnection, definition: JSONObject?) {
    let server = connection.server
    let head = StoredHead(keep: keep, opened: server.environment.wallClock().milliseconds, definition: definition)
    self.key = key.hash
    self.keep = keep
    opener = connection.number
    opened = head.opened
    storage = server.environment.store.map { _ in SessionStorage(key.hash, head) }
  }

  /// A session that the store has.
  init(_ key: StoredSessionID, _ head: StoredHead, _ stored: StoredSession, last: Int, _ server: FormServer) {
    self.key = key
    keep = head.keep
    opener = 0
    opened = head.opened
    storage = SessionStorage(key, expiry: stored.facts.expiry)
    events = KeptEvents(StoredHead.events(of: stored), last: last)
    server.memory.queued += events.bytes
  }

  // MARK: The key

  /// Another key opens the session, and the old one does not any more.
  func rotateKey(of session: LiveSession) -> SessionKey {
    let fresh = SessionKey.random()
    session.server.keptSessions.remove(key)
    key = fresh.hash
    session.server.keptSessions.add(session, key)
    if let storage {
      storage.rename(to: key)
      session.server.storeLater(storage)
    }
    return fresh
  }

  // MARK: The form

  /// The session is of another form from now on, in which places have other numbers.
  func sessionReplaced(by next: LiveSession) {
    storage?.sessionReplaced(by: next, next.server)
  }

  // MARK: What is told

  /// Tells everybody who has the session what a turn changed: each once, and what somebody's input gave to fields to the others.
  func tell(_ turn: borrowing Turn, of session: LiveSession, cause: Cause) {
    let server = session.server
    let faults = server.faults
    let events = turn.events.map { ActionEvent($0) }
    if faults.through(.forgetEvents, true, broken: attachments.first != nil) { keep(events, of: session) }
    let given = given(by: turn, to: session)
    // Written once for all; one alone has it written straight into his own output.
    let patch = attachments.areSeveral ? server.pool.take() : nil
    defer { if let patch { server.pool.give(patch) } }
    if let patch { server.engine.writePatch(of: turn, in: session.session, into: patch) }
    for attachment in attachments.all {
      var details = ToldDetails(events: events, places: turn.told)
      for (place, knower) in given
      where faults.through(.forgetOthers, knower != attachment.number, broken: knower == nil) {
        details.places.append(place)
      }
      attachment.connection.tell(turn, details, patch, of: session, cause: cause, &attachment.updates)
    }
  }

  /// The places that a turn's inputs have given other values, none twice and none that is told to all anyhow, each with the only client that
  /// need not be told; nil: all are.
  private func given(by turn: borrowing Turn, to session: LiveSession) -> [(place: ToldPlace, knower: Int64?)] {
    if turn.given.isEmpty { return [] }
    let server = session.server
    let told = Set(turn.told)
    var places: [(place: ToldPlace, knower: Int64?)] = []
    var positions: [ToldPlace: Int] = [:]
    let bytesBefore = writers.bytes
    for given in turn.given {
      let isContested = writers.wrote(given, in: session.session, isShared: attachments.areSeveral)
      let isForAll = server.faults.through(.forgetContest, isContested, broken: false)
      let knower = isForAll ? nil : given.sender
      if let position = positions[given.place] {
        if places[position].knower != knower { places[position].knower = nil }
      } else if !told.contains(given.place) {
        positions[given.place] = places.count
        places.append((given.place, knower))
      }
    }
    server.memory.sessions += writers.bytes - bytesBefore
    return places
  }

  /// Nobody has the session any more: whoever comes knows all that was written.
  func allLeft(_ server: FormServer) {
    server.memory.sessions -= writers.bytes
    writers = LastWriters()
  }

  private func keep(_ new: [ActionEvent], of session: LiveSession) {
    guard !new.isEmpty else { return }
    let server = session.server
    let before = events.bytes
    for event in new {
      let gone = events.append(event, limits: server.limits, isMemoryFull: server.isMemoryFull)
      if server.storingFaults.through(.forgetEvents, true, broken: false) {
        storage?.keep(event, isSecret: session.isSecret(event), givingUp: gone)
      }
    }
    server.memory.queued += events.bytes - before
  }

  /// The session has come back from the store, and what was under way has ended: whoever attaches is told.
  func restored(_ turn: borrowing Turn, of session: LiveSession) {
    keep(turn.events.map { ActionEvent($0) }, of: session)
  }

  /// The events behind the one of that number that a client has not heard of, and how many there were that are not kept any more.
  func events(after sequence: Int, heard: Range<Int>) -> (events: [ActionEvent], lost: Int) {
    events.events(after: sequence, heard: heard)
  }

  /// The number of the next event.
  var nextEvent: Int { events.next }

  /// A turn is carried out.
  func turnEnded(of session: LiveSession) {
    if let storage { session.server.storeLater(storage) }
    updateExpiry(of: session)
  }

  // MARK: The end

  /// A turn, or somebody who came or went, may have changed whether the time runs in which the session is kept: it does while nobody has the
  /// session and no action runs.
  func updateExpiry(of session: LiveSession) {
    let isExpiring = attachments.first == nil && !session.session.isActing
    guard isExpiring != (expiry != nil) else { return }
    let server = session.server
    if let expiry { server.timers.cancel(expiry.ticket) }
    expiry = nil
    guard isExpiring else { return }
    let deadline = server.now + keep
    expiry = (deadline, server.schedule(.expiry(session), at: deadline))
    // The store, too, is to know from when on the time runs.
    storage?.renew()
    if let storage { server.storeLater(storage) }
    // With a store the daemon may end while a session waits for somebody, but not while an action runs.
    server.waitForClients()
  }

  /// Its time is over, unless somebody has come since that was due.
  func isOver(at now: Instant) -> Bool { expiry.map { $0.deadline <= now } ?? false }

  /// The session has ended.
  func close(_ server: FormServer) {
    if let expiry { server.timers.cancel(expiry.ticket) }
    expiry = nil
    server.keptSessions.remove(key)
    storage?.session = nil
    server.memory.queued -= events.bytes
    events = KeptEvents()
    allLeft(server)
  }
}
