/// What somebody asks of a store that several daemons share.
enum SharedStoreJob: StoreQueueJob {
  typealias Completion<Value> = @Sendable (Result<Value, StoreFailure>) -> Void

  /// With the expiry of its facts.
  case write(SessionWrite, ExpiryTime?, Completion<Void>)
  case claim(SessionQuestion, lease: Duration, Completion<StoredClaim>)
  case remove(StoredSessionID, grace: Int64, Completion<Bool>)
  case release(StoredSessionID, Completion<Void>)
  case grant(SessionRequest, Completion<Bool>)
  case refuse(SessionRequest, Completion<Void>)
  case expired(grace: Int64, atMost: Int, Completion<[StoredSessionID]>)
  case count(Completion<StoreCounts>)

  /// The session that it is about; nil: none in particular.
  var session: StoredSessionID? {
    switch self {
    case .write(let write, _, _): write.id
    case .claim(let question, _, _): question.id
    case .remove(let id, _, _), .release(let id, _): id
    case .grant(let request, _): request.id
    case .refuse(let request, _): request.id
    case .expired, .count: nil
    }
  }

  func fail(_ failure: StoreFailure) {
    switch self {
    case .write(_, _, let completion): completion(.failure(failure))
    case .claim(_, _, let completion): completion(.failure(failure))
    case .remove(_, _, let completion): completion(.failure(failure))
    case .release(_, let completion): completion(.failure(failure))
    case .grant(_, let completion): completion(.failure(failure))
    case .refuse(_, let completion): completion(.failure(failure))
    case .expired(_, _, let completion): completion(.failure(failure))
    case .count(let completion): completion(.failure(failure))
    }
  }
}

/// When a session expires, by a clock of this process that nobody sets and that goes on while the machine sleeps.
struct ExpiryTime: Sendable {
  private let deadline: ContinuousClock.Instant

  /// More is a hundred years, either way: a server's times have an end.
  private static let secondsMax = 100.0 * 365 * 86_400

  /// - Parameters:
  ///   - expiry: in seconds since 1970, by a clock that may be wrong.
  ///   - now: what that clock says now.
  init(_ expiry: Int64, _ now: Double) {
    deadline = .now + .seconds(min(max(Double(expiry) - now, -Self.secondsMax), Self.secondsMax))
  }

  /// In how many seconds it is.
  var secondsLeft: Double { ContinuousClock.now.duration(to: deadline) / .seconds(1) }

  /// A time that a server says is so many seconds from now, by a clock that may be wrong.
  static func expiry(in seconds: Double, _ now: Double) -> Int64 { Int64((now + seconds).rounded()) }
}
