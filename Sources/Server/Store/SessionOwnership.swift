internal import CEL
internal import DequeModule
internal import Logging
internal import SessionStore
internal import Sessions
internal import Times

/// The sessions of the store that belong to this daemon: it claims them. If several daemons share the store, it holds a
/// lease, and asks the other daemons for their sessions.
///
/// **The lease** comes from the database: as long as it runs there, no other daemon takes this daemon's sessions. The
/// daemon counts it from before its request, by a clock that goes on while the machine sleeps, and a little shorter. So
/// it ends here before it ends there. Past that time, ``StoredSessions/leaseEnd``, the daemon answers for stored
/// sessions only behind a write, which the database accepts from their owner only. A renewal that comes too late
/// reports which sessions are left.
///
/// **A session of another daemon** is requested again and again, which keeps the request alive, until it is here or its
/// owner refuses it. A daemon that has waited for a whole lease asks for the last time, and so withdraws the request.
/// An owner gives a session in use only to a daemon whose request is still there.
///
/// ```
///   claim ─▶ session | nothing
///         ─▶ held ─▶ wait: heard, or its round in a tenth of the lease ─▶ claim …
///                 └▶ refused, or waited for a whole lease ─▶ elsewhere
/// ```
///
/// When a machine dies, very many claims may wait at once. Each has its round, in the order of arrival. The number of
/// requests at a time is bounded, so that writes come through between them.
final class SessionOwnership {
  /// A session that this daemon asks for.
  private struct Wait {
    var claim: SessionClaim
    /// If the other daemon has not answered until then, it does not let go. It is a lease after the first time that the
    /// database says who has the session: until then a daemon that lives has heard of the request, and the lease of
    /// one that is gone has ended. Nil before that.
    var deadline: Instant?
    var completions: [(Result<ClaimResult, StoreFailure>) -> Void]
    /// Whether it is in `due`, or is requested now.
    var isDue = false
    /// Whether it must be requested again when the answer to the current request is here, which may be out of date.
    var isOutdated = false
    /// Whether no client waits for it any more: it is requested once more, to withdraw it.
    var isGivenUp = false
  }

  private unowned let sessions: StoredSessions
  private var store: any ServerStore { sessions.store }
  private var server: FormServer { sessions.server }
  /// Zero if no other daemon has the store.
  private let lease: Duration
  /// How many renewals came after the lease had expired.
  private(set) var leaseLosses = 0
  /// Why the lease cannot be renewed now; nil: it was renewed, or there is none.
  private(set) var leaseTrouble: String?
  private var waits: [StoredSessionID: Wait] = [:]
  /// The waits that are to be requested as soon as fewer requests run.
  private var due: Deque<StoredSessionID> = []
  /// How many requests run now.
  private var asking = 0
  /// The number of the last round.
  private var round = 0
  private var lastNumber: Int64 = 0
  private var isRenewing = false
  /// Whether another daemon was heard during a renewal, which may not have seen its request.
  private var renewsAgain = false
  private var nextRenewal: Instant?
  private var nextRound: Instant?
  /// If the database has not answered until then, the server learns it; nil: it has learned it, or no renewal is under
  /// way.
  private var silenceEnd: Instant?
  /// When ``StoredSessions/leaseEnd`` comes, by the clock of the timers; nil: it has come.
  private var leaseTimer: Instant?
  private var timer: (deadline: Instant, ticket: TimerQueue.Ticket)?

  /// How many times in a lease the daemon renews it.
  private static let renewalsPerLease = 3
  /// The longest time between two renewals, so that a database that does not answer is noticed soon, however long the
  /// lease is.
  private static let renewalIntervalMax = Duration.seconds(5)
  /// If a renewal has no answer for so long, the operator sees it.
  private static let silenceMax = Duration.seconds(3)
  /// How many times in a lease a daemon that waits for another one checks for its answer; a notification of the
  /// database is faster.
  private static let looksPerLease = 10
  /// How many rounds a check has: each asks for a part of the sessions.
  private static let roundsPerLook = 8
  /// How many sessions are requested at once.
  private static let askingMax = 32
  /// The part of a lease by which it is shorter here, because two clocks do not run alike.
  private static let marginsPerLease = 20

  init(of sessions: StoredSessions) {
    self.sessions = sessions
    lease = sessions.store.lease ?? .zero
  }

  /// From now on the answers and the requests of other daemons are heard, and the lease is renewed.
  func begin() {
    store.begin(for: server) { [weak self] in self?.heard($0) }
    if store.lease == nil { return }
    sessions.leaseEnd = server.environment.nowThroughSleep()
    renew()
  }

  // MARK: The lease

  /// The error text for that case.
  static let leaseIsOver =
    "the database did not answer for a full lease, so another daemon may have taken the sessions"

  private func renew() {
    guard !isRenewing else {
      renewsAgain = true
      return
    }
    isRenewing = true
    renewsAgain = false
    nextRenewal = nil
    silenceEnd = server.now + Self.silenceMax
    setTimer()
    let asked = server.environment.nowThroughSleep()
    store.renew { [weak self] in self?.renewed($0, asked: asked) }
  }

  private func renewed(_ result: Result<LeaseRenewal, StoreFailure>, asked: Instant) {
    isRenewing = false
    silenceEnd = nil
    switch result {
    case .success(let renewal):
      if renewal.owned != nil { leaseLosses += 1 }
      if let owned = renewal.owned { sessions.keepOnly(owned) }
      let now = server.environment.nowThroughSleep()
      let end = asked + (lease - lease / Self.marginsPerLease)
      sessions.leaseEnd = end
      // The answer may be so late that this lease has ended, too.
      if end > now {
        leaseTimer = server.now + (end - now)
        if leaseTrouble.take() != nil { server.logger.notice("the lease on kept sessions is renewed again") }
        server.reportReadiness()
      }
      // Older requests were repeated since, or are not wanted any more.
      if now < asked + lease { for request in renewal.requests { sessions.asked(for: request) } }
      let interval = min(lease / Self.renewalsPerLease, Self.renewalIntervalMax)
      nextRenewal = server.now + max(.zero, interval - (now - asked))
    case .failure(let failure):
      leaseNotRenewed(failure.description)
      nextRenewal = server.now + min(lease / Self.looksPerLease, Self.renewalIntervalMax)
    }
    if renewsAgain { renew() }
    setTimer()
  }

  /// The lease cannot be renewed now, for that reason. It lasts until ``StoredSessions/leaseEnd``.
  func leaseNotRenewed(_ why: String) {
    let isNew = leaseTrouble == nil
    leaseTrouble = why
    server.reportReadiness()
    guard isNew, let leaseEnd = sessions.leaseEnd else { return }
    let left = max(0, (leaseEnd - server.environment.nowThroughSleep()) / .milliseconds(1))
    server.logger.error(
      "the lease on kept sessions cannot be renewed",
      metadata: ["why": "\(why.forLog)", "leaseMs": "\(Int(left))"]
    )
  }

  /// The lease has ended without a renewal: other daemons may take this one's sessions from now on.
  private func leaseEnded() {
    let why = leaseTrouble ?? Self.leaseIsOver
    leaseTrouble = why
    server.logger.error(
      "the lease on kept sessions has ended: they are not served until it is renewed",
      metadata: ["sessions": "\(server.keptSessions.count)", "why": "\(why.forLog)"]
    )
    sessions.giveUp(Self.leaseIsOver)
    server.reportReadiness()
  }

  /// The owner of a session has answered a request for it, or has removed it.
  ///
  /// - Parameter id: nil: another daemon has asked for a session, or notifications of the database were lost.
  private func heard(_ id: StoredSessionID?) {
    if let id {
      repeatRequest(id)
    } else {
      renew()
      for id in inOrder(where: { _ in true }) { repeatRequest(id) }
    }
    ask()
    setTimer()
  }

  /// A time has come for which ``setTimer()`` has asked.
  func timeHasCome() {
    timer = nil
    if let nextRenewal, nextRenewal <= server.now { renew() }
    if let nextRound, nextRound <= server.now { beginRound() }
    if let end = silenceEnd, end <= server.now {
      silenceEnd = nil
      leaseNotRenewed("the database has not answered for \(Self.silenceMax.components.seconds) s")
    }
    if let end = leaseTimer, end <= server.now {
      leaseTimer = nil
      for id in waits.keys {
        waits[id]?.deadline = server.now
        waits[id]?.isGivenUp = true
      }
      leaseEnded()
    }
    setTimer()
  }

  private func setTimer() {
    let next = [nextRenewal, nextRound, silenceEnd, leaseTimer].compactMap { $0 }.min()
    guard next != timer?.deadline else { return }
    if let timer { server.timers.cancel(timer.ticket) }
    timer = next.map { ($0, server.schedule(.lease, at: $0)) }
  }

  // MARK: Sessions that others have

  /// Claims a session, with all earlier writes: it belongs to this daemon from then on. If another daemon keeps it, the
  /// answer is ``ClaimResult/held(by:_:)``.
  ///
  /// - Parameter takes: whether to take it even from another daemon that has clients for it.
  func claim(
    _ id: StoredSessionID,
    takes: Bool,
    _ completion: @escaping (Result<ClaimResult, StoreFailure>) -> Void
  ) {
    if waits[id].map({ $0.isGivenUp || takes && !$0.claim.takes }) ?? true {
      lastNumber += 1
      let claim = SessionClaim(id, number: lastNumber, takes: takes, grace: sessions.graceSeconds)
      waits[id, default: Wait(claim: claim, completions: [])].claim = claim
      waits[id]?.deadline = nil
      waits[id]?.isGivenUp = false
      waits[id]?.isOutdated = true
    }
    waits[id]?.completions.append(completion)
    makeDue(id)
    ask()
  }

  /// The sessions that have waited longest come first.
  private func inOrder(where isMeant: (SessionClaim) -> Bool) -> [StoredSessionID] {
    waits.values.map(\.claim).filter(isMeant).sorted { $0.number < $1.number }.map(\.id)
  }

  /// A session is to be requested from now on, even if it is requested already.
  private func repeatRequest(_ id: StoredSessionID) {
    waits[id]?.isOutdated = true
    makeDue(id)
  }

  private func makeDue(_ id: StoredSessionID) {
    guard waits[id]?.isDue == false else { return }
    waits[id]?.isDue = true
    due.append(id)
  }

  /// Sends the due requests, up to the limit at once.
  private func ask() {
    while asking < Self.askingMax, let id = due.popFirst() {
      guard let wait = waits[id] else { continue }
      asking += 1
      waits[id]?.isOutdated = false
      var claim = wait.claim
      claim.isLast = wait.deadline.map { server.now >= $0 } ?? false
      store.claim(claim) { [weak self] result in
        guard let self else { return }
        asking -= 1
        answered(claim, result)
        ask()
        setTimer()
      }
    }
  }

  private func answered(_ claim: SessionClaim, _ result: Result<ClaimResult, StoreFailure>) {
    guard let wait = waits[claim.id] else { return }
    if case .success(.held(_, let request)) = result {
      waits[claim.id]?.isDue = false
      let isLatest = wait.claim.number == claim.number
      if !isLatest || request != .isOver {
        if isLatest {
          waits[claim.id]?.claim.isAsked = request == .placed
          if wait.deadline == nil { waits[claim.id]?.deadline = server.now + lease }
        }
        if wait.isOutdated { makeDue(claim.id) }
        if nextRound == nil { nextRound = server.now + roundInterval }
        return
      }
    }
    waits[claim.id] = nil
    for completion in wait.completions { completion(result) }
  }

  private var roundInterval: Duration { lease / (Self.looksPerLease * Self.roundsPerLook) }

  /// Repeats the requests of the waits of the next round.
  private func beginRound() {
    nextRound = waits.isEmpty ? nil : server.now + roundInterval
    round = (round + 1) % Self.roundsPerLook
    for id in inOrder(where: { $0.number % Int64(Self.roundsPerLook) == round }) { makeDue(id) }
    ask()
  }
}
