internal import DocumentProperties
internal import Forms

/// Steps: which step is shown, and the state of its fields together.
extension Engine {
  /// The user goes to a step. A hidden step becomes the current step when it is shown.
  func choose(_ step: Int, in session: Session) {
    noteCurrentStep(of: session)
    for index in session.form.steps.indices { session.steps[index].flags.remove(.isChosen) }
    session.steps[step].flags.insert(.isChosen)
    session.madeMarks?.isHeadMarked = true
  }

  /// Notes the step that the user sees before it may change.
  private func noteCurrentStep(of session: Session) {
    let current = session.currentStep.map { DocumentValue.text(session.form.steps[$0].id) } ?? .absent
    note(DocumentLayout.form(.step), current, isCertain: false)
  }

  // MARK: Visibility

  func computeStepVisible(_ step: Int, _ session: Session) {
    let definition = session.form.steps[step]
    let isVisible = definition.visible.map { isTrue($0, in: session) } ?? true
    guard isVisible != session.isVisible(step: step) else { return }
    noteCurrentStep(of: session)
    set(.isVisible, ofStep: step, to: isVisible, in: session)
  }

  /// Whether the step that contains a field is shown. It is true if the field is in no step.
  func isInShownStep(_ field: Int, _ instance: Instance) -> Bool {
    guard let step = instance.form.fields[field].step else { return true }
    return instance.session.isVisible(step: step)
  }

  // MARK: Sums over the fields

  /// Counts a field that has become valid or invalid, in its step.
  func countInvalid(_ isValid: Bool, inStep step: Int, _ session: Session) {
    session.steps[step].invalid += isValid ? -1 : 1
  }

  /// Counts a field whose pending state has changed, in its step.
  func countPending(_ isPending: Bool, inStep step: Int, _ session: Session) {
    session.steps[step].pending += isPending ? 1 : -1
  }

  /// Counts a field that was left for the first time, or reset, in its step. As with fields, no formula decides whether
  /// a step is touched, so any may read it without a cycle.
  func countTouched(_ isTouched: Bool, inStep step: Int, _ session: Session) {
    session.steps[step].touched += isTouched ? 1 : -1
    set(.isTouched, ofStep: step, to: session.steps[step].touched > 0, in: session)
  }

  func computeStep(_ step: Int, _ session: Session) {
    let state = session.steps[step]
    set(.isValid, ofStep: step, to: state.invalid == 0 && state.pending == 0, in: session)
    set(.isPending, ofStep: step, to: state.pending > 0, in: session)
  }
}
