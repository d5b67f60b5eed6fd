internal import FormProtocol
package import Forms
package import JSON
internal import Sessions
internal import SourceTexts

/// The result of a case.
package struct CaseResult: Sendable {
  /// The case's name.
  package var name: String
  /// The case's location in its file.
  package var position: LineColumn
  /// The failure; nil: the case passed.
  package var failure: CaseFailure?
}

/// The moment at which a case failed, and its deviations.
package struct CaseFailure: Sendable {
  /// A moment of a case.
  package enum Moment: Hashable, Sendable {
    /// The session was opened.
    case opening
    /// The step of that number, from 1, and what it does: `tap login`.
    case step(Int, String)
    /// All steps were done.
    case end
  }

  /// The moment of the failure.
  package var moment: Moment
  /// All deviations at that moment, each with its location in the file.
  package var deviations: [(deviation: Deviation, pointer: JSONPointer, position: LineColumn)]
  /// The engine's explanations of the deviating parts, each once, in the order of the deviations.
  package var explanations: [(subject: Deviation.Subject, says: JSON)]
  /// Formulas that failed during the step, each with the reason.
  package var faults: [String] = []
}

/// Runs the cases of a file, one after the other, each in its own session.
///
/// A case passes if
///
/// - all expectations hold after its opening and after each step,
/// - the case answers every request,
/// - every promised answer was requested.
///
/// It ends at the first moment at which one of these conditions fails, with all deviations at that moment.
package struct CaseRunner {
  private let file: LoadedTestFile
  private let form: Form
  private let observer: CoverageObserver?

  /// Prepares to run the cases of a file with a form.
  ///
  /// - Parameter observer: records what the cases reach; nil: nothing is recorded.
  package init(_ file: LoadedTestFile, of form: Form, observer: CoverageObserver? = nil) {
    self.file = file
    self.form = form
    self.observer = observer
  }

  /// The results of all cases, in their order.
  package func run() -> [CaseResult] {
    file.content.cases.enumerated().map { position, testCase in
      let pointer = JSONPointer(tokens: ["cases", String(position)])
      return CaseResult(
        name: testCase.name,
        position: file.text.position(of: pointer),
        failure: failure(of: testCase, at: pointer)
      )
    }
  }

  private func failure(of testCase: TestCase, at pointer: JSONPointer) -> CaseFailure? {
    if let problem = form.problem(ofContext: testCase.context) {
      let at = testCase.context == nil ? pointer : pointer.appending("context")
      let deviation = Deviation(pointer: .root, kind: .remark(problem), subject: nil)
      return CaseFailure(moment: .opening, deviations: [(deviation, at, file.text.position(of: at))], explanations: [])
    }
    let state = CaseSession(form, for: testCase, observer: observer)
    let opening = found(in: state, testCase.expect, at: pointer)
    if let failure = failure(.opening, opening, state) { return failure }
    for (position, step) in testCase.steps.enumerated() {
      let pointer = pointer.appending("steps").appending(position)
      let moment = CaseFailure.Moment.step(position + 1, step.summary)
      state.beginStep()
      let refused = refusal(of: step, by: state, at: pointer)
      let all = refused + (refused.isEmpty ? found(in: state, step.expect, at: pointer) : [])
      if let failure = failure(moment, all, state) { return failure }
    }
    return failure(.end, unmade(in: state, testCase, at: pointer), state)
  }

  /// Carries out a step. The result is a deviation if the step is refused and should succeed, or the reverse.
  private func refusal(of step: TestStep, by state: CaseSession, at pointer: JSONPointer) -> Found {
    let expected = step.expect?.refused
    let inner = expected == nil ? pointer : pointer.appending("expect").appending("refused")
    do throws(StepRefusal) {
      try state.perform(step)
    } catch {
      if let expected, error.code == expected { return [] }
      let code = expected == nil ? "" : " (\(error.code.map { "code \($0)" } ?? "without a code"))"
      return [(Deviation(pointer: .root, kind: .remark(error.message + code), subject: nil), inner)]
    }
    guard let expected else { return [] }
    let text = "the step should be refused with code \(expected), but was not"
    return [(Deviation(pointer: .root, kind: .remark(text), subject: nil), inner)]
  }

  private typealias Found = [(deviation: Deviation, pointer: JSONPointer)]

  /// The deviations after a step: requests without an answer, and failed expectations.
  private func found(in state: CaseSession, _ expected: Expectations?, at pointer: JSONPointer) -> Found {
    let unexpected = state.unexpected.map { request, reason in
      let text = "the form made a request that the case does not answer: \(request.json.description)\n\(reason)"
      return (deviation: Deviation(pointer: .root, kind: .remark(text), subject: nil), pointer: pointer)
    }
    let expectations = pointer.appending("expect")
    let deviations = expected.map { ExpectationComparison.deviations(of: state, from: $0) } ?? []
    return unexpected
      + deviations.map { ($0, JSONPointer(tokens: expectations.tokens + $0.pointer.tokens)) }
  }

  /// Promised answers that were not requested.
  private func unmade(in state: CaseSession, _ testCase: TestCase, at pointer: JSONPointer) -> Found {
    state.unmade.map { position, count in
      let pattern = testCase.answers[position].pattern
      let text = "the form made \(count) \(count == 1 ? "request" : "requests") too few for this answer: \(pattern)"
      let inner = pointer.appending("answers").appending(position)
      return (Deviation(pointer: .root, kind: .remark(text), subject: nil), inner)
    }
  }

  private func failure(_ moment: CaseFailure.Moment, _ found: Found, _ state: CaseSession) -> CaseFailure? {
    if found.isEmpty { return nil }
    var subjects: [Deviation.Subject] = []
    for subject in found.compactMap(\.deviation.subject) where !subjects.contains(subject) { subjects.append(subject) }
    let explanation = Explanation(state, of: subjects)
    return CaseFailure(
      moment: moment,
      deviations: found.map { ($0.deviation, $0.pointer, file.text.position(of: $0.pointer)) },
      explanations: subjects.compactMap { subject in explanation.text(of: subject).map { (subject, $0) } },
      faults: state.faults.map { "\($0.name) failed: \($0.message)" }
    )
  }
}
