internal import CEL
internal import Forms
internal import JSON
internal import TextFormats

/// Effects: requests are made from formulas, start, and get their answers.
extension Engine {
  // MARK: Resolving

  /// The request with its formulas evaluated over the cells as they stand; nil when one of them faults.
  func resolve(_ run: Run, in session: Session) -> EffectRequest? {
    switch run {
    case .http(let http):
      return resolve(http, in: session)
    case .sql(let database, let query, let parameters):
      var values = JSONObject()
      for (name, formula) in parameters {
        guard let value = argument(formula, in: session) else { return nil }
        values[name] = value
      }
      return .sql(.init(database: database, query: query, parameters: values))
    case .provider(let name, let arguments, let readsSecrets):
      var values = JSONObject()
      for (key, template) in arguments {
        switch fill(template, in: session) {
        case .value(let value): values[key] = value
        case .omitted: continue
        case .fault: return nil
        }
      }
      return .provider(.init(name: name, arguments: values, readsSecrets: readsSecrets))
    }
  }

  private static func segments(of target: String) -> [Substring] {
    target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
  }

  private func resolve(_ http: Run.HTTPRun, in session: Session) -> EffectRequest? {
    var target = ""
    // The same path with the letter x in place of each value.
    var shape = ""
    for part in http.path {
      switch part {
      case .literal(let text):
        target += text
        shape += text
      case .formula(let formula):
        guard let value = argument(formula, in: session) else { return nil }
        target += PercentEncoding.encoded(value.argumentText)
        shape += "x"
      }
    }
    // A value must not lead to another path of the server: no segment may become `..`, `.` or empty.
    let steps = ["", ".", ".."]
    for (segment, plain) in zip(Self.segments(of: target), Self.segments(of: shape))
    where steps.contains(String(segment)) && !steps.contains(String(plain)) { return nil }
    var separator = target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    for (name, formula) in http.query where !readsHiddenField(formula, session) {
      guard let value = argument(formula, in: session) else { return nil }
      if value.isNull { continue }
      target += separator + PercentEncoding.encoded(name) + "=" + PercentEncoding.encoded(value.argumentText)
      separator = "&"
    }
    var headers: [(name: String, value: String)] = []
    for (name, formula) in http.headers where !readsHiddenField(formula, session) {
      guard let value = argument(formula, in: session) else { return nil }
      if value.isNull { continue }
      let text = value.argumentText
      // A header's value is one line (RFC 9110, section 5.5); anything else could smuggle in another header.
      guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { return nil }
      headers.append((name, text))
    }
    var body: JSON?
    if let template = http.json {
      switch fill(template, in: session) {
      case .value(let value): body = value
      case .omitted: body = .object([:])
      case .fault: return nil
      }
    }
    return .http(
      .init(service: http.service, method: http.method, target: target, headers: headers, json: body)
    )
  }

  private enum Filled {
    case value(JSON)
    /// The formula reads a hidden field, and hidden fields are not sent.
    case omitted
    case fault
  }

  private func fill(_ template: Template, in session: Session) -> Filled {
    switch template {
    case .literal(let value): return .value(value)
    case .formula(let formula):
      if readsHiddenField(formula, session) { return .omitted }
      return argument(formula, in: session).map { .value($0) } ?? .fault
    case .array(let templates):
      var elements: [JSON] = []
      for template in templates {
        switch fill(template, in: session) {
        case .value(let value): elements.append(value)
        case .omitted: continue
        case .fault: return .fault
        }
      }
      return .value(.array(elements))
    case .object(let templates):
      var members = JSONObject()
      for (name, template) in templates {
        switch fill(template, in: session) {
        case .value(let value): members[name] = value
        case .omitted: continue
        case .fault: return .fault
        }
      }
      return .value(.object(members))
    }
  }

  private func argument(_ formula: Formula, in session: Session) -> JSON? {
    let value = evaluate(formula, in: session)
    if let json = value.json { return json }
    report(formula, value)
    return nil
  }

  private func readsHiddenField(_ formula: Formula, _ session: Session) -> Bool {
    formula.readFields.contains { !session.fields[$0].flags.contains(.isVisible) }
  }

  // MARK: Out and back

  /// Starts an effect for an owner, and the timer that ends the effect when no answer comes in time.
  func launch(_ request: EffectRequest, timeout: Duration, owner: EffectOwner, in session: Session) -> EffectID {
    let extras = session.madeExtras
    extras.lastEffect += 1
    let id = EffectID(rawValue: extras.lastEffect)
    extras.inFlight.append((id, owner))
    #if DEBUG
      if !has(.forgetTimeout) { extras.timers.set(.effect(id), to: now + timeout) }
    #else
      extras.timers.set(.effect(id), to: now + timeout)
    #endif
    start(Effect(id: id, request: request, timeout: timeout))
    return id
  }

  /// Cancels an effect whose answer is not wanted any more.
  func abandon(_ id: EffectID, in session: Session) {
    guard let extras = session.extras else { return }
    #if DEBUG
      if has(.forgetGeneration) { return }
    #endif
    extras.timers.set(.effect(id), to: nil)
    extras.inFlight.removeAll { $0.id == id }
    cancel(id)
  }

  /// An effect has its answer. The answer is ignored when the effect was cancelled or its time was over.
  func effectEnded(_ id: EffectID, _ response: EffectResponse, in session: Session) {
    guard let extras = session.extras, let position = extras.inFlight.firstIndex(where: { $0.id == id }) else { return }
    let owner = extras.inFlight.remove(at: position).owner
    extras.timers.set(.effect(id), to: nil)
    switch owner {
    case .check(let check): checkAnswered(check, response, in: session)
    case .run(let action, let token): runAnswered(action: action, token: token, response, in: session)
    }
  }

  /// The earliest due timer fires.
  func fireTimer(of session: Session) {
    guard let extras = session.extras, let kind = extras.timers.popDue(at: now) else { return }
    switch kind {
    case .field(let field): fieldTimerFired(field, of: session)
    case .checkDebounce(let check): checkTimerFired(check, of: session)
    case .actionThrottle(let action): throttleEnded(action, of: session)
    case .actionDebounce(let action): debounceEnded(action, of: session)
    case .retry(let action, let token): retry(action: action, token: token, of: session)
    case .effect(let id):
      cancel(id)
      effectEnded(id, EffectResponse(kind: .timeout, reason: "no answer in time"), in: session)
    }
  }

  func cancelEverything(in session: Session) {
    guard let extras = session.extras else { return }
    #if DEBUG
      if has(.keepEffects) { return }
    #endif
    for (id, _) in extras.inFlight { cancel(id) }
    extras.inFlight = []
    extras.timers.removeAll()
    for index in extras.checks.indices {
      session.computedBytes -= extras.checks[index].cachedBytes
      extras.checks[index] = CheckState()
    }
    for field in session.form.fields.indices where !session.form.fields[field].checks.isEmpty {
      dirty.insert(session.form.graph.fieldNodes[field])
    }
  }
}

extension EffectRequest {
  /// The request as one value, to be compared with another.
  var comparable: JSON {
    switch self {
    case .http(let http):
      .array([
        .string(http.service), .string(http.method), .string(http.target),
        .array(http.headers.map { .array([.string($0.name), .string($0.value)]) }), http.json ?? .null,
      ])
    case .sql(let sql):
      .array([.string(sql.database), .string(sql.query), .object(sql.parameters)])
    case .provider(let provider):
      .array([.string(provider.name), .object(provider.arguments)])
    }
  }
}

extension JSON {
  /// The value in a path, a query or a header: a text as it is, anything else as JSON.
  fileprivate var argumentText: String { stringValue ?? (isNull ? "" : description) }
}
