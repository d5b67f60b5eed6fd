internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import SessionMessages
internal import SessionStore
internal import Sessions

/// What a session has besides that outlives its connections: its key, its end, who has it beside the first, and where it is stored.
///
/// Most kept sessions are quiet, and there may be very many of them: whatever only some of them have is in ``Extras`` or in ``SessionStorage``.
final class KeptSession {
  /// What a session has that has had events, or several clients, or a definition of its own.
  private final class Extras {
    /// Who has the session beside the first, in the order in which they came.
    var others: [Attachment] = []
    var events = KeptEvents()
    var writers = LastWriters()
    /// See ``KeptSession/opener``.
    var opener: Int64 = 0

    var isEmpty: Bool { others.isEmpty && events.isEmpty && writers.bytes == 0 && opener == 0 }
  }

  /// What the daemon knows of the key that opens it.
  private(set) var key: StoredSessionID
  private let keepMs: Int64
  /// When it was opened, in milliseconds since 1970.
  let opened: Int64
  /// What waits for the store, or for the end of the entry; nil: nothing.
  private(set) var storing: SessionStorage?
  private var extras: Extras?
  /// When the session expires, as the store has it, in seconds since 1970.
  var storedExpiry: Int64 = 0
  /// When it ends; nil while somebody has it, or an action runs.
  private(set) var expiry: (deadline: Instant, ticket: TimerQueue.Ticket)?
  /// Whether the daemon has a store.
  let isStored: Bool
  /// Whether the store has it, or is about to.
  var isKnown: Bool
  /// Whether a commit has failed: the session ends, and the store keeps what it has.
  var hasFailed = false
  /// Whether several clients have had it at once since somebody has it: until then nobody has to know who sent what.
  private(set) var tellsSenders = false
  /// The number of the first of those who have it.
  private(set) var firstNumber: Int32 = 0
  /// The number of the one who came last.
  private var lastNumber: Int32 = 0

  /// Bytes of memory, approximately: the object, and its place in ``KeptSessions``. Events, other clients and what waits for the store count
  /// apart.
  static let structureBytes = 136

  /// A session that is kept so long, opened by that connection.
  ///
  /// - Parameter definition: what the client has brought along.
  init(_ key: SessionKey, for keep: Duration, by connection: ClientConnection, definition: JSONObject?) {
    let server = connection.server
    let head = StoredHead(keep: keep, opened: server.environment.wallClock().milliseconds, definition: definition)
    self.key = key.hash
    keepMs = Int64(keep / .milliseconds(1))
    opened = head.opened
    isStored = server.environment.store != nil
    isKnown = false
    if definition != nil { madeExtras.opener = connection.number }
    if isStored { storing = SessionStorage(self, head) }
    firstCame()
  }

  /// A session that the store has.
  init(_ key: StoredSessionID, _ head: StoredHead, _ stored: StoredSession, last: Int, _ server: FormServer) {
    self.key = key
    keepMs = Int64(head.keep / .milliseconds(1))
    opened = head.opened
    isStored = true
    isKnown = true
    storedExpiry = stored.facts.expiry
    if last > 0 {
      madeExtras.events = KeptEvents(StoredHead.events(of: stored), last: last)
      server.memory.queued += madeExtras.events.bytes
    }
  }

  /// For how long it is kept when nobody has it.
  var keep: Duration { .milliseconds(keepMs) }

  /// The number of the connection that opened it: a definition brought along reaches the providers of that one. 0: of no connection that is
  /// there, or there is none.
  var opener: Int64 { extras?.opener ?? 0 }

  private var madeExtras: Extras {
    if let extras { return extras }
    let made = Extras()
    extras = made
    return made
  }

  private func dropEmptyExtras() {
    if extras?.isEmpty ?? false { extras = nil }
  }

  // MARK: Who has it

  /// Who has the session beside the first, in the order in which they came.
  var others: [Attachment] { extras?.others ?? [] }

  /// Whether several clients have the session.
  var isShared: Bool { extras.map { !$0.others.isEmpty } ?? false }

  /// The view of one that is not the first; nil where it does not have the session.
  func other(_ connection: ClientConnection) -> Attachment? { extras?.others.first { $0.connection === connection } }

  private func nextNumber() -> Int32 {
    // Nobody is there any more who had the number two thousand million clients ago.
    lastNumber = lastNumber == .max ? 1 : lastNumber + 1
    return lastNumber
  }

  /// A client has the session that nobody had.
  func firstCame() { firstNumber = nextNumber() }

  /// Another client has the session.
  func otherCame(_ connection: ClientConnection, to session: LiveSession) {
    if !tellsSenders {
      tellsSenders = true
      session.countingBytes { session.server.engine.share(session.session, by: firstNumber) }
    }
    madeExtras.others.append(Attachment(connection, number: nextNumber()))
    session.server.memory.sessions += Attachment.bytes
  }

  /// The first does not have the session any more.
  ///
  /// - Returns: who is the first now.
  func firstWent(_ server: FormServer) -> Attachment? {
    guard let extras, !extras.others.isEmpty else {
      firstNumber = 0
      return nil
    }
    server.memory.sessions -= Attachment.bytes
    let next = extras.others.removeFirst()
    firstNumber = next.number
    dropEmptyExtras()
    return next
  }

  /// Another one than the first does not have it any more.
  func otherWent(_ connection: ClientConnection, _ server: FormServer) {
    guard let extras else { return }
    let before = extras.others.count
    extras.others.removeAll { $0.connection === connection }
    server.memory.sessions -= (before - extras.others.count) * Attachment.bytes
    dropEmptyExtras()
  }

  // MARK: The key

  /// Another key opens the session, and the old one does not any more.
  func rotateKey(of session: LiveSession) -> SessionKey {
    let server = session.server
    let fresh = SessionKey.random()
    let former = key
    server.keptSessions.remove(former)
    key = fresh.hash
    server.keptSessions.add(session, key)
    if let storage = session.storage {
      storage.renamed(from: former)
      server.storeLater(storage)
    }
    return fresh
  }

  // MARK: The store

  /// What is to be said and written when the entry ends, made when there is something.
  func storage(of session: LiveSession) -> SessionStorage {
    if let storing { return storing }
    let made = SessionStorage(self)
    made.session = session.isClosed ? nil : session
    storing = made
    return made
  }

  /// Under which of these the store may have the session.
  var storedKeys: [StoredSessionID] { [key] + (storing?.formerKeys ?? []) }

  /// Nothing waits any more.
  func storageRests() { storing = nil }

  // MARK: The form

  /// The session is of another form from now on, in which places have other numbers.
  func sessionReplaced(by next: LiveSession) {
    storing?.sessionReplaced(by: next, next.server)
  }

  // MARK: What is told

  /// Tells everybody who has the session what a turn changed: each once, and what somebody's input gave to fields to the others.
  func tell(_ turn: borrowing Turn, of session: LiveSession, cause: Cause) {
    let server = session.server
    let faults = server.faults
    let events = turn.events.map { ActionEvent($0) }
    if faults.through(.forgetEvents, true, broken: session.connection != nil) { keep(events, of: session) }
    guard let first = session.connection else { return }
    let given = given(by: turn, to: session)
    // Written once for all; one alone has it written straight into his own output.
    let patch = isShared ? server.pool.take() : nil
    defer { if let patch { server.pool.give(patch) } }
    if let patch { server.engine.writePatch(of: turn, in: session.session, into: patch) }
    func details(for number: Int32) -> ToldDetails {
      var details = ToldDetails(events: events, places: turn.told)
      for (place, knower) in given where faults.through(.forgetOthers, knower != number, broken: knower == nil) {
        details.places.append(place)
      }
      return details
    }
    first.tell(turn, details(for: firstNumber), patch, of: session, cause: cause, &session.updates)
    for other in others {
      other.connection.tell(turn, details(for: other.number), patch, of: session, cause: cause, &other.updates)
    }
  }

  /// The places that a turn's inputs have given other values, none twice and none that is told to all anyhow, each with the only client that
  /// need not be told; nil: all are.
  private func given(by turn: borrowing Turn, to session: LiveSession) -> [(place: ToldPlace, knower: Int32?)] {
    if turn.given.isEmpty { return [] }
    let server = session.server
    let told = Set(turn.told)
    var places: [(place: ToldPlace, knower: Int32?)] = []
    var positions: [ToldPlace: Int] = [:]
    let bytesBefore = extras?.writers.bytes ?? 0
    for given in turn.given {
      let isContested = madeExtras.writers.wrote(given, in: session.session)
      let isForAll = server.faults.through(.forgetContest, isContested, broken: false)
      let knower = isForAll ? nil : given.sender
      if let position = positions[given.place] {
        if places[position].knower != knower { places[position].knower = nil }
      } else if !told.contains(given.place) {
        positions[given.place] = places.count
        places.append((given.place, knower))
      }
    }
    server.memory.sessions += (extras?.writers.bytes ?? 0) - bytesBefore
    return places
  }

  /// Nobody has the session any more: whoever comes knows all that was written.
  func allLeft(_ server: FormServer) {
    tellsSenders = false
    guard let extras else { return }
    server.memory.sessions -= extras.writers.bytes
    extras.writers = LastWriters()
    dropEmptyExtras()
  }

  private func keep(_ new: [ActionEvent], of session: LiveSession) {
    guard !new.isEmpty else { return }
    let server = session.server
    let extras = madeExtras
    let before = extras.events.bytes
    for event in new {
      let gone = extras.events.append(event, limits: server.limits, isMemoryFull: server.isMemoryFull)
      if server.storingFaults.through(.forgetEvents, true, broken: false) {
        session.storage?.keep(event, isSecret: session.isSecret(event), givingUp: gone)
      }
    }
    server.memory.queued += extras.events.bytes - before
  }

  /// The session has come back from the store, and what was under way has ended: whoever attaches is told.
  func restored(_ turn: borrowing Turn, of session: LiveSession) {
    keep(turn.events.map { ActionEvent($0) }, of: session)
  }

  /// The events behind the one of that number that a client has not heard of, and how many there were that are not kept any more.
  func events(after sequence: Int, heard: Range<Int>) -> (events: [ActionEvent], lost: Int) {
    (extras?.events ?? KeptEvents()).events(after: sequence, heard: heard)
  }

  /// The number of the next event.
  var nextEvent: Int { extras?.events.next ?? 1 }

  /// A turn is carried out.
  func turnEnded(of session: LiveSession) {
    if let storage = session.storage { session.server.storeLater(storage) }
    updateExpiry(of: session)
  }

  // MARK: The end

  /// A turn, or somebody who came or went, may have changed whether the time runs in which the session is kept: it does while nobody has the
  /// session and no action runs.
  func updateExpiry(of session: LiveSession) {
    let isExpiring = session.connection == nil && !session.session.isActing
    guard isExpiring != (expiry != nil) else { return }
    let server = session.server
    if let expiry { server.timers.cancel(expiry.ticket) }
    expiry = nil
    guard isExpiring else { return }
    let deadline = server.now + keep
    expiry = (deadline, server.schedule(.expiry(session), at: deadline))
    // The store, too, is to know from when on the time runs.
    if let storage = session.storage {
      storage.renew()
      server.storeLater(storage)
    }
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
    storing?.session = nil
    guard let extras else { return }
    for other in extras.others { other.updates.drop(server) }
    server.memory.sessions -= extras.writers.bytes + extras.others.count * Attachment.bytes
    server.memory.queued -= extras.events.bytes
    self.extras = nil
  }
}
