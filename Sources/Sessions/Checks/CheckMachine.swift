internal import JSON

/// Where an asynchronous check stands: a value. Changes of what it reads, ends of its debounce and answers come in; what is to be done comes
/// out, and the engine does it.
///
///     idle ──► waiting ──► running ──► settled
///
/// Without a debounce it does not wait; a verdict that is known settles it at once. Another question begins anew from any state, and so
/// does `idle` when the check no longer applies.
struct CheckMachine {
  /// What a finished check says.
  enum Verdict {
    case valid
    case invalid(FieldError)
    /// The service failed; the error that `onFailure` leaves, if any. The next tap tries again.
    case failed(FieldError?)
  }

  /// What an answer came to.
  struct Answer {
    let verdict: Verdict
    /// What formulas read of it.
    var result: JSON?

    /// Whether it is the service's own, and not that of its failure.
    var isGiven: Bool { if case .failed = verdict { false } else { true } }
  }

  enum State {
    /// It does not apply, or has not run.
    case idle
    /// It waits for the end of its debounce.
    case waiting(EffectQuestion)
    /// Its question is under way.
    case running(EffectQuestion, EffectID)
    case settled(EffectQuestion, Answer)
    /// A formula of the question had a run-time error. The error that `onFailure` leaves, if any.
    case faulted(FieldError?)
  }

  /// What the engine does after an event, in this order.
  struct Steps {
    enum Ending {
      case nothing, debounce
      case effect(EffectID)
    }

    enum Beginning {
      case nothing, debounce
      /// This request, under the name that the event brought.
      case effect(EffectRequest)
    }

    /// What is not wanted any more.
    var ends = Ending.nothing
    var begins = Beginning.nothing
  }

  private(set) var state = State.idle

  /// Whether the check is about that question already.
  func isAbout(_ question: EffectQuestion) -> Bool { self.question?.key == question.key }

  /// What it is about.
  var question: EffectQuestion? {
    switch state {
    case .waiting(let question), .running(let question, _), .settled(let question, _): question
    case .idle, .faulted: nil
    }
  }

  /// Whether its field has to wait for it.
  var isPending: Bool {
    switch state {
    case .waiting, .running: true
    case .idle, .settled, .faulted: false
    }
  }

  /// The answer to its question; nil while there is none.
  var answer: Answer? {
    if case .settled(_, let answer) = state { answer } else { nil }
  }

  /// The error that it leaves at its field.
  var error: FieldError? {
    switch state {
    case .idle, .waiting, .running: nil
    case .settled(_, let answer):
      switch answer.verdict {
      case .valid: nil
      case .invalid(let error): error
      case .failed(let error): error
      }
    case .faulted(let error): error
    }
  }

  /// Whether its service has failed.
  var hasFailed: Bool { answer.map { !$0.isGiven } ?? false }

  /// The error that the failure of its service has left. A check whose question cannot be made could ask nobody.
  var failure: FieldError? { hasFailed ? error : nil }

  // MARK: Events

  /// The check does not apply. Nil: it did not before.
  mutating func stopped() -> Steps? {
    if case .idle = state { return nil }
    return become(.idle)
  }

  /// Its question cannot be made. Nil: it could not be made before.
  mutating func faulted(leaving error: FieldError?) -> Steps? {
    if case .faulted = state { return nil }
    return become(.faulted(error))
  }

  /// It applies, with that question. Nil: with the same one as before.
  ///
  /// - Parameters:
  ///   - known: what is known of the answer.
  ///   - effect: the name of the effect, if one begins.
  mutating func asked(_ question: EffectQuestion, known: Answer?, isDebounced: Bool, effect: EffectID) -> Steps? {
    if isAbout(question) { return nil }
    if let known { return become(.settled(question, known)) }
    return become(isDebounced ? .waiting(question) : .running(question, effect))
  }

  /// Its debounce is over.
  mutating func debounceEnded(effect: EffectID) -> Steps? {
    guard case .waiting(let question) = state else { return nil }
    state = .running(question, effect)
    return Steps(begins: .effect(question.request))
  }

  /// A tap asks once more where the service has failed. Nil: it has not.
  mutating func retried(effect: EffectID) -> Steps? {
    guard hasFailed, case .settled(let question, _) = state else { return nil }
    return become(.running(question, effect))
  }

  /// The answer to an effect came. Returns the question that it settles; nil when the check does not wait for that effect.
  mutating func answered(_ answer: Answer, by effect: EffectID) -> EffectQuestion? {
    guard case .running(let question, effect) = state else { return nil }
    state = .settled(question, answer)
    return question
  }

  private mutating func become(_ next: State) -> Steps {
    var steps = Steps()
    switch state {
    case .waiting: steps.ends = .debounce
    case .running(_, let effect): steps.ends = .effect(effect)
    case .idle, .settled, .faulted: break
    }
    state = next
    switch next {
    case .waiting: steps.begins = .debounce
    case .running(let question, _): steps.begins = .effect(question.request)
    case .idle, .settled, .faulted: break
    }
    return steps
  }
}
