internal import FormProtocol
internal import JSON
internal import JSONRPC
internal import SessionCalls
internal import SessionStore
internal import Sessions
internal import Times

/// The part of a session that outlives its connections: the hash of its key, its end, its other clients beside the
/// first, and its storage.
///
/// Most kept sessions are quiet, and there may be very many of them. Everything that only some of them have is in
/// ``Extras`` or in ``PendingStorage``.
final class KeptSession {
  /// Data of a session that has had events, or several clients, or a definition of its own.
  private final class Extras {
    /// The clients of the session beside the first, in the order in which they came.
    var furtherClients: [Attachment] = []
    var events = KeptEvents()
    var writers = LastWriters()
    /// See ``KeptSession/opener``.
    var opener: Int64 = 0

    var isEmpty: Bool { furtherClients.isEmpty && events.isEmpty && writers.bytes == 0 && opener == 0 }
  }

  /// The hash of the key that opens it, which is all that the daemon knows of the key.
  private(set) var storedID: StoredSessionID
  private let keepMs: Int64
  /// When it was opened, in milliseconds since 1970.
  let opened: Int64
  /// Changes and messages that wait for the store, or for the end of the entry; nil: none.
  private(set) var pendingStorage: PendingStorage?
  private var extras: Extras?
  /// When the session expires, as the store has it, in seconds since 1970.
  var storedExpiry: Int64 = 0
  /// The time of its end; nil while a client has it, or an action runs.
  private(set) var expiry: (deadline: Instant, ticket: TimerQueue.Ticket)?
  let hasStore: Bool
  /// Whether the store has it, or is about to.
  var isInStore: Bool
  /// Whether a commit has failed: the session ends, and the store keeps what it has.
  var hasFailed = false
  /// Whether several clients have had the session at once since it last had none, or it came back from the store with
  /// changes of a client of before. Until then no client needs to know the sender of a change.
  private(set) var needsSenders = false
  /// The number of the connection that the session counts for. While no client has the session, it is the number of the
  /// connection that had it last; 0: none has had it since it came from the store.
  private(set) var payer: Int64 = 0

  /// Bytes of memory, approximately: the object, and its entry in ``KeptSessions``. Events, other clients and data that
  /// waits for the store are counted separately.
  static let structureBytes = 144

  /// A session that is kept so long, opened by that connection.
  ///
  /// - Parameter definition: the definition that the client has brought along.
  init(_ key: SessionKey, for keep: Duration, by connection: ClientConnection, definition: JSONObject?) {
    let server = connection.server
    let head = StoredHead(keep: keep, opened: server.environment.wallClock().milliseconds, definition: definition)
    storedID = key.hash
    keepMs = Int64(keep / .milliseconds(1))
    opened = head.opened
    hasStore = server.storedSessions != nil
    isInStore = false
    if definition != nil { madeExtras.opener = connection.number }
    if hasStore { pendingStorage = PendingStorage(self, head) }
    firstCame(connection)
  }

  /// A session that the store has.
  init(_ id: StoredSessionID, _ head: StoredHead, _ stored: StoredSession, last: Int, _ server: FormServer) {
    storedID = id
    keepMs = Int64(head.keep / .milliseconds(1))
    opened = head.opened
    hasStore = true
    isInStore = true
    storedExpiry = stored.facts.expiry
    if last > 0 {
      madeExtras.events = KeptEvents(stored.events, last: last)
    }
  }

  /// How long it is kept when no client has it.
  var keep: Duration { .milliseconds(keepMs) }

  /// The number of the connection that opened it: a definition brought along reaches the providers of that connection.
  /// 0: that connection is gone, or there is none.
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

  /// Bytes of memory that its events take. They count like the values of the session.
  var eventBytes: Int { extras?.events.bytes ?? 0 }

  // MARK: Who has it

  /// The clients of the session beside the first, in the order in which they came.
  var furtherClients: [Attachment] { extras?.furtherClients ?? [] }

  /// Whether several clients have the session.
  var isShared: Bool { extras.map { !$0.furtherClients.isEmpty } ?? false }

  /// The view of a client that is not the first; nil if it does not have the session.
  func other(_ connection: ClientConnection) -> Attachment? {
    extras?.furtherClients.first { $0.connection === connection }
  }

  /// A client has the session, which had no client.
  func firstCame(_ connection: ClientConnection) { payer = connection.number }

  /// Another client has the session.
  func otherCame(_ connection: ClientConnection, to session: LiveSession) {
    if !needsSenders {
      needsSenders = true
      session.countingBytes { session.server.engine.share(session.engineSession, by: Sender(client: payer)) }
    }
    madeExtras.furtherClients.append(Attachment(connection))
    session.server.memory.sessions += Attachment.bytes
  }

  /// The first client does not have the session any more.
  ///
  /// - Returns: the client that is the first now.
  func firstWent(_ server: FormServer) -> Attachment? {
    guard let extras, !extras.furtherClients.isEmpty else { return nil }
    server.memory.sessions -= Attachment.bytes
    let next = extras.furtherClients.removeFirst()
    payer = next.connection.number
    dropEmptyExtras()
    return next
  }

  /// A client that is not the first does not have the session any more.
  func otherWent(_ connection: ClientConnection, _ server: FormServer) {
    guard let extras else { return }
    let before = extras.furtherClients.count
    extras.furtherClients.removeAll { $0.connection === connection }
    server.memory.sessions -= (before - extras.furtherClients.count) * Attachment.bytes
    dropEmptyExtras()
  }

  // MARK: The key

  /// Another key opens the session, and the old one does not any more.
  func rotateKey(of session: LiveSession) -> SessionKey {
    let server = session.server
    let fresh = SessionKey.random()
    let former = storedID
    server.keptSessions.remove(former)
    storedID = fresh.hash
    server.keptSessions.add(session, storedID)
    if let storage = session.storage {
      storage.renamed(from: former)
      server.storeLater(storage)
    }
    return fresh
  }

  // MARK: The store

  /// The work for the end of the entry: messages and writes. It is made when there is some.
  func storage(of session: LiveSession) -> PendingStorage {
    if let pendingStorage { return pendingStorage }
    let made = PendingStorage(self)
    made.session = session.isClosed ? nil : session
    pendingStorage = made
    return made
  }

  /// Calls with the same, without counting a reference to it. The body does not hand it over.
  @inline(__always)
  func withStorage<Result>(of session: LiveSession, _ body: (PendingStorage) -> Result) -> Result {
    if _slowPath(pendingStorage == nil) { _ = storage(of: session) }
    guard let storage = pendingStorage.map(Unmanaged.passUnretained) else {
      preconditionFailure("a storage that was just made is missing")
    }
    return storage._withUnsafeGuaranteedRef(body)
  }

  /// Whether another input may be applied, as far as one look tells.
  @inline(__always)
  func hasRoomToStore(_ server: FormServer) -> Bool {
    guard let storage = pendingStorage.map(Unmanaged.passUnretained) else { return true }
    return storage._withUnsafeGuaranteedRef { $0.hasRoom(server) }
  }

  /// The identities under which the store may have the session.
  var storedIDs: [StoredSessionID] { [storedID] + (pendingStorage?.formerIDs ?? []) }

  /// No work for the end of the entry is left.
  func discardStorage() { pendingStorage = nil }

  // MARK: The form

  /// The session has another form from now on, in which values have other numbers.
  func sessionReplaced(by next: LiveSession) {
    pendingStorage?.sessionReplaced(by: next, next.server)
  }

  // MARK: Turns

  /// Whether ``notifyAll(of:in:cause:_:)`` must notify the clients of a turn. If not, the only client gets the update
  /// that the client of any other session gets: it knows the values that it has sent.
  @inline(__always)
  func needsDetails(of turn: borrowing Turn) -> Bool {
    isShared || turn.hasDetails && !(turn.events.isEmpty && turn.given.isEmpty)
  }

  /// Notifies all clients of the session of a turn's changes. Values that a client has given to fields go only to the
  /// other clients.
  func notifyAll(of turn: borrowing Turn, in session: LiveSession, cause: Cause, _ server: FormServer) {
    let events = turn.events.map { ActionEvent($0) }
    keep(events, of: session)
    guard let first = session.connection else { return }
    let given = given(by: turn, to: session)
    // Written once for all; a single client has it written straight into its own output.
    let patch = isShared ? server.pool.take() : nil
    defer { if let patch { server.pool.give(patch) } }
    if let patch { server.engine.writePatch(of: turn, in: session.engineSession, into: patch) }
    func details(for client: Sender) -> ToldDetails {
      var details = ToldDetails(events: events, ids: turn.told)
      for (id, knower) in given where knower != client { details.ids.append(id) }
      return details
    }
    first.sendUpdate(
      of: turn,
      details: details(for: first.sender),
      patch: patch,
      in: session,
      cause: cause,
      updates: &session.updates,
      server
    )
    for other in furtherClients {
      let client = other.connection
      client.sendUpdate(
        of: turn,
        details: details(for: client.sender),
        patch: patch,
        in: session,
        cause: cause,
        updates: &other.updates,
        server
      )
    }
  }

  /// The values that a turn's inputs have changed. It has no duplicates, and no values that all clients get anyhow.
  /// Each has the only client that need not get it; nil: all clients get it.
  private func given(by turn: borrowing Turn, to session: LiveSession) -> [(id: ValueID, knower: Sender?)] {
    if turn.given.isEmpty { return [] }
    let server = session.server
    let told = Set(turn.told)
    var ids: [(id: ValueID, knower: Sender?)] = []
    var positions: [ValueID: Int] = [:]
    let bytesBefore = extras?.writers.bytes ?? 0
    for given in turn.given {
      let isContested = madeExtras.writers.wrote(given, in: session.engineSession)
      let knower = isContested ? nil : given.sender
      if let position = positions[given.id] {
        if ids[position].knower != knower { ids[position].knower = nil }
      } else if !told.contains(given.id) {
        positions[given.id] = ids.count
        ids.append((given.id, knower))
      }
    }
    server.memory.sessions += (extras?.writers.bytes ?? 0) - bytesBefore
    return ids
  }

  /// No client has the session any more: the next client gets the whole document.
  func allLeft(_ server: FormServer) {
    needsSenders = false
    guard let extras else { return }
    server.memory.sessions -= extras.writers.bytes
    extras.writers = LastWriters()
    dropEmptyExtras()
  }

  private func keep(_ new: [ActionEvent], of session: LiveSession) {
    guard !new.isEmpty else { return }
    let server = session.server
    let extras = madeExtras
    for event in new {
      session.countingBytes { extras.events.append(event) }
      // Events give way before the client is refused anything.
      let isFull = session.exceededLimit != nil
      let gone = session.countingBytes { extras.events.dropOldest(server.limits, isFull: isFull) }
      session.storage?.keep(event, isSecret: session.isSecret(event), givingUp: gone)
    }
  }

  /// The session has come back from the store, and its running actions have ended: clients that attach get these
  /// events.
  func restored(_ turn: borrowing Turn, of session: LiveSession) {
    keep(turn.events.map { ActionEvent($0) }, of: session)
    // A former client has sent the values that throttles and debounces hold back. The next client does not know them.
    needsSenders = session.engineSession.holdsChanges
  }

  /// The events after the one of that number that a client has not heard, and the number of events that are not kept
  /// any more.
  func events(after sequence: Int, heard: Range<Int>) -> (events: [ActionEvent], lost: Int) {
    (extras?.events ?? KeptEvents()).events(after: sequence, heard: heard)
  }

  var nextEvent: Int { extras?.events.next ?? 1 }

  /// A turn is carried out.
  func turnEnded(of session: LiveSession, _ server: FormServer) {
    _ = session.withStorage { server.storeLater($0) }
    updateExpiry(of: session)
  }

  // MARK: The end

  /// Starts or stops the time for which the session is kept, after a turn, or after a client came or went. The time
  /// runs while no client has the session and no action runs.
  func updateExpiry(of session: LiveSession) {
    let isExpiring = session.connection == nil && !session.engineSession.isActing
    guard isExpiring != (expiry != nil) else { return }
    let server = session.server
    if let expiry { server.timers.cancel(expiry.ticket) }
    expiry = nil
    guard isExpiring else { return }
    let deadline = server.now + keep
    expiry = (deadline, server.schedule(.expiry(session), at: deadline))
    // The store, too, must know from when on the time runs.
    if let storage = session.storage {
      storage.renew()
      server.storeLater(storage)
    }
    // With a store the daemon may end while a session waits for a client, but not while an action runs.
    server.waitForClients()
  }

  /// Whether its time is over. It is not if a client has come since the timer was due.
  func isOver(at now: Instant) -> Bool { expiry.map { $0.deadline <= now } ?? false }

  /// The session has ended. Takes what the session's clients and events use off the daemon's accounts, before
  /// ``FormServer/sessionEnded(_:)`` takes off the rest.
  func close(_ server: FormServer) {
    if let expiry { server.timers.cancel(expiry.ticket) }
    expiry = nil
    server.keptSessions.remove(storedID)
    pendingStorage?.session = nil
    guard let extras else { return }
    for other in extras.furtherClients { other.updates.drop(server) }
    server.memory.sessions -= extras.writers.bytes + extras.furtherClients.count * Attachment.bytes
    server.memory.values -= extras.events.bytes
    self.extras = nil
  }
}
