internal import FormProtocol
internal import JSON
internal import Sessions

/// What a session is to do without a message of its client. It may take as long as a turn takes, so connections take turns with it
/// (``TurnOrder``), as they do with messages.
enum SessionWork {
  /// The session's time has come.
  case timer(of: LiveSession)
  /// The time is over of a kept session that nobody came back to.
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

  /// The same, but for an answer for which there is no room: what the session makes of it is known only afterwards, so it fails.
  ///
  /// It fails as too large: whoever was asked has done it, so it is not asked again.
  var withinLimits: SessionWork {
    guard case .answer(_, let effect, let session) = self, let passed = session.passedLimit else { return self }
    let bytes = bytes
    if bytes <= Self.smallBytes || bytes <= passed.roomBytes { return self }
    let reason = "the daemon has no memory for the answer (\(passed.limit.wireName))"
    return .answer(EffectResponse(kind: .tooLarge, reason: reason), to: effect, of: session)
  }

  /// An answer of so many bytes is taken from everybody.
  private static let smallBytes = 1 << 10

  /// What of the session's form it is for; nil where that has no name.
  var waiter: Waiter? {
    switch self {
    case .timer(let session): session.session.timerWaiter
    case .expiry: nil
    case .answer(_, let effect, let session): session.session.waiter(for: effect)
    }
  }

  /// The session that is to do it.
  var session: LiveSession {
    switch self {
    case .timer(let session), .expiry(let session): session
    case .answer(_, _, let session): session
    }
  }

  /// Does it; nothing for a session that was closed meanwhile.
  func perform() {
    switch self {
    case .timer(let session): session.timerFired()
    case .expiry(let session): session.expired()
    case .answer(let response, let effect, let session): session.effectEnded(effect, response)
    }
  }
}
