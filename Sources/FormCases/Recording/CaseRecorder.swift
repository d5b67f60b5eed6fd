internal import Client
internal import FormProtocol
package import Forms
package import JSON
internal import Sessions

/// Makes a case from a session that is played by hand.
///
/// Each request gets an answer that is held under its own name. So the case repeats exactly what was played, in
/// whatever order the answers came. The expectations of a step are the changes after it.
package final class CaseRecorder {
  /// The case so far. It passes.
  package private(set) var testCase: TestCase
  /// The session.
  package let state: CaseSession
  private let form: Form
  private let keepsSecrets: Bool
  /// Whether a value was replaced because it is a secret.
  package private(set) var hasMasked = false
  private var before: RecordedState
  /// The number of requests so far.
  private var requestCount = 0

  /// Opens a session of a form.
  ///
  /// - Parameters:
  ///   - testCase: the case without answers, expectations and steps.
  ///   - keepsSecrets: whether the session and the case get the secrets themselves, and not values of their shape.
  package init(_ form: Form, _ testCase: TestCase, keepsSecrets: Bool = false) {
    self.form = form
    self.keepsSecrets = keepsSecrets
    var testCase = testCase
    if !keepsSecrets, let given = testCase.given {
      testCase.given = form.masked(given)
      hasMasked = testCase.given != given
    }
    if !keepsSecrets, let context = testCase.context, let own = form.context {
      testCase.context = own.masked(context)
      hasMasked = hasMasked || testCase.context != context
    }
    self.testCase = testCase
    state = CaseSession(form, for: testCase)
    before = RecordedState(state)
    noteRequests()
    self.testCase.expect = Self.unlessEmpty(before.all.joined(with: state))
  }

  /// Carries out a step and records it with its changes.
  ///
  /// - Returns: the changes.
  /// - Throws: why the session refuses the step. A refused step is not recorded.
  @discardableResult
  package func perform(_ step: TestStep) throws(StepRefusal) -> Expectations {
    let step = masked(step)
    state.beginStep()
    try state.perform(step)
    return write(step)
  }

  /// The step with other values in place of secrets.
  private func masked(_ step: TestStep) -> TestStep {
    if keepsSecrets { return step }
    let masked = form.masked(step)
    if masked.setContext != step.setContext { hasMasked = true }
    if masked.value != step.value || masked.values != step.values || masked.change != step.change { hasMasked = true }
    return masked
  }

  /// Answers the oldest waiting request.
  ///
  /// - Parameter request: the oldest request to the same place is preferred, whatever its payload is; nil: none.
  /// - Returns: the changes.
  /// - Throws: why not: no request waits, or the response does not fit the request.
  @discardableResult
  package func answer(
    _ response: PromisedResponse,
    to request: PromisedRequest? = nil
  ) throws(StepRefusal) -> Expectations {
    let same = request.flatMap { request in state.underWay.first { $0.request.head.json == request.head.json } }
    guard let waiting = same ?? state.underWay.first, let position = positions[waiting.id] else {
      throw StepRefusal("no request waits for an answer")
    }
    if waiting.request.http != nil, response.rows != nil {
      throw StepRefusal("a service answers with a status and a body, not with rows: write answer 200 {...}")
    }
    state.beginStep()
    state.answer(waiting.id, response)
    testCase.answers[position].response = response
    var step = TestStep()
    step.answer = testCase.answers[position].held
    return write(step)
  }

  /// The requests that wait for an answer, oldest first.
  package var waiting: [PromisedRequest] { state.underWay.map(\.request) }

  /// The session's document.
  package var document: JSON { state.document }

  /// The position of each request's answer.
  private var positions: [EffectID: Int] = [:]

  private func write(_ step: TestStep) -> Expectations {
    noteRequests()
    let after = RecordedState(state)
    let changed = after.changes(since: before, by: step).joined(with: state)
    before = after
    var step = step
    step.expect = Self.unlessEmpty(changed)
    testCase.steps.append(step)
    return changed
  }

  /// Promises an answer for each request of the step, also for requests that were cancelled at once.
  private func noteRequests() {
    for (id, request) in state.requests {
      requestCount += 1
      positions[id] = testCase.answers.count
      var answer = PromisedAnswer()
      (answer.http, answer.sql, answer.provider) = (request.http, request.sql, request.provider)
      answer.held = "\(request.name) \(requestCount)"
      testCase.answers.append(answer)
    }
  }

  private static func unlessEmpty(_ expectations: Expectations) -> Expectations? {
    expectations.json == [:] ? nil : expectations
  }
}

extension PromisedRequest {
  /// The name of the service, the database or the provider.
  fileprivate var name: String { http?.service ?? sql?.database ?? provider?.name ?? "" }

  /// The request without its payload.
  package var head: PromisedRequest {
    var head = self
    head.http?.query = nil
    head.http?.headers = nil
    head.http?.json = nil
    head.sql?.parameters = nil
    head.provider?.arguments = nil
    return head
  }
}

extension Expectations {
  /// These expectations with the tap, the events and the requests of the step.
  fileprivate func joined(with state: CaseSession) -> Expectations {
    var joined = self
    joined.tap = state.tap?.json.objectValue.map { $0.without(["revision", "run"]) }
    if !state.events.isEmpty {
      joined.events = state.events.map { .object(($0.json.objectValue ?? [:]).without(["seq", "run"])) }
    }
    if !state.requests.isEmpty { joined.requests = state.requests.map(\.request.head) }
    return joined
  }
}

extension JSONObject {
  fileprivate func without(_ names: Set<String>) -> JSONObject {
    JSONObject(filter { !names.contains($0.name) }.map { ($0.name, $0.value) })
  }
}
