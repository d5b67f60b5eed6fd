internal import Sessions

/// What a session is to do without a message of its client. It may take as long as a turn takes, so connections take turns with it
/// (``TurnOrder``), as they do with messages.
enum SessionWork {
  /// The session's time has come.
  case timer(of: LiveSession)
  /// An effect of the session has its answer.
  case answer(EffectResponse, to: EffectID, of: LiveSession)

  /// Does it; nothing for a session that was closed meanwhile.
  func perform() {
    switch self {
    case .timer(let session): session.timerFired()
    case .answer(let response, let effect, let session): session.effectEnded(effect, response)
    }
  }
}
