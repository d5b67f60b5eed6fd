internal import Budgets
internal import CEL
internal import Client
package import FormProtocol
package import Forms
package import JSON
internal import JSONRPC
internal import SessionCalls
package import Sessions
internal import Times

/// A session in virtual time: the engine, a clock that only ``advance(by:)`` moves, and the answers that a case
/// promises.
///
/// Invariants:
/// - Time never goes back.
/// - When a call returns, all timers and answers that are due have taken effect, each at its own time and in the order
///   of their times. A timer comes before an answer of the same time.
///
/// So a read between two calls sees the state that a client sees after it waited for all work due at that time.
package final class CaseSession {
  package let form: Form
  /// The engine's session, for reading; inputs go through this type.
  package let session: Session
  private let engine: Engine
  private let clock: VirtualClock
  private var book: AnswerBook
  /// Answers that will arrive, in the order of the requests.
  private var coming: [(due: Instant, id: EffectID, response: EffectResponse)] = []
  /// Answers that are held, in the order of the requests.
  private var held: [(name: String, id: EffectID, response: EffectResponse)] = []
  /// Requests that have no answer yet, oldest first.
  package private(set) var underWay: [(id: EffectID, request: PromisedRequest)] = []

  /// The requests since ``beginStep()``.
  private(set) var requests: [(id: EffectID, request: PromisedRequest)] = []
  /// The requests since ``beginStep()`` that no answer matches, each with the reason.
  private(set) var unexpected: [(request: PromisedRequest, reason: String)] = []
  /// The events of taps since ``beginStep()``.
  package private(set) var events: [ActionEvent] = []
  /// The events of earlier steps, each with the number of its step; 0 is the opening.
  private(set) var earlierEvents: [(step: Int, event: ActionEvent)] = []
  /// The number of the current step, from 1; 0 at the opening.
  private var step = 0
  /// The action that was tapped last since ``beginStep()``.
  private(set) var tapped: String?
  /// The answer to that tap.
  package private(set) var tap: TapAnswer?
  /// Formulas that failed since ``beginStep()``.
  package private(set) var faults: [Fault] = []
  /// Called after each turn.
  private let observe: ((CaseSession) -> Void)?

  /// The limit of timers and answers within one step. A day has 86,400 seconds, and no clock of a form ticks more
  /// often, so that only a bug can exceed the limit.
  private static let arrivalsMax = 1_000_000

  /// Opens a session of a form with the settings of a case.
  ///
  /// - Precondition: the form admits the context of the case.
  /// - Parameters:
  ///   - observer: records the outcomes of answers, and each turn; nil: nothing is recorded.
  package init(_ form: Form, for testCase: TestCase, observer: CoverageObserver? = nil) {
    self.form = form
    let clock = VirtualClock(from: testCase.now?.written ?? TestCase.beginning)
    self.clock = clock
    engine = Engine(wallClock: { clock.time }, cpuTime: WorkBudget.threadCPUTime)
    engine.onOutcome = observer.map { observer in { observer.outcomes.insert($0) } }
    observe = observer.map { observer in { observer.observe($0) } }
    book = AnswerBook(testCase.answers)
    let options = OpenOptions(
      locale: testCase.locale,
      zone: testCase.zone.flatMap { Zone(named: $0.written) } ?? .utc,
      values: testCase.given,
      context: testCase.context,
      show: testCase.show.map { _ in .always }
    )
    let turn: Turn
    (session, turn) = engine.open(form, options: options, at: clock.now)
    note(turn)
    settle()
  }

  // MARK: Inputs

  /// Clears ``requests``, ``events`` and the other records of a step.
  package func beginStep() {
    requests = []
    unexpected = []
    earlierEvents += events.map { (step, $0) }
    step += 1
    events = []
    tapped = nil
    tap = nil
    faults = []
  }

  /// Carries out a step.
  ///
  /// - Throws: ``StepRefusal`` if the session refuses the input; nothing is changed then.
  package func perform(_ step: TestStep) throws(StepRefusal) {
    if let duration = step.advance { return advance(by: duration.duration) }
    if let name = step.answer { return try release(name) }
    let input: Input
    do throws(RPCError) {
      input = try step.params.input(for: session)
    } catch {
      throw StepRefusal(error)
    }
    tapped = step.tap
    apply(input)
  }

  /// Applies an input, and everything that is due after it.
  private func apply(_ input: Input) {
    note(engine.apply(input, to: session, at: clock.now))
    settle()
  }

  /// Advances the time.
  private func advance(by duration: Duration) {
    happen(until: clock.now + duration)
  }

  /// Releases the answer that is held under a name; the oldest one if there are several.
  private func release(_ name: String) throws(StepRefusal) {
    guard let position = held.firstIndex(where: { $0.name == name }) else {
      throw StepRefusal(
        "no request waits for the held answer \(JSON.string(name)): none was made, or it was cancelled or timed out"
      )
    }
    let answer = held.remove(at: position)
    arrived(answer.response, to: answer.id)
    settle()
  }

  /// Answers a waiting request, in a session that is played by hand.
  ///
  /// - Precondition: that request waits.
  package func answer(_ id: EffectID, _ response: PromisedResponse) {
    guard let waiting = underWay.first(where: { $0.id == id }) else { preconditionFailure("\(id) does not wait") }
    arrived(response.response(isHTTP: waiting.request.http != nil), to: id)
    settle()
  }

  // MARK: Time

  private func settle() { happen(until: clock.now) }

  /// Carries out everything that is due until a time, and sets the clock to that time.
  private func happen(until end: Instant) {
    var count = 0
    while true {
      precondition(count < Self.arrivalsMax, "timers and answers of form \(form.name) follow each other without end")
      count += 1
      let answer = coming.indices.min { coming[$0].due < coming[$1].due }
      let answerDue = answer.map { coming[$0].due }
      let deadline = session.deadline
      guard let next = [deadline, answerDue].compactMap(\.self).min(), next <= end else { break }
      clock.go(to: next)
      if let deadline, deadline <= next {
        note(engine.apply(.timer, to: session, at: clock.now))
      } else if let answer {
        let next = coming.remove(at: answer)
        arrived(next.response, to: next.id)
      }
    }
    clock.go(to: end)
  }

  /// Passes a response to the engine.
  private func arrived(_ response: EffectResponse, to id: EffectID) {
    underWay.removeAll { $0.id == id }
    note(engine.apply(.effect(id, response), to: session, at: clock.now))
  }

  // MARK: Turns

  private func note(_ turn: Turn) {
    for id in turn.cancels {
      coming.removeAll { $0.id == id }
      held.removeAll { $0.id == id }
      underWay.removeAll { $0.id == id }
    }
    for effect in turn.starts { start(effect) }
    events += turn.events.map { ActionEvent($0) }
    if turn.tap != nil { tap = TapAnswer(turn) }
    faults += turn.faults
    observe?(self)
  }

  private func start(_ effect: Effect) {
    let request = PromisedRequest(effect.request)
    requests.append((effect.id, request))
    underWay.append((effect.id, request))
    let description = request.json
    guard let answer = book.take(for: description) else {
      unexpected.append((request, book.whyNone(for: description)))
      return
    }
    let response = (answer.response ?? PromisedResponse()).response(isHTTP: request.http != nil)
    if let name = answer.held {
      held.append((name, effect.id, response))
    } else {
      coming.append((clock.now + (answer.after?.duration ?? .zero), effect.id, response))
    }
  }

  // MARK: Reading

  /// The promised answers without enough requests: their positions, and how many requests are missing.
  package var unmade: [(position: Int, count: Int)] {
    book.entries.enumerated().compactMap { $1.missing > 0 ? ($0, $1.missing) : nil }
  }

  /// The current document.
  package var document: JSON { session.document }

  /// The time of day, as RFC 3339 writes it.
  package var timeOfDay: String { clock.time.rfc3339 }

  /// The time until the next timer or answer takes effect; nil: none waits.
  package var wait: Duration? {
    let dues = coming.map(\.due) + [session.deadline].compactMap(\.self)
    return dues.min().map { .nanoseconds($0.nanoseconds - clock.now.nanoseconds) }
  }
}

/// The reason why a session refuses a step.
package struct StepRefusal: Error, Sendable {
  /// A sentence, with a hint if one is known.
  package let message: String
  /// The code of the daemon's error; nil if no client can make such a call.
  package let code: Int?
  /// Whether it names a row that existed and was removed.
  let isOfGoneRow: Bool

  /// A refusal that no client can cause.
  package init(_ message: String) {
    self.message = message
    code = nil
    isOfGoneRow = false
  }

  /// The error that the daemon would answer.
  init(_ error: RPCError) {
    let data = error.data.flatMap { try? MessageReader.value(ErrorData.self, $0, .lenient) }
    var text = error.message
    if let name = data?.field ?? data?.action ?? data?.step { text += " \(JSON.string(name))" }
    if let reason = data?.reason { text += " (\(reason.name))" }
    let problems = (data?.errors ?? []).map { problem in
      "\(problem.path.isEmpty ? "" : "\(problem.path): ")expected \(problem.message ?? problem.expected)"
    }
    if !problems.isEmpty { text += ": " + problems.joined(separator: "; ") }
    if let closest = data?.closest { text += "; did you mean \(JSON.string(closest))?" }
    message = text
    code = error.code
    isOfGoneRow = data?.reason == .removed
  }
}

/// The two clocks of a case: the elapsed time, and the time of day.
private final class VirtualClock {
  private(set) var now = Instant(nanoseconds: 0)
  private let beginning: Timestamp

  init(from text: String) { beginning = Timestamp(rfc3339: text) ?? .epoch }

  /// The time of day. It stops at the end of the year 9999.
  var time: Timestamp { beginning.advanced(by: DurationValue(nanoseconds: now.nanoseconds)) ?? beginning }

  func go(to instant: Instant) { now = max(now, instant) }
}
