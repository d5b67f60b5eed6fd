internal import CEL
internal import SessionStore
internal import Sessions

/// A store that several daemons share, as one of them uses it: it holds a lease, asks others for their sessions, and gives its own away.
///
/// **The lease** is the database's to give: as long as it runs there, nobody else takes this daemon's sessions. The daemon counts it from
/// before it has asked, by a clock that goes on while the machine sleeps, and a little shorter; so it ends here before it ends there. Past
/// that, ``FormServer/leaseEnd``, nothing is said for stored sessions but behind a write, which the database takes from their owner only.
/// A renewal that comes too late says which sessions are left.
///
/// ```
///   claim ─▶ session | nothing
///         ─▶ held ─▶ wait: heard, or a tenth of the lease ─▶ claim …
///                 └▶ refused, or waited for a whole lease ─▶ elsewhere
/// ```
final class SharedStore: SessionStoring {
  /// A session that another daemon has, and somebody here waits for.
  private struct Wait {
    let id: StoredSessionID
    let number: Int64
    let takes: Bool
    let grace: Int64
    /// A daemon that does not answer until then does not let go.
    let deadline: Instant
    let completion: (Result<StoreFinding, StoreFailure>) -> Void
  }

  private let database: any SharedDatabase
  private let lease: Duration
  /// Called once, when the database has answered for the first time, or cannot be reached.
  private let onFirstAnswer: () -> Void
  private weak var server: FormServer?
  private var waits: [Wait] = []
  private var lastNumber: Int64 = 0
  /// How often something was heard.
  private var hearings = 0
  private var isRenewing = false
  /// Whether something was heard while a renewal was under way, which may not have seen it.
  private var renewsAgain = false
  private var hasAnswered = false
  private var nextRenewal: Instant?
  private var nextLook: Instant?
  private var timer: (deadline: Instant, ticket: TimerQueue.Ticket)?

  /// So many times in a lease it is renewed.
  private static let renewalsPerLease = 3
  /// So many times in a lease a daemon that waits for another one looks whether that has answered; hearing of it is faster.
  private static let looksPerLease = 10
  /// The part of a lease by which it is taken to be shorter here: two clocks do not run alike.
  private static let marginsPerLease = 20

  /// - Parameter lease: for how long the others wait for a daemon of which nobody hears any more.
  init(_ database: any SharedDatabase, lease: Duration, onFirstAnswer: @escaping () -> Void = {}) {
    self.database = database
    self.lease = lease
    self.onFirstAnswer = onFirstAnswer
  }

  func begin(for server: FormServer) {
    self.server = server
    server.leaseEnd = server.environment.nowThroughSleep()
    database.begin(for: server) { [weak self] in self?.heard() }
    renew()
  }

  // MARK: The lease

  private func renew() {
    guard let server, !isRenewing else {
      renewsAgain = true
      return
    }
    isRenewing = true
    renewsAgain = false
    nextRenewal = nil
    let asked = server.environment.nowThroughSleep()
    database.renew(for: lease) { [weak self] in self?.renewed($0, asked: asked) }
  }

  private func renewed(_ result: Result<LeaseRenewal, StoreFailure>, asked: Instant) {
    guard let server else { return }
    isRenewing = false
    switch result {
    case .success(let renewal):
      if let owned = renewal.owned, server.ownershipFaults.through(.keepLost, true, broken: false) {
        server.keepOnly(owned)
      }
      let now = server.environment.nowThroughSleep()
      let start = server.ownershipFaults.through(.leaseFromAnswer, asked, broken: now)
      server.leaseEnd = start + (lease - lease / Self.marginsPerLease)
      // What is older has been asked again since, or is not wanted any more.
      if now < asked + lease { for request in renewal.requests { server.asked(for: request) } }
      nextRenewal = server.now + max(.zero, lease / Self.renewalsPerLease - (now - asked))
    case .failure:
      nextRenewal = server.now + lease / Self.looksPerLease
    }
    if !hasAnswered {
      hasAnswered = true
      onFirstAnswer()
    }
    if renewsAgain { renew() }
    setTimer()
  }

  /// Another daemon has asked for something, or has answered.
  private func heard() {
    hearings += 1
    renew()
    look()
    setTimer()
  }

  func timeHasCome() {
    guard let server else { return }
    timer = nil
    if let nextRenewal, nextRenewal <= server.now { renew() }
    if let nextLook, nextLook <= server.now { look() }
    setTimer()
  }

  private func setTimer() {
    guard let server else { return }
    let next = [nextRenewal, nextLook].compactMap { $0 }.min()
    guard next != timer?.deadline else { return }
    if let timer { server.timers.cancel(timer.ticket) }
    timer = next.map { ($0, server.schedule(.store, at: $0)) }
  }

  // MARK: Sessions that others have

  func claim(
    _ id: StoredSessionID,
    takes: Bool,
    at now: Int64,
    _ completion: @escaping (Result<StoreFinding, StoreFailure>) -> Void
  ) {
    guard let server else { return }
    // From before the question: a daemon that answers is heard within a third of its lease.
    lastNumber += 1
    claim(
      Wait(
        id: id,
        number: lastNumber,
        takes: takes,
        grace: grace(now),
        deadline: server.now + lease,
        completion: completion
      )
    )
  }

  private func claim(_ wait: Wait) {
    let before = hearings
    database.claim(wait.id, number: wait.number, takes: wait.takes, grace: wait.grace) { [weak self] result in
      guard let self, let server else { return }
      switch result {
      case .success(.session(let session)): wait.completion(.success(.session(session)))
      case .success(.nothing): wait.completion(.success(.nothing))
      case .success(.held(let instance, let isRefused)):
        if isRefused || server.now >= wait.deadline { return wait.completion(.success(.elsewhere(instance))) }
        // What was heard on the way of this answer may be what it waits for.
        if hearings != before { return claim(wait) }
        waits.append(wait)
        if nextLook == nil { nextLook = server.now + lease / Self.looksPerLease }
        setTimer()
      case .failure(let failure): wait.completion(.failure(failure))
      }
    }
  }

  /// Asks again for all that is waited for; those last who take, for what is asked last is what the other daemon reads.
  private func look() {
    let waits = waits.filter { !$0.takes } + waits.filter(\.takes)
    self.waits = []
    nextLook = nil
    for wait in waits { claim(wait) }
  }

  // MARK: The rest

  func write(_ write: SessionWrite, _ completion: @escaping (StoreFailure?) -> Void) {
    database.write(write, completion)
  }

  func remove(_ id: StoredSessionID, at now: Int64, _ completion: @escaping (StoreFailure?) -> Void) {
    database.remove(id, grace: grace(now), completion)
  }

  func release(_ id: StoredSessionID, _ completion: @escaping (StoreFailure?) -> Void) {
    database.release(id, completion)
  }

  func refuse(_ request: SessionRequest) { database.refuse(request) }

  func expired(by now: Int64, atMost countMax: Int, _ completion: @escaping ([StoredSessionID]) -> Void) {
    database.expired(grace: grace(now), atMost: countMax, completion)
  }

  /// What lies between a time and now, by the daemon's own clock: only that is told to the database.
  private func grace(_ now: Int64) -> Int64 {
    guard let server else { return 0 }
    return max(server.environment.wallClock().seconds - now, 0)
  }
}
