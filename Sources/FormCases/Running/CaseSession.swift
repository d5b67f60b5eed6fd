internal import CEL
internal import Client
internal import FormProtocol
package import Forms
package import JSON
internal import JSONRPC
internal import SessionMessages
package import Sessions

/// A session in virtual time: the engine, a clock that only ``advance(by:)`` moves, and the answers that a case promises.
///
/// Invariants: time never goes back. When a call returns, everything that is due has happened: each timer and each answer at its own time,
/// in the order of their times, a timer before an answer of the same time. So what is read between two calls is what a client reads that
/// waits until nothing is under way at that time.
package final class CaseSession {
  /// The form.
  package let form: Form
  /// The session as it stands, for reading: inputs go by way of this type.
  package let session: Session
  private let engine: Engine
  private let clock: VirtualClock
  private var book: AnswerBook
  /// Answers on their way, in the order of the requests.
  private var coming: [(due: Instant, id: EffectID, response: EffectResponse)] = []
  /// Answers that are kept back, in the order of the requests.
  private var held: [(name: String, id: EffectID, response: EffectResponse)] = []
  /// Requests that have no answer yet, oldest first.
  package private(set) var underWay: [(id: EffectID, request: PromisedRequest)] = []

  /// The requests since ``beginStep()``.
  private(set) var requests: [(id: EffectID, request: PromisedRequest)] = []
  /// Those of them that no answer fits, each with the reason.
  private(set) var unexpected: [(request: PromisedRequest, reason: String)] = []
  /// What taps came to since then.
  private(set) var events: [ActionEvent] = []
  /// The action that was tapped last since then.
  private(set) var tapped: String?
  /// What that tap was answered.
  private(set) var tap: TapAnswer?
  /// Formulas that went wrong since then.
  private(set) var faults: [Fault] = []
  /// Called after each turn.
  private let observe: ((CaseSession) -> Void)?

  /// Timers and answers within one step. A day has 86,400 seconds, and no clock of a form ticks more often; so only a bug can reach this.
  private static let arrivalsMax = 1_000_000

  /// Opens a session of a form as a case says.
  ///
  /// - Parameters:
  ///   - observer: is told which outcomes answers take, and of each turn; nil: nobody is.
  package init(_ form: Form, for testCase: TestCase, observer: CoverageObserver? = nil) {
    self.form = form
    let clock = VirtualClock(from: testCase.now?.written ?? TestCase.beginning)
    self.clock = clock
    engine = Engine(wallClock: { clock.time })
    engine.onOutcome = observer.map { observer in { observer.outcomes.insert($0) } }
    observe = observer.map { observer in { observer.observe($0) } }
    book = AnswerBook(testCase.answers)
    let options = OpenOptions(
      locale: testCase.locale,
      zone: testCase.zone.flatMap { Zone(named: $0.written) } ?? .utc,
      values: testCase.given,
      show: testCase.show.map { _ in .always }
    )
    let turn: Turn
    (session, turn) = engine.open(form, options: options, at: clock.now)
    note(turn)
    settle()
  }

  // MARK: Inputs

  /// From now on ``requests``, ``events`` and what else a step has begin anew.
  package func beginStep() {
    requests = []
    unexpected = []
    events = []
    tapped = nil
    tap = nil
    faults = []
  }

  /// Does what a step says.
  ///
  /// - Throws: ``StepRefusal`` when the session refuses the input; nothing is changed then.
  package func perform(_ step: TestStep) throws(StepRefusal) {
    if let duration = step.advance { return advance(by: duration.duration) }
    if let name = step.answer { return try release(name) }
    let input: Input
    do throws(RPCError) {
      input = try step.input(for: session)
    } catch {
      throw StepRefusal(error)
    }
    tapped = step.tap
    apply(input)
  }

  /// Applies an input, and lets everything happen that is due.
  private func apply(_ input: Input) {
    note(engine.apply(input, to: session, at: clock.now))
    settle()
  }

  /// Lets time pass.
  private func advance(by duration: Duration) {
    happen(until: clock.now + duration)
  }

  /// The answer that is held under a name comes; of several the oldest.
  private func release(_ name: String) throws(StepRefusal) {
    guard let position = held.firstIndex(where: { $0.name == name }) else {
      throw StepRefusal(
        "no request waits for the answer that is held as \(JSON.string(name)): none was made, it was taken back, or its time is up"
      )
    }
    let answer = held.remove(at: position)
    arrived(answer.response, to: answer.id)
    settle()
  }

  /// The oldest request that waits for an answer gets this one: for a session that is played by hand.
  ///
  /// - Precondition: a request waits.
  package func answerOldest(_ response: PromisedResponse) {
    guard let waiting = underWay.first else { preconditionFailure("no request waits for an answer") }
    arrived(response.response(isHTTP: waiting.request.http != nil), to: waiting.id)
    settle()
  }

  // MARK: Time

  private func settle() { happen(until: clock.now) }

  /// Lets everything happen that is due by a time, then it is that time.
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

  /// A request has its answer.
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

  /// What the case promised and nobody asked for: positions among its answers, with how many requests are missing.
  package var unmade: [(position: Int, count: Int)] {
    book.entries.enumerated().compactMap { $1.missing > 0 ? ($0, $1.missing) : nil }
  }

  /// The document as it stands.
  package var document: JSON { session.document }
}

/// Why a session refuses what a step says.
package struct StepRefusal: Error, Sendable {
  /// In a sentence, with what would be right where that is known.
  package let message: String
  /// The code of the daemon's error; nil where what is refused is nothing that a client can do.
  package let code: Int?
  /// Whether it names a row that was there and is not any more.
  let isOfGoneRow: Bool

  init(_ message: String) {
    self.message = message
    code = nil
    isOfGoneRow = false
  }

  /// What the daemon would answer a client.
  init(_ error: RPCError) {
    let data = error.data.flatMap { try? MessageReader.value(ErrorData.self, $0, .lenient) }
    var text = error.message
    if let name = data?.field ?? data?.action ?? data?.step { text += " \(JSON.string(name))" }
    if let reason = data?.reason { text += " (\(reason.name))" }
    let faults = (data?.errors ?? []).map { "\($0.path): expected \($0.message ?? $0.expected)" }
    if !faults.isEmpty { text += ": " + faults.joined(separator: "; ") }
    if let closest = data?.closest { text += "; did you mean \(JSON.string(closest))?" }
    message = text
    code = error.code
    isOfGoneRow = data?.reason == .removed
  }
}

/// The two clocks of a case: how much time has passed, and what time of day it is.
private final class VirtualClock {
  private(set) var now = Instant(nanoseconds: 0)
  private let beginning: Timestamp

  init(from text: String) { beginning = Timestamp(rfc3339: text) ?? .epoch }

  /// The time of day. It stands still at the end of the year 9999.
  var time: Timestamp { beginning.advanced(by: DurationValue(nanoseconds: now.nanoseconds)) ?? beginning }

  func go(to instant: Instant) { now = max(now, instant) }
}
