internal import FormProtocol
internal import JSON
internal import Sessions

/// Work of a session without a message of its client. It may take as long as a turn takes, so connections take slices
/// with it (``SliceOrder``), as they do with messages.
enum SessionWork {
  /// The session's time has come.
  case timer(of: LiveSession)
  /// A kept session expires, because its clients did not come back.
  case expiry(of: LiveSession)
  /// An effect of the session has its answer.
  case answer(EffectResponse, to: EffectID, of: LiveSession)

  /// Bytes of memory that it takes while it waits, approximately.
  var bytes: Int {
    switch self {
    case .timer, .expiry: 0
    case .answer(let response, _, _):
      JSON.object(response.headers).approximateBytes
        + (response.rows ?? []).reduce(response.body?.approximateBytes ?? 0) { $0 + $1.approximateBytes }
    }
  }

  /// The work, unless it is an answer for which there is no room. The size of the result is known only afterwards, so
  /// such an answer fails.
  ///
  /// It fails as too large: the work was done, so it is not requested again.
  var withinLimits: SessionWork {
    guard case .answer(_, let effect, let session) = self, session.exceededLimit != nil else { return self }
    session.server.makeRoom()
    guard let exceeded = session.exceededLimit else { return self }
    let bytes = bytes
    if bytes <= Self.smallBytes || bytes <= exceeded.roomBytes { return self }
    let reason = "the daemon has no memory for the answer (\(exceeded.limit.wireName))"
    return .answer(EffectResponse(kind: .tooLarge, reason: reason), to: effect, of: session)
  }

  /// An answer of at most so many bytes is accepted even if a limit is exceeded.
  private static let smallBytes = 1 << 10

  /// The part of the session's form that it is for; nil if that has no name.
  var waiter: Waiter? {
    switch self {
    case .timer(let session): session.engineSession.timerWaiter
    case .expiry: nil
    case .answer(_, let effect, let session): session.engineSession.waiter(for: effect)
    }
  }

  var session: LiveSession {
    switch self {
    case .timer(let session), .expiry(let session): session
    case .answer(_, _, let session): session
    }
  }

  /// Does the work; nothing for a session that was closed.
  func perform() {
    switch self {
    case .timer(let session): session.timerFired()
    case .expiry(let session): session.expired()
    case .answer(let response, let effect, let session): session.effectEnded(effect, response)
    }
  }
}
