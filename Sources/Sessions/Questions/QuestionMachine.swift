internal import JSON

/// The result of an answer to a question.
protocol QuestionAnswer {
  /// Whether it comes from the service's answer, and not from the service's failure.
  var isGiven: Bool { get }
}

/// The state of a question of a check or a lookup, as a value. It hears of changes of the cells that the question
/// reads, ends of its debounce and its pauses, and answers. It returns steps for the engine to carry out.
///
///     idle ──► waiting ──► running ⇄ retrying ──► settled
///
/// Without a debounce it does not wait, and a known answer settles it at once. A new question restarts it from any
/// state. It becomes `idle` when the question goes.
struct QuestionMachine<Answer: QuestionAnswer> {
  enum State {
    /// There is nothing to ask, or it has not asked.
    case idle
    /// It waits for the end of its debounce.
    case waiting(EffectQuestion)
    /// Its question is under way. `tries` counts the attempts.
    case running(EffectQuestion, EffectID, tries: Int)
    /// It waits for the next try.
    case retrying(EffectQuestion, tries: Int)
    case settled(EffectQuestion, Answer)
    /// A formula of the question had a run-time error. The value replaces an answer.
    case faulted(Answer)
  }

  private(set) var state = State.idle
  /// The answer from a snapshot, which may be a failure. The first question uses it up.
  private var restored: (key: JSON, answer: Answer)?

  /// Whether that is its question already.
  func isAbout(_ question: EffectQuestion) -> Bool { self.question?.key == question.key }

  /// Its question.
  var question: EffectQuestion? {
    switch state {
    case .waiting(let question), .running(let question, _, _), .retrying(let question, _), .settled(let question, _):
      question
    case .idle, .faulted: nil
    }
  }

  /// The event that it waits for, or nil if it waits for none.
  var wait: QuestionWait? {
    switch state {
    case .waiting: .debounce
    case .running(_, let effect, _): .answer(effect)
    case .retrying: .pause
    case .idle, .settled, .faulted: nil
    }
  }

  /// Whether it will have another answer.
  var isPending: Bool { wait != nil }

  /// The answer to its question, or its replacement. Nil while there is none.
  var answer: Answer? {
    switch state {
    case .settled(_, let answer), .faulted(let answer): answer
    case .idle, .waiting, .running, .retrying: nil
    }
  }

  /// Whether its service has failed. If the question could not be made, no service was asked.
  var hasFailed: Bool { if case .settled(_, let answer) = state { !answer.isGiven } else { false } }

  // MARK: Snapshots

  /// A snapshot has this answer to the question of that key.
  mutating func restore(_ answer: Answer, to key: JSON) { restored = (key, answer) }

  /// The snapshot's answer to a question.
  mutating func restoredAnswer(to question: EffectQuestion) -> Answer? {
    restored.take().flatMap { $0.key == question.key ? $0.answer : nil }
  }

  // MARK: Events

  /// Its question goes. Returns nil if it had none.
  mutating func stopped() -> QuestionSteps? {
    if case .idle = state { return nil }
    return become(.idle)
  }

  /// Its question cannot be made. Returns nil if it could not be made before.
  mutating func faulted(_ answer: Answer) -> QuestionSteps? {
    if case .faulted = state { return nil }
    return become(.faulted(answer))
  }

  /// Sets its question. Returns nil if the question is equal to the one before.
  ///
  /// - Parameters:
  ///   - known: the answer, if it is known.
  ///   - effect: the name of the effect, if one begins.
  mutating func asked(
    _ question: EffectQuestion,
    known: Answer?,
    isDebounced: Bool,
    effect: EffectID
  ) -> QuestionSteps? {
    if isAbout(question) { return nil }
    if let known { return become(.settled(question, known)) }
    return become(isDebounced ? .waiting(question) : .running(question, effect, tries: 1))
  }

  /// Its debounce is over. Returns nil if it waits for no debounce.
  mutating func debounceEnded(effect: EffectID) -> QuestionSteps? {
    guard case .waiting(let question) = state else { return nil }
    state = .running(question, effect, tries: 1)
    return QuestionSteps(begins: .effect(effect, question))
  }

  /// It asks once more if the service has failed. Returns nil if the service has not failed.
  mutating func askedAgain(effect: EffectID) -> QuestionSteps? {
    guard case .settled(let question, let answer) = state, !answer.isGiven else { return nil }
    return become(.running(question, effect, tries: 1))
  }

  /// The answer to an effect came. Returns nil if it does not wait for that effect.
  ///
  /// - Parameters:
  ///   - pause: how long it waits before it asks again, by the number of tries so far. If nil, the answer counts.
  mutating func answered(
    _ answer: Answer,
    by effect: EffectID,
    pause: (_ tries: Int) -> Duration? = { _ in nil }
  ) -> QuestionSteps? {
    guard case .running(let question, effect, let tries) = state else { return nil }
    if let pause = pause(tries) {
      state = .retrying(question, tries: tries)
      return QuestionSteps(begins: .pause(pause))
    }
    state = .settled(question, answer)
    return QuestionSteps()
  }

  /// The pause before another try is over. Returns nil if it waits for no pause.
  mutating func pauseEnded(effect: EffectID) -> QuestionSteps? {
    guard case .retrying(let question, let tries) = state else { return nil }
    state = .running(question, effect, tries: tries + 1)
    return QuestionSteps(begins: .effect(effect, question))
  }

  private mutating func become(_ next: State) -> QuestionSteps {
    var steps = QuestionSteps(ends: wait)
    state = next
    switch next {
    case .waiting: steps.begins = .debounce
    case .running(let question, let effect, _): steps.begins = .effect(effect, question)
    case .retrying, .idle, .settled, .faulted: break
    }
    return steps
  }
}

/// An event that a ``QuestionMachine`` waits for.
enum QuestionWait: Equatable {
  /// The end of its debounce.
  case debounce
  /// The end of the pause before the next try.
  case pause
  /// The answer to that effect.
  case answer(EffectID)
}

/// The steps of the engine after an event of a ``QuestionMachine``, in this order.
struct QuestionSteps {
  enum Beginning {
    case nothing, debounce
    /// A pause of that length before the next try.
    case pause(Duration)
    /// This question, under the name that came with the event.
    case effect(EffectID, EffectQuestion)
  }

  /// The wait that ends.
  var ends: QuestionWait?
  /// The wait that begins.
  var begins = Beginning.nothing
}
