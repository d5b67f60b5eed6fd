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
    case .answer(let response, _, _): response.body?.approximateBytes ?? 0
    }
  }

  /// The same with an answer that takes no memory: there is no room for the real one.
  var withoutBody: SessionWork {
    switch self {
    case .timer, .expiry: self
    case .answer(_, let effect, let session):
      .answer(
        EffectResponse(kind: .error, reason: "the daemon has no memory for the answer (memoryMax)"),
        to: effect,
        of: session
      )
    }
  }

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
