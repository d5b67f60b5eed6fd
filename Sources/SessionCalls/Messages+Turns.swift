package import FormProtocol
package import JSON
internal import JSONRPC
package import Sessions

// Translates the engine's results to messages of the protocol. The engine is independent of the wire format, so the
// translation is here.

extension ActionEvent {
  /// The engine's event.
  package init(_ event: Event) {
    self.init()
    sequence = event.sequence
    action = event.action
    run = event.run
    kind = EventKind(event.kind)
    result = event.result
    error = event.error
    message = event.message
    blockers = event.blockers.map { FormProtocol.Blocker($0) }
  }
}

extension SessionUpdate {
  /// Adds the current values of those ids, for a client that cannot know them.
  package mutating func addValues(of ids: [ValueID], in session: Session) {
    if ids.isEmpty { return }
    let told = session.told(ids)
    values = told.values.isEmpty ? nil : told.values
    absent = told.absent
  }
}

extension EventKind {
  fileprivate init(_ kind: Event.Kind) {
    self =
      switch kind {
      case .succeeded: .succeeded
      case .failed: .failed
      case .rejected: .rejected
      case .dropped: .dropped
      case .superseded: .superseded
      case .cancelled: .cancelled
      }
  }
}

extension TapAnswer {
  /// The answer to a tap at its acceptance.
  package init(_ turn: borrowing Turn) {
    guard let tap = turn.tap else {
      self.init(revision: turn.revision, outcome: nil)
      return
    }
    self.init(
      revision: turn.revision,
      outcome: TapOutcome(tap.outcome),
      run: tap.run,
      blockers: tap.blockers.map { FormProtocol.Blocker($0) }
    )
  }
}

extension TapOutcome {
  fileprivate init(_ outcome: TapResult.Outcome) {
    self =
      switch outcome {
      case .started: .started
      case .held: .held
      case .rejected: .rejected
      case .dropped: .dropped
      }
  }
}

extension FormProtocol.Blocker {
  fileprivate init(_ blocker: Sessions.Blocker) {
    self.init(field: blocker.field, code: blocker.code)
  }
}

extension FormProtocol.Origin {
  /// The origin in the engine's type.
  var sessionOrigin: Sessions.Origin {
    switch self {
    case .user: .user
    case .autofill: .autofill
    case .restore: .restore
    case .program: .program
    }
  }
}

extension EffectResponse {
  /// The answer of a provider.
  package init(result: JSONNode?, error: JSONNode?) {
    if let result {
      self.init(kind: .ok, body: result.value())
    } else {
      let code = error.map { RPCError(received: $0.value()).code } ?? 0
      self.init(kind: .error, reason: "the provider answered with error \(code)")
    }
  }
}
