internal import CEL
internal import Forms
internal import JSON

/// The end of a run, by the outcomes of its action.
struct Conclusion {
  enum Ending {
    case success(JSON?)
    case failure(JSON?)
  }

  var ending: Ending
  var message: String?
  /// The message in every language, unless it is a formula's.
  var texts: LocalizedText?
  var fieldErrors: [(field: Int, error: ServerError)] = []
  /// The errors that one formula gives to addresses, under the names in the answer.
  var addressedErrors: [(address: String, error: ServerError)] = []
  /// A formula that went wrong, or whose result cannot be used. It has been reported.
  var fault: Formula?

  /// The first branch that applies decides. A run-time error in one of its formulas makes the run fail with `fault`.
  ///
  /// `response` is nil for an action without `run`. An action without outcomes succeeds without `run`, or when its
  /// answer has an HTTP status below 400. The result is then the body or the rows. Otherwise it fails with the
  /// response's kind.
  init(of action: Action, response: EffectResponse?, previous: JSON?, session: Session, engine: Engine) {
    guard !action.outcomes.isEmpty else {
      self.init(withoutOutcomes: response)
      return
    }
    let scope = OutcomeScope(response: response, previous: previous, instance: session)
    for (position, outcome) in action.outcomes.enumerated() {
      if let when = outcome.when {
        switch scope.evaluate(when, by: engine) {
        case .bool(true): break
        case .bool(false), .null: continue
        default:
          self.init(faultOf: when)
          return
        }
      }
      engine.onOutcome?(OutcomeTaken(.action(action.name), position))
      self.init(outcome, scope, session, engine)
      return
    }
    engine.onOutcome?(OutcomeTaken(.action(action.name), nil))
    self.init(ending: .failure("unexpected"))
  }

  private init(ending: Ending) {
    self.ending = ending
  }

  private init(faultOf formula: Formula) {
    self.init(ending: .failure("fault"))
    fault = formula
  }

  private init(withoutOutcomes response: EffectResponse?) {
    guard let response else {
      self.init(ending: .success(nil))
      return
    }
    if response.kind == .ok && response.status < 400 {
      self.init(ending: .success((response.body ?? response.rows.map { .array($0) })?.withoutNullMembers))
    } else {
      self.init(ending: .failure(.string(response.kind == .ok ? "status" : response.kind.rawValue)))
    }
  }

  private init(_ outcome: ActionOutcome, _ scope: OutcomeScope, _ session: Session, _ engine: Engine) {
    var value: JSON?
    if let formula = outcome.value {
      let result = scope.evaluate(formula, by: engine)
      guard let json = result.json else {
        self.init(faultOf: formula)
        return
      }
      value = json.withoutNullMembers
    }
    self.init(ending: outcome.isFailure ? .failure(value ?? "failed") : .success(value))
    do throws(UnusableResult) {
      try readMessage(of: outcome, scope, session, engine)
      try readAddressedErrors(of: outcome, scope, session, engine)
      try readFieldErrors(of: outcome, scope, session, engine)
    } catch {
      self.init(faultOf: error.formula)
    }
  }

  private mutating func readMessage(
    of outcome: ActionOutcome,
    _ scope: OutcomeScope,
    _ session: Session,
    _ engine: Engine
  ) throws(UnusableResult) {
    switch outcome.message {
    case .none: break
    case .text(let text):
      message = text[session.localeIndex]
      texts = text
    case .formula(let formula):
      switch scope.evaluate(formula, by: engine) {
      case .string(let text): message = text
      case .null: break
      case let other: throw UnusableResult(of: formula, other, session, engine)
      }
    }
  }

  /// The errors of the one formula that gives errors to addresses. An error of a wrong type is left out and reported.
  private mutating func readAddressedErrors(
    of outcome: ActionOutcome,
    _ scope: OutcomeScope,
    _ session: Session,
    _ engine: Engine
  ) throws(UnusableResult) {
    guard let map = outcome.fieldErrorMap else { return }
    let said = scope.evaluate(map, by: engine)
    switch said.json {
    case .object(let members)?:
      for member in members {
        guard let errors = ServerError.read(member.value) else {
          fault = map
          continue
        }
        for error in errors { addressedErrors.append((member.name, error)) }
      }
    case .null?: break
    default: throw UnusableResult(of: map, said, session, engine)
    }
    if fault != nil {
      engine.report(
        map,
        reason: "an error by address is neither a text, nor {message, code}, nor a list of these",
        in: session
      )
    }
  }

  /// The errors of the formulas that each belong to one field.
  private mutating func readFieldErrors(
    of outcome: ActionOutcome,
    _ scope: OutcomeScope,
    _ session: Session,
    _ engine: Engine
  ) throws(UnusableResult) {
    for (field, formula) in outcome.fieldErrors {
      let said = scope.evaluate(formula, by: engine)
      guard let errors = said.json.flatMap(ServerError.read) else {
        throw UnusableResult(of: formula, said, session, engine)
      }
      for error in errors { fieldErrors.append((field, error)) }
    }
  }
}

/// A formula of an outcome went wrong, or its result has a type that is not allowed there.
private struct UnusableResult: Error {
  let formula: Formula

  /// Reports a result of a wrong type. A run-time error has been reported already.
  init(of formula: Formula, _ result: Value, _ session: Session, _ engine: Engine) {
    self.formula = formula
    if !result.isError { engine.report(formula, result, in: session) }
  }
}
