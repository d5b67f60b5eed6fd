internal import CEL
internal import DocumentProperties
internal import Forms
internal import JSON
internal import Times

/// Runs of actions: from a tap that the form lets through to its outcome.
extension Engine {
  /// One answer shows at most this many errors.
  private static let serverErrorsMax = 1_000

  /// The form lets a tap through: its run begins, or waits for the runs before it.
  func submit(_ action: Int, token: UInt64, in session: Session) -> TapResult {
    let extras = session.madeExtras
    let submission = submission(to: action, in: session)
    switch extras.actions[action].submitted(token, submission) {
    case .begins(let superseded):
      for tap in superseded { giveUp(tap, of: action, in: session) }
      let number = begin(action, token: token, submission, in: session)
      return TapResult(outcome: .started, run: number, token: token)
    case .queued:
      return TapResult(outcome: .held, token: token)
    case .dropped:
      return drop(action, token, session)
    }
  }

  private func submission(to action: Int, in session: Session) -> Submission {
    let definition = session.form.actions[action]
    var request = Submission.Request.nothing
    if let plan = definition.request {
      var maker = RequestMaker(self, session)
      do throws(RequestError) {
        request = .effect(try maker.request(for: plan))
      } catch {
        report(error.formula, reason: error.reason, in: session)
        request = .faulted(error)
      }
    }
    var values: [Int: JSON?] = [:]
    for (field, _) in definition.outcomes.flatMap(\.fieldErrors) { values[field] = session.value(of: field) }
    return Submission(
      request: request,
      values: values,
      sent: definition.mapsFieldErrors ? SentValues(of: session) : nil
    )
  }

  /// Begins a run. If it ends at once without a request, the runs queued behind it begin, too. Returns the number of
  /// the first run.
  @discardableResult
  private func begin(_ action: Int, token: UInt64, _ submission: Submission, in session: Session) -> Int {
    let extras = session.madeExtras
    extras.lastRun += 1
    markForSnapshot(action: action, in: session)
    let number = extras.lastRun
    let keyNumber = takeInterrupted(action, submission, in: session) ?? number
    let beginning = extras.actions[action].begin(
      token,
      submission,
      number: number,
      keyNumber: keyNumber,
      effect: extras.effects.nextID
    )
    setAttempts(session.actions[action].attempts + 1, action, session)
    let outcome = session.actions[action].outcome
    setOutcome(
      ActionOutcomeState(result: outcome?.result, error: nil, message: outcome?.message, texts: outcome?.texts),
      action,
      session
    )
    forgetServerErrors(of: action, in: session)
    setLoading(action, session)
    switch beginning {
    case .asks(let request): launch(request, of: action, token: token, keyNumber: keyNumber, in: session)
    case .ends(let run, let response):
      conclude(run, of: action, token: token, response, in: session)
    }
    return number
  }

  /// A client's own server has found a field's value wrong. Another such error replaces the error before.
  func fail(_ field: Int, _ message: String, in instance: Instance) {
    setServerErrors(of: field, in: instance) { $0.removeAll { $0.action == nil } }
    addServerError(ServerError(message: message), of: nil, to: field, in: instance)
  }

  /// Adds the errors that an answer gives to addresses. They follow rows that have moved. Errors for unknown addresses
  /// go to the form.
  private func addServerErrors(
    _ errors: [(address: String, error: ServerError)],
    of action: Int,
    _ run: ActionRun,
    in session: Session
  ) {
    for (address, said) in errors.prefix(Self.serverErrorsMax) {
      switch run.submission.sent?.target(of: address, in: session) ?? .nowhere {
      case .field(let live, let rest):
        addServerError(said, at: rest, of: action, to: live.field, in: live.instance)
      case .outdated: continue
      case .nowhere:
        let error = ErrorDetail(
          code: "server",
          severity: .error,
          source: .server,
          message: said.message,
          parameters: said.parameters
        )
        session.madeExtras.formServerErrors.append((action, .detailed(error)))
        markForSnapshot(.serverErrors, in: session)
        session.computedBytes += FieldError.detailed(error).ownBytes
        formChanged(.formObjectErrors, in: session)
      }
    }
  }

  /// Adds a form error for a formula of a run that went wrong. It stays until the action runs again.
  private func addFault(of formula: Formula, reason: String, action: Int, in session: Session) {
    let error = FieldError.detailed(ErrorDetail(faultOf: formula.name, in: session))
    session.madeExtras.runFaults.append((action, formula, reason))
    session.madeExtras.formServerErrors.append((action, error))
    markForSnapshot(.serverErrors, in: session)
    session.computedBytes += error.ownBytes
    formChanged(.formObjectErrors, in: session)
  }

  /// Changes the errors at a field that outcomes and the client's own server have given.
  func setServerErrors(
    of field: Int,
    in instance: Instance,
    _ change: (inout [(action: Int?, error: FieldError)]) -> Void
  ) {
    let instanceExtras = instance.madeInstanceExtras
    var errors = instanceExtras.serverErrors[field] ?? []
    change(&errors)
    instance.session.computedBytes += instanceExtras.setServerErrors(errors, of: field)
    markForSnapshot(field, in: instance)
  }

  private func addServerError(
    _ said: ServerError,
    at path: [String] = [],
    of action: Int?,
    to field: Int,
    in instance: Instance
  ) {
    let error = ErrorDetail(
      code: "server",
      path: JSONPointer(tokens: path).description,
      severity: .error,
      source: .server,
      message: said.message,
      parameters: said.parameters
    )
    setServerErrors(of: field, in: instance) { $0.append((action, .detailed(error))) }
    instance.fields[field].flags.insert(.revealsNow)
    changed(.attention, ofField: field, in: instance)
  }

  /// Removes the errors that outcomes have given to the form as a whole.
  func forgetFormServerErrors(in session: Session, of isWanted: (Int?) -> Bool) {
    guard let extras = session.extras, extras.formServerErrors.contains(where: { isWanted($0.action) }) else { return }
    for (action, error) in extras.formServerErrors where isWanted(action) { session.computedBytes -= error.ownBytes }
    extras.formServerErrors.removeAll { isWanted($0.action) }
    extras.runFaults.removeAll { isWanted($0.action) }
    markForSnapshot(.serverErrors, in: session)
    formChanged(.formObjectErrors, in: session)
  }

  /// Removes the errors that the action's last outcome gave to fields. They go when the action runs again, like its
  /// error.
  private func forgetServerErrors(of action: Int, in session: Session) {
    forgetFormServerErrors(in: session) { $0 == action }
    session.forEachInstance { instance in
      guard let instanceExtras = instance.instanceExtras, !instanceExtras.serverErrors.isEmpty else { return }
      for (field, errors) in instanceExtras.serverErrors where errors.contains(where: { $0.action == action }) {
        setServerErrors(of: field, in: instance) { $0.removeAll { $0.action == action } }
        changed(.attention, ofField: field, in: instance)
      }
    }
  }

  /// The answer to a run's effect came.
  func runAnswered(
    _ token: UInt64,
    of action: Int,
    by effect: EffectID,
    _ response: EffectResponse,
    in session: Session
  ) {
    let extras = session.madeExtras
    let retry = session.form.actions[action].retry
    switch extras.actions[action].answered(token, by: effect, response, retry) {
    case nil: break
    case .retries(let pause)?: extras.timers.set(.retry(action: action, token: token), to: now + pause)
    case .ends(let run)?: conclude(run, of: action, token: token, response, in: session)
    }
  }

  /// The pause before another try is over.
  func pauseEnded(_ token: UInt64, of action: Int, in session: Session) {
    let extras = session.madeExtras
    guard let request = extras.actions[action].pauseEnded(token, effect: extras.effects.nextID),
      let keyNumber = extras.actions[action].stage(of: token)?.run?.keyNumber
    else { return }
    launch(request, of: action, token: token, keyNumber: keyNumber, in: session)
  }

  /// Starts a try of a run.
  private func launch(_ request: EffectRequest, of action: Int, token: UInt64, keyNumber: Int, in session: Session) {
    let definition = session.form.actions[action]
    var request = request
    if definition.isIdempotent { request.addIdempotencyKey(idempotencyKey(ofRun: keyNumber, in: session)) }
    launch(request, timeout: definition.timeout, owner: .run(action: action, token: token), in: session)
  }

  /// The number of the key of an interrupted run of the action, if its request was the same. It is used once. A run
  /// with another request means that the user wants something else: the engine forgets the interrupted runs.
  private func takeInterrupted(_ action: Int, _ submission: Submission, in session: Session) -> Int? {
    guard let extras = session.extras, let runs = extras.interrupted[action] else { return nil }
    let fingerprint = submission.fingerprint(for: session.form.actions[action])
    guard let position = runs.firstIndex(where: { $0.request == fingerprint }) else {
      forgetInterrupted(action, in: session)
      return nil
    }
    extras.interrupted[action]?.remove(at: position)
    if runs.count == 1 { extras.interrupted[action] = nil }
    return runs[position].keyNumber
  }

  /// The next run of the action gets a key of its own.
  private func forgetInterrupted(_ action: Int, in session: Session) {
    if session.extras?.interrupted.removeValue(forKey: action) != nil { markForSnapshot(action: action, in: session) }
  }

  /// The key that all tries of one tap share, and that no other tap of any session has, except the tap that repeats an
  /// interrupted one.
  private func idempotencyKey(ofRun number: Int, in session: Session) -> String {
    let extras = session.madeExtras
    let identity = extras.identity ?? newIdentity()
    if extras.identity == nil {
      extras.identity = identity
      markForSnapshot(.opening, in: session)
    }
    return "\(identity)-\(number)"
  }

  /// Ends a run that was under way when the session's snapshot was made. Its request is not known any more, and is not
  /// sent again.
  func interrupt(_ number: Int, of action: Int, token: UInt64, in session: Session) {
    let run = ActionRun(submission: Submission(request: .nothing, values: [:]), number: number, keyNumber: number)
    let response = EffectResponse(
      kind: .interrupted,
      reason: "the session was restored while the request was under way"
    )
    conclude(run, of: action, token: token, response, in: session)
  }

  /// Ends a run: finds its outcome, makes its event, and begins the next run of the queue.
  private func conclude(
    _ run: ActionRun,
    of action: Int,
    token: UInt64,
    _ response: EffectResponse?,
    in session: Session
  ) {
    let extras = session.madeExtras
    let definition = session.form.actions[action]
    let previous = session.actions[action].outcome?.result
    let conclusion = Conclusion(of: definition, response: response, previous: previous, session: session, engine: self)
    let next = extras.actions[action].ended(token)
    markForSnapshot(action: action, in: session)
    setLoading(action, session)
    let (result, error): (JSON?, JSON?) =
      switch conclusion.ending {
      case .success(let result): (result, nil)
      case .failure(let error): (previous, error)
      }
    setOutcome(
      ActionOutcomeState(result: result, error: error, message: conclusion.message, texts: conclusion.texts),
      action,
      session
    )
    // With several runs under way, another run may have left errors since this one began.
    forgetServerErrors(of: action, in: session)
    for (field, error) in conclusion.fieldErrors {
      // The error is about the submitted value, and the field may have another one by now.
      guard let sent = run.submission.values[field], session.value(of: field) == sent else { continue }
      addServerError(error, of: action, to: field, in: session)
    }
    addServerErrors(conclusion.addressedErrors, of: action, run, in: session)
    if case .faulted(let error) = run.submission.request {
      addFault(of: error.formula, reason: error.reason, action: action, in: session)
    }
    if let fault = conclusion.fault {
      addFault(of: fault, reason: reportedReason(of: fault) ?? "", action: action, in: session)
    }
    switch conclusion.ending {
    case .success(let result):
      emitEvent(.succeeded, action, token, session, run: run.number, result: result, message: conclusion.message)
    case .failure(let error):
      emitEvent(.failed, action, token, session, run: run.number, error: error, message: conclusion.message)
    }
    if let next { begin(action, token: next.token, next.submission, in: session) }
  }

  /// A later tap replaced a run.
  private func giveUp(_ tap: ActionMachine.Tap, of action: Int, in session: Session) {
    stop(tap, of: action, in: session)
    supersede(action, tap.token, run: tap.stage.run?.number, session)
  }

  /// Nothing waits for a tap any more.
  private func stop(_ tap: ActionMachine.Tap, of action: Int, in session: Session) {
    switch tap.stage {
    case .running(_, let effect): abandon(effect, in: session)
    case .retrying: session.madeExtras.timers.set(.retry(action: action, token: tap.token), to: nil)
    case .held: session.madeExtras.timers.set(.heldTap(action: action, token: tap.token), to: nil)
    case .queued, .ending: break
    }
  }

  /// The user gives up the taps of an action. What their runs have done already stays done.
  func cancelTaps(of action: Int, in session: Session) {
    guard let extras = session.extras, extras.actions[action].hasOpenTaps else { return }
    let (taps, delayed) = extras.actions[action].cancel()
    markForSnapshot(action: action, in: session)
    for tap in taps {
      stop(tap, of: action, in: session)
      emitEvent(.cancelled, action, tap.token, session, run: tap.stage.run?.number)
    }
    if let delayed {
      setDelayTimer(action, extras)
      emitEvent(.cancelled, action, delayed, session)
    }
    setLoading(action, session)
  }

  /// Gives up all taps of an action, and discards the outcomes of their runs.
  func resetAction(_ action: Int, of session: Session) {
    forgetInterrupted(action, in: session)
    if let extras = session.extras {
      let (runs, waiting) = extras.actions[action].reset()
      for tap in runs { supersede(action, tap.token, run: tap.stage.run?.number, session) }
      for token in waiting { drop(action, token, session) }
    }
    setLoading(action, session)
    setAttempts(0, action, session)
    setOutcome(ActionOutcomeState(result: nil, error: nil, message: nil), action, session)
  }

  // MARK: What the document shows of an action

  func setAttempts(_ count: Int32, _ action: Int, _ session: Session) {
    let old = session.actions[action].attempts
    guard count != old else { return }
    note(session.form.layout.action(action, .attempts), .integer(Int(old)))
    session.actions[action].attempts = count
    markForSnapshot(action: action, in: session)
    store(.int(Int64(count)), as: .attempts, ofAction: action, in: session)
  }

  private func setLoading(_ action: Int, _ session: Session) {
    set(.isLoading, ofAction: action, to: session.extras?.actions[action].isLoading ?? false, in: session)
  }

  func setOutcome(_ outcome: ActionOutcomeState, _ action: Int, _ session: Session) {
    let layout = session.form.layout
    let old = session.actions[action].outcome
    if old == nil && outcome.isEmpty { return }
    note(layout.action(action, .result), old?.result.map { .json($0) } ?? .absent, isCertain: false)
    note(layout.action(action, .error), old?.error.map { .json($0) } ?? .absent, isCertain: false)
    note(layout.action(action, .message), old?.message.map { .text($0) } ?? .absent, isCertain: false)
    session.computedBytes += outcome.bytes - (old?.bytes ?? 0)
    session.actions[action].outcome = outcome
    markForSnapshot(action: action, in: session)
    store(outcome.result.map(Value.init) ?? .null, as: .result, ofAction: action, in: session)
    store(outcome.error.map(Value.init) ?? .null, as: .error, ofAction: action, in: session)
    store(.string(outcome.message ?? ""), as: .message, ofAction: action, in: session)
  }

  /// Stores a property of an action in its slot, if formulas read it, and marks its readers.
  private func store(_ value: Value, as property: ActionProperty, ofAction action: Int, in session: Session) {
    let slot = session.form.slots.actions[property, action]
    if slot >= 0, store(value, in: slot, of: session) {
      changed(FactSet(action: property), ofAction: action, in: session)
    }
  }
}
