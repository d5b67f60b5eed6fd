internal import Forms
internal import JSON

/// Where a lookup stands: a value. Changes of what it reads, ends of its debounce and its pauses, and answers come in; what is to be done
/// comes out, and the engine does it.
///
///     idle ──► waiting ──► running ⇄ retrying ──► settled
///
/// Without a debounce it does not wait; an answer that is known settles it at once. Another question begins anew from any state, and so
/// does `idle` when the lookup no longer applies.
///
/// Always true:
/// - There is an error only while it is settled or faulted, and then there is no value.
/// - While it asks, the value is the one before.
/// - `idle` has no value, but between a restore and the first question.
struct LookupMachine {
  /// What an answer comes to.
  enum Answer {
    case value(JSON?)
    /// The lookup has failed, for that reason.
    case failed(String)
  }

  enum State {
    /// It does not apply, or has not asked.
    case idle
    /// It waits for the end of its debounce.
    case waiting(EffectQuestion)
    /// Its question is under way, after so many tries.
    case running(EffectQuestion, EffectID, tries: Int)
    /// It waits for the next try.
    case retrying(EffectQuestion, tries: Int)
    case settled(EffectQuestion)
    /// A formula of the question had a run-time error.
    case faulted
  }

  /// What the engine does after an event, in this order.
  struct Steps {
    enum Ending {
      case nothing, debounce, pause
      case effect(EffectID)
    }

    enum Beginning {
      case nothing, debounce
      /// Such a pause before the next try.
      case pause(Duration)
      /// This request, under the name that the event brought.
      case effect(EffectRequest)
    }

    /// What is not wanted any more.
    var ends = Ending.nothing
    var begins = Beginning.nothing
  }

  private(set) var state = State.idle
  /// What it has found.
  private(set) var value: JSON?
  /// Why it has found nothing.
  private(set) var error: String?

  /// Whether it will have another answer.
  var isLoading: Bool {
    switch state {
    case .waiting, .running, .retrying: true
    case .idle, .settled, .faulted: false
    }
  }

  /// Whether the value is the answer to what is asked now.
  var isReliable: Bool { !isLoading && error == nil }

  /// What it is about.
  var question: EffectQuestion? {
    switch state {
    case .waiting(let question), .running(let question, _, _), .retrying(let question, _), .settled(let question):
      question
    case .idle, .faulted: nil
    }
  }

  /// Whether it is about that question already.
  func isAbout(_ question: EffectQuestion) -> Bool { self.question?.key == question.key }

  /// What value and error count for in ``Session/computedBytes``.
  var bytes: Int { value.bytes + (error?.utf8.count ?? 0) }

  // MARK: Events

  /// A snapshot has this value: it stands until there is an answer.
  mutating func restored(_ value: JSON?) { self.value = value }

  /// The lookup does not apply. Nil: it did not before.
  mutating func stopped() -> Steps? {
    if case .idle = state, value == nil { return nil }
    let steps = become(.idle)
    found(.value(nil))
    return steps
  }

  /// Its question cannot be made. Nil: it could not be made before.
  mutating func faulted() -> Steps? {
    if case .faulted = state { return nil }
    let steps = become(.faulted)
    found(.failed(EffectResponse.Kind.fault.rawValue))
    return steps
  }

  /// It applies, with that question. Nil: with the same one as before.
  ///
  /// - Parameters:
  ///   - known: what is known of the answer.
  ///   - effect: the name of the effect, if one begins.
  mutating func asked(_ question: EffectQuestion, known: Answer?, isDebounced: Bool, effect: EffectID) -> Steps? {
    if isAbout(question) { return nil }
    error = nil
    guard let known else {
      return become(isDebounced ? .waiting(question) : .running(question, effect, tries: 1))
    }
    let steps = become(.settled(question))
    found(known)
    return steps
  }

  /// Its debounce is over. Nil: it waits for none.
  mutating func debounceEnded(effect: EffectID) -> Steps? {
    guard case .waiting(let question) = state else { return nil }
    state = .running(question, effect, tries: 1)
    return Steps(begins: .effect(question.request))
  }

  /// A tap asks once more where the lookup has failed. Nil: it has not.
  mutating func askedAgain(effect: EffectID) -> Steps? {
    guard case .settled(let question) = state, error != nil else { return nil }
    error = nil
    return become(.running(question, effect, tries: 1))
  }

  /// The answer to an effect came. Nil: the lookup does not wait for that effect.
  ///
  /// - Parameters:
  ///   - pause: how long it waits before it asks again, by the tries that there have been; nil: the answer counts.
  mutating func answered(_ answer: Answer, by effect: EffectID, pause: (_ tries: Int) -> Duration?) -> Steps? {
    guard case .running(let question, effect, let tries) = state else { return nil }
    if let pause = pause(tries) {
      state = .retrying(question, tries: tries)
      return Steps(begins: .pause(pause))
    }
    state = .settled(question)
    found(answer)
    return Steps()
  }

  /// The pause before another try is over. Nil: it waits for none.
  mutating func pauseEnded(effect: EffectID) -> Steps? {
    guard case .retrying(let question, let tries) = state else { return nil }
    state = .running(question, effect, tries: tries + 1)
    return Steps(begins: .effect(question.request))
  }

  private mutating func found(_ answer: Answer) {
    switch answer {
    case .value(let value): (self.value, error) = (value, nil)
    case .failed(let reason): (value, error) = (nil, reason)
    }
  }

  private mutating func become(_ next: State) -> Steps {
    var steps = Steps()
    switch state {
    case .waiting: steps.ends = .debounce
    case .running(_, let effect, _): steps.ends = .effect(effect)
    case .retrying: steps.ends = .pause
    case .idle, .settled, .faulted: break
    }
    state = next
    switch next {
    case .waiting: steps.begins = .debounce
    case .running(let question, _, _): steps.begins = .effect(question.request)
    case .retrying, .idle, .settled, .faulted: break
    }
    return steps
  }
}
