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
  /// The message in every language, where it is no formula's.
  var texts: LocalizedText?
  var fieldErrors: [(field: Int, text: String)] = []
  /// What one formula says of places, as the answer names them.
  var places: [(place: String, text: String)] = []

  /// The first branch that applies decides. A run-time error in one of its formulas makes the run fail with `fault`.
  ///
  /// `response` is nil for an action without `run`. An action without outcomes succeeds without `run`, or when its answer has
  /// an HTTP status below 400; the result is then the body or the rows. Otherwise it fails with the response's kind.
  init(of action: Action, response: EffectResponse?, previous: JSON?, session: Session, engine: Engine) {
    guard !action.outcomes.isEmpty else {
      self.init(withoutOutcomes: response)
      return
    }
    let scope = OutcomeScope(response: response, previous: previous, instance: session)
    for outcome in action.outcomes {
      if let when = outcome.when {
        switch scope.evaluate(when, by: engine) {
        case .bool(true): break
        case .bool(false), .null: continue
        default:
          self.init(ending: .failure("fault"))
          return
        }
      }
      self.init(outcome, scope, session, engine)
      return
    }
    self.init(ending: .failure("unexpected"))
  }

  private init(ending: Ending) {
    self.ending = ending
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
        self.init(ending: .failure("fault"))
        return
      }
      value = json.withoutNullMembers
    }
    self.init(ending: outcome.isFailure ? .failure(value ?? "failed") : .success(value))
    switch outcome.message {
    case .none: break
    case .text(let text):
      message = text[session.localeIndex]
      texts = text
    case .formula(let formula):
      switch scope.evaluate(formula, by: engine) {
      case .string(let text): message = text
      case .null: break
      default:
        self.init(ending: .failure("fault"))
        return
      }
    }
    if let map = outcome.fieldErrorMap {
      switch scope.evaluate(map, by: engine).json {
      case .object(let members)?: for member in members { add(member.value, at: member.name) }
      case .null?: break
      default:
        self.init(ending: .failure("fault"))
        return
      }
    }
    for (field, formula) in outcome.fieldErrors {
      switch scope.evaluate(formula, by: engine) {
      case .string(let text) where !text.isEmpty: fieldErrors.append((field, text))
      case .string, .null: continue
      default:
        self.init(ending: .failure("fault"))
        return
      }
    }
  }

  /// A place has a text, or several; what is no text says nothing.
  private mutating func add(_ value: JSON, at place: String) {
    switch value {
    case .string(let text) where !text.isEmpty: places.append((place, text))
    case .array(let texts):
      for text in texts { if case .string(let text) = text, !text.isEmpty { places.append((place, text)) } }
    default: break
    }
  }
}
