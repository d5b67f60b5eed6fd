extension CaseRecorder {
  /// Carries out the steps of another recorded case. Steps that the form refuses are left out.
  package func repeatSteps(of other: TestCase) {
    for step in other.plainSteps {
      if let held = step.answer {
        guard let promised = other.answers.first(where: { $0.held == held }) else { continue }
        guard let response = promised.response else { continue }
        // The form may make more requests than before.
        var request = PromisedRequest()
        (request.http, request.sql, request.provider) = (promised.http, promised.sql, promised.provider)
        _ = try? answer(response, to: request)
      } else {
        _ = try? perform(step)
      }
    }
  }
}

extension TestCase {
  /// The steps without their expectations. A value that was typed in several steps, without another effect than its
  /// own, is one step.
  package var plainSteps: [TestStep] {
    var steps: [TestStep] = []
    for (position, step) in self.steps.enumerated() {
      let next = position + 1 < self.steps.count ? self.steps[position + 1] : nil
      if step.isTyping, step.change == next?.change, next?.isTyping ?? false { continue }
      var plain = step
      plain.expect = nil
      steps.append(plain)
    }
    return steps
  }
}

extension TestStep {
  /// Whether it is a change of one field that starts no request and ends no action.
  fileprivate var isTyping: Bool {
    guard case .field? = change else { return false }
    return expect?.requests == nil && expect?.events == nil && commit != true
  }
}
