/// A request to a store that several daemons share.
enum PostgresStoreJob: QueuedJob {
  typealias Completion<Value> = @Sendable (Result<Value, StoreFailure>) -> Void

  /// With the expiry of its facts.
  case write(SessionWrite, ExpiryTime?, Completion<Void>)
  case claim(SessionClaim, lease: Duration, Completion<ClaimAnswer>)
  case remove(StoredSessionID, grace: Int64, Completion<Bool>)
  case release(StoredSessionID, Completion<Void>)
  case answer(SessionRequest, gives: Bool, Completion<Void>)
  case expired(grace: Int64, atMost: Int, Completion<[StoredSessionID]>)
  case count(Completion<Int>)

  /// The session of the request; nil: no particular one.
  var session: StoredSessionID? {
    switch self {
    case .write(let write, _, _): write.id
    case .claim(let claim, _, _): claim.id
    case .remove(let id, _, _), .release(let id, _): id
    case .answer(let request, _, _): request.id
    case .expired, .count: nil
    }
  }

  func fail(_ failure: StoreFailure) {
    switch self {
    case .write(_, _, let completion): completion(.failure(failure))
    case .claim(_, _, let completion): completion(.failure(failure))
    case .remove(_, _, let completion): completion(.failure(failure))
    case .release(_, let completion): completion(.failure(failure))
    case .answer(_, _, let completion): completion(.failure(failure))
    case .expired(_, _, let completion): completion(.failure(failure))
    case .count(let completion): completion(.failure(failure))
    }
  }
}

/// The time at which a session expires, by a clock of this process that cannot be set and that goes on while the
/// machine sleeps.
struct ExpiryTime: Sendable {
  private let deadline: ContinuousClock.Instant

  /// Expiries are at most a hundred years away, in both directions, because a server's times have an end.
  private static let secondsMax = 100.0 * 365 * 86_400

  /// - Parameters:
  ///   - expiry: in seconds since 1970, by a clock that may be wrong.
  ///   - now: the current time of that clock.
  init(_ expiry: Int64, _ now: Double) {
    deadline = .now + .seconds(min(max(Double(expiry) - now, -Self.secondsMax), Self.secondsMax))
  }

  /// The seconds until then.
  var secondsLeft: Double { ContinuousClock.now.duration(to: deadline) / .seconds(1) }

  /// A time that is so many seconds from now by the server, by a clock that may be wrong.
  static func expiry(in seconds: Double, _ now: Double) -> Int64 { Int64((now + seconds).rounded()) }
}
