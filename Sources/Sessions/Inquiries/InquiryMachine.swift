internal import JSON

/// What a check or a lookup makes of a service's response.
protocol InquiryAnswer {
  /// Whether it comes from the service's answer, and not from the service's failure.
  var isGiven: Bool { get }
}

/// The state of an inquiry of a check or a lookup, as a value. It hears of changes of the values that the inquiry
/// reads, ends of its debounce and its pauses, and answers. It returns steps for the engine to carry out.
///
///     idle ──► waiting ──► running ──► settled
///                           │  ▲ ▲        │
///                           ▼  │ └────────┘ asked again after a failure
///                         retrying
///
/// Without a debounce it does not wait, and a known answer settles it at once. These events come in any state: a new
/// inquiry restarts it, an inquiry that cannot be made makes it `faulted`, and it becomes `idle` when its inquiry goes.
struct InquiryMachine<Answer: InquiryAnswer> {
  enum State {
    /// There is nothing to ask, or it has not asked.
    case idle
    /// It waits for the end of its debounce.
    case waiting(Inquiry)
    /// Its inquiry is under way. `tries` counts the attempts.
    case running(Inquiry, EffectID, tries: Int)
    /// It waits for the next try.
    case retrying(Inquiry, tries: Int)
    case settled(Inquiry, Answer)
    /// A formula of the inquiry had a run-time error. The value replaces an answer.
    case faulted(Answer)
  }

  private(set) var state = State.idle
  /// The answer from a snapshot, which may be a failure. The first inquiry uses it up.
  private var restored: (key: JSON, answer: Answer)?

  /// Whether that is its inquiry already.
  func isAbout(_ inquiry: Inquiry) -> Bool { self.inquiry?.key == inquiry.key }

  var inquiry: Inquiry? {
    switch state {
    case .waiting(let inquiry), .running(let inquiry, _, _), .retrying(let inquiry, _), .settled(let inquiry, _):
      inquiry
    case .idle, .faulted: nil
    }
  }

  /// The event that it waits for, or nil if it waits for none.
  var wait: InquiryWait? {
    switch state {
    case .waiting: .debounce
    case .running(_, let effect, _): .answer(effect)
    case .retrying: .pause
    case .idle, .settled, .faulted: nil
    }
  }

  /// Whether it will have another answer.
  var isPending: Bool { wait != nil }

  /// The answer to its inquiry, or its replacement. Nil while there is none.
  var answer: Answer? {
    switch state {
    case .settled(_, let answer), .faulted(let answer): answer
    case .idle, .waiting, .running, .retrying: nil
    }
  }

  /// Whether its service has failed. If the inquiry could not be made, no service was asked.
  var hasFailed: Bool { if case .settled(_, let answer) = state { !answer.isGiven } else { false } }

  // MARK: Snapshots

  /// A snapshot has this answer to the inquiry of that key.
  mutating func restore(_ answer: Answer, to key: JSON) { restored = (key, answer) }

  /// The snapshot's answer to an inquiry.
  mutating func restoredAnswer(to inquiry: Inquiry) -> Answer? {
    restored.take().flatMap { $0.key == inquiry.key ? $0.answer : nil }
  }

  // MARK: Events

  /// Its inquiry goes. Returns nil if it had none.
  mutating func stopped() -> InquirySteps? {
    if case .idle = state { return nil }
    return become(.idle)
  }

  /// Its inquiry cannot be made. Returns nil if it could not be made before.
  mutating func faulted(_ answer: Answer) -> InquirySteps? {
    if case .faulted = state { return nil }
    return become(.faulted(answer))
  }

  /// Sets its inquiry. Returns nil if the inquiry is equal to the one before.
  ///
  /// - Parameters:
  ///   - known: the answer, if it is known.
  ///   - effect: the name of the effect, if one begins.
  mutating func asked(
    _ inquiry: Inquiry,
    known: Answer?,
    isDebounced: Bool,
    effect: EffectID
  ) -> InquirySteps? {
    if isAbout(inquiry) { return nil }
    if let known { return become(.settled(inquiry, known)) }
    return become(isDebounced ? .waiting(inquiry) : .running(inquiry, effect, tries: 1))
  }

  /// Its debounce is over. Returns nil if it waits for no debounce.
  mutating func debounceEnded(effect: EffectID) -> InquirySteps? {
    guard case .waiting(let inquiry) = state else { return nil }
    state = .running(inquiry, effect, tries: 1)
    return InquirySteps(begins: .effect(effect, inquiry))
  }

  /// It asks once more if the service has failed. Returns nil if the service has not failed.
  mutating func askedAgain(effect: EffectID) -> InquirySteps? {
    guard case .settled(let inquiry, let answer) = state, !answer.isGiven else { return nil }
    return become(.running(inquiry, effect, tries: 1))
  }

  /// The answer to an effect came. Returns nil if it does not wait for that effect.
  ///
  /// - Parameters:
  ///   - pause: how long it waits before it asks again, by the number of tries so far. If nil, the answer counts.
  mutating func answered(
    _ answer: Answer,
    by effect: EffectID,
    pause: (_ tries: Int) -> Duration? = { _ in nil }
  ) -> InquirySteps? {
    guard case .running(let inquiry, effect, let tries) = state else { return nil }
    if let pause = pause(tries) {
      state = .retrying(inquiry, tries: tries)
      return InquirySteps(begins: .pause(pause))
    }
    state = .settled(inquiry, answer)
    return InquirySteps()
  }

  /// The pause before another try is over. Returns nil if it waits for no pause.
  mutating func pauseEnded(effect: EffectID) -> InquirySteps? {
    guard case .retrying(let inquiry, let tries) = state else { return nil }
    state = .running(inquiry, effect, tries: tries + 1)
    return InquirySteps(begins: .effect(effect, inquiry))
  }

  private mutating func become(_ next: State) -> InquirySteps {
    var steps = InquirySteps(ends: wait)
    state = next
    switch next {
    case .waiting: steps.begins = .debounce
    case .running(let inquiry, let effect, _): steps.begins = .effect(effect, inquiry)
    case .retrying, .idle, .settled, .faulted: break
    }
    return steps
  }
}

/// An event that an ``InquiryMachine`` waits for.
enum InquiryWait: Equatable {
  /// The end of its debounce.
  case debounce
  /// The end of the pause before the next try.
  case pause
  /// The answer to that effect.
  case answer(EffectID)
}

/// The steps of the engine after an event of an ``InquiryMachine``, in this order.
struct InquirySteps {
  enum Beginning {
    case nothing, debounce
    /// A pause of that length before the next try.
    case pause(Duration)
    /// This inquiry, under the name that came with the event.
    case effect(EffectID, Inquiry)
  }

  var ends: InquiryWait?
  var begins = Beginning.nothing
}
