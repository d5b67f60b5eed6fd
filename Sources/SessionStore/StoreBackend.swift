/// The work of a store's thread, in the order of the requests of ``SessionDatabase``.
enum StoreWork: Sendable {
  /// With the time at which its facts expire.
  case write(SessionWrite, ContinuousClock.Instant?)
  case claim(SessionClaim, lease: Duration)
  case remove(StoredSessionID, grace: Int64)
  case release(StoredSessionID)
  case answer(SessionRequest, gives: Bool)
  case expired(grace: Int64, atMost: Int)
  case count
  case backUp(to: String)

  /// The sessions of the request.
  var sessions: [StoredSessionID] {
    switch self {
    case .write(let write, _): [write.id] + (write.formerID.map { [$0] } ?? [])
    case .claim(let claim, _): [claim.id]
    case .remove(let id, _), .release(let id): [id]
    case .answer(let request, _): [request.id]
    case .expired, .count, .backUp: []
    }
  }
}

/// A request to a store.
struct StoreJob: Sendable {
  typealias Outcome = Result<any Sendable, StoreFailure>

  let work: StoreWork
  /// Called once, with a value of the type that the request wants, or with the failure.
  let complete: @Sendable (Outcome) -> Void

  init<Value: Sendable>(_ work: StoreWork, _ completion: @escaping @Sendable (Result<Value, StoreFailure>) -> Void) {
    self.work = work
    complete = { outcome in
      completion(
        outcome.map { value in
          guard let value = value as? Value else { preconditionFailure("the result of \(work) is \(type(of: value))") }
          return value
        }
      )
    }
  }
}

/// A database, as the store's thread uses it.
protocol StoreBackend: AnyObject {
  /// The thread begins.
  func begin()

  /// Does jobs, as many as possible in one commit. It completes each job, in their order, when the job is committed or
  /// has failed.
  ///
  /// - Parameter isIdle: whether no other job waits.
  func perform(_ jobs: [StoreJob], isIdle: () -> Bool)

  /// Looks whether a store that was not used for a while is still well.
  func look()

  /// The time until a store that is away is to be tried again; nil: it is well, as far as is known.
  var timeToTry: Duration? { get }

  /// Tries whether a store that is away is well again.
  func recover()

  /// No more jobs come.
  ///
  /// - Returns: whether everything is done.
  func end() -> Bool

  /// The current work is to be given up. From any thread.
  func cancel()

  /// As ``SessionDatabase/renew(for:_:)``. From any thread.
  func renew(for lease: Duration, _ completion: @escaping @Sendable (Result<LeaseRenewal, StoreFailure>) -> Void)
}
