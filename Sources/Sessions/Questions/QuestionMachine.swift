internal import JSON

/// What an answer to a question comes to.
protocol QuestionAnswer {
  /// Whether it is the service's own, and not that of its failure.
  var isGiven: Bool { get }
}

/// Where a check or a lookup stands with what it asks: a value. Changes of what it reads, ends of its debounce and its pauses, and answers come
/// in; what is to be done comes out, and the engine does it.
///
///     idle ──► waiting ──► running ⇄ retrying ──► settled
///
/// Without a debounce it does not wait; an answer that is known settles it at once. Another question begins anew from any state, and so
/// does `idle` when there is nothing to ask any more.
struct QuestionMachine<Answer: QuestionAnswer> {
  enum State {
    /// There is nothing to ask, or it has not asked.
    case idle
    /// It waits for the end of its debounce.
    case waiting(EffectQuestion)
    /// Its question is under way, for the so many-th time.
    case running(EffectQuestion, EffectID, tries: Int)
    /// It waits for the next try.
    case retrying(EffectQuestion, tries: Int)
    case settled(EffectQuestion, Answer)
    /// A formula of the question had a run-time error. What stands for an answer.
    case faulted(Answer)
  }

  private(set) var state = State.idle
  /// The answer from a snapshot, a failure too. The first question uses it up.
  private var restored: (key: JSON, answer: Answer)?

  /// Whether it is about that question already.
  func isAbout(_ question: EffectQuestion) -> Bool { self.question?.key == question.key }

  /// What it is about.
  var question: EffectQuestion? {
    switch state {
    case .waiting(let question), .running(let question, _, _), .retrying(let question, _), .settled(let question, _):
      question
    case .idle, .faulted: nil
    }
  }

  /// What it waits for; nil: nothing.
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

  /// The answer to its question, or what stands for one; nil while there is none.
  var answer: Answer? {
    switch state {
    case .settled(_, let answer), .faulted(let answer): answer
    case .idle, .waiting, .running, .retrying: nil
    }
  }

  /// Whether its service has failed. One whose question cannot be made could ask nobody.
  var hasFailed: Bool { if case .settled(_, let answer) = state { !answer.isGiven } else { false } }

  // MARK: Snapshots

  /// A snapshot has this answer to the question of that key.
  mutating func restore(_ answer: Answer, to key: JSON) { restored = (key, answer) }

  /// What a snapshot has of the answer to a question.
  mutating func restoredAnswer(to question: EffectQuestion) -> Answer? {
    restored.take().flatMap { $0.key == question.key ? $0.answer : nil }
  }

  // MARK: Events

  /// There is nothing to ask. Nil: there was not before.
  mutating func stopped() -> QuestionSteps? {
    if case .idle = state { return nil }
    return become(.idle)
  }

  /// Its question cannot be made. Nil: it could not be made before.
  mutating func faulted(_ answer: Answer) -> QuestionSteps? {
    if case .faulted = state { return nil }
    return become(.faulted(answer))
  }

  /// That is its question. Nil: it is the same one as before.
  ///
  /// - Parameters:
  ///   - known: what is known of the answer.
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

  /// Its debounce is over. Nil: it waits for none.
  mutating func debounceEnded(effect: EffectID) -> QuestionSteps? {
    guard case .waiting(let question) = state else { return nil }
    state = .running(question, effect, tries: 1)
    return QuestionSteps(begins: .effect(effect, question))
  }

  /// It asks once more where the service has failed. Nil: it has not.
  mutating func askedAgain(effect: EffectID) -> QuestionSteps? {
    guard case .settled(let question, let answer) = state, !answer.isGiven else { return nil }
    return become(.running(question, effect, tries: 1))
  }

  /// The answer to an effect came. Nil: it does not wait for that effect.
  ///
  /// - Parameters:
  ///   - pause: how long it waits before it asks again, by the tries that there have been; nil: the answer counts.
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

  /// The pause before another try is over. Nil: it waits for none.
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

/// What a ``QuestionMachine`` waits for.
enum QuestionWait: Equatable {
  /// The end of its debounce.
  case debounce
  /// The end of the pause before the next try.
  case pause
  /// The answer to that effect.
  case answer(EffectID)
}

/// What the engine does after an event of a ``QuestionMachine``, in this order.
struct QuestionSteps {
  enum Beginning {
    case nothing, debounce
    /// Such a pause before the next try.
    case pause(Duration)
    /// This question, under the name that the event brought.
    case effect(EffectID, EffectQuestion)
  }

  /// What it does not wait for any more.
  var ends: QuestionWait?
  /// What it waits for now.
  var begins = Beginning.nothing
}
