internal import JSON
internal import SourceTexts

extension RunDefinition {
  /// Reads `run`: exactly one of `http`, `sql` and `provider`.
  init?(_ members: JSONObject, at parent: JSONPointer, what: String, with reader: inout DefinitionReader) {
    guard let block = members["run"] else { return nil }
    let pointer = parent.appending("run")
    guard
      let run = reader.object(block, at: pointer, known: ["http", "sql", "provider"], what: "\"run\" of \(what)")
    else { return nil }
    guard run.count == 1, let kind = run.first else {
      reader.collector.report(
        "conflict",
        at: pointer,
        "\"run\" of \(what) must hold exactly one of \"http\", \"sql\" and \"provider\""
      )
      return nil
    }
    let inner = pointer.appending(kind.name)
    switch kind.name {
    case "http": self.init(http: kind.value, at: inner, with: &reader)
    case "sql": self.init(sql: kind.value, at: inner, with: &reader)
    case "provider": self.init(provider: kind.value, at: inner, with: &reader)
    default: return nil
    }
  }

  private init?(http value: JSON, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    guard
      let members = reader.object(
        value,
        at: pointer,
        known: ["service", "method", "path", "query", "headers", "json"],
        what: "\"http\""
      )
    else { return nil }
    let service = reader.requiredString(members, "service", at: pointer, what: "\"http\"")
    let path = reader.requiredString(members, "path", at: pointer, what: "\"http\"")
    let method =
      reader.choice(
        members,
        "method",
        at: pointer,
        what: "\"http\"",
        among: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]
      )
      ?? (members["json"] == nil ? "GET" : "POST")
    guard let service, let path else { return nil }
    if !path.hasPrefix("/") {
      reader.collector.report(
        "path",
        at: pointer.appending("path"),
        "the path must start with \"/\"",
        remedy: "the address of the service is in the daemon's configuration, under services.\(service)"
      )
    }
    self = .http(
      pointer: pointer,
      service: service,
      method: method,
      path: path,
      query: reader.formulas(members, "query", at: pointer, what: "\"http\""),
      headers: reader.formulas(members, "headers", at: pointer, what: "\"http\""),
      json: members["json"].map { reader.template($0, at: pointer.appending("json")) }
    )
  }

  private init?(sql value: JSON, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    guard
      let members = reader.object(
        value,
        at: pointer,
        known: ["database", "query", "parameters"],
        what: "\"sql\""
      ),
      let database = reader.requiredString(members, "database", at: pointer, what: "\"sql\""),
      let query = reader.requiredString(members, "query", at: pointer, what: "\"sql\"")
    else { return nil }
    self = .sql(
      pointer: pointer,
      database: database,
      query: query,
      parameters: reader.formulas(members, "parameters", at: pointer, what: "\"sql\"")
    )
  }

  private init?(provider value: JSON, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    guard
      let members = reader.object(value, at: pointer, known: ["name", "arguments"], what: "\"provider\""),
      let name = reader.requiredString(members, "name", at: pointer, what: "\"provider\"")
    else { return nil }
    var arguments: [(name: String, value: TemplateDefinition)] = []
    if let block = members["arguments"] {
      if case .object(let entries) = block {
        arguments = entries.map {
          ($0.name, reader.template($0.value, at: pointer.appending("arguments").appending($0.name)))
        }
      } else {
        reader.wrongType(
          block,
          at: pointer.appending("arguments"),
          expected: "an object of expressions",
          what: "\"arguments\""
        )
      }
    }
    self = .provider(pointer: pointer, name: name, arguments: arguments)
  }
}

extension CheckDefinition {
  init?(reading value: JSON, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    let what = "the check"
    guard
      let members = reader.object(
        value,
        at: pointer,
        known: [
          "id", "field", "when", "ask", "debounce", "run", "outcomes", "result", "timeout", "cache", "trustInitial",
          "onFailure", "failureMessage", "secret",
        ],
        what: "a check"
      )
    else { return nil }
    let id = reader.requiredString(members, "id", at: pointer, what: what)
    let field = reader.requiredString(members, "field", at: pointer, what: what)
    if members["run"] == nil { reader.missing("run", at: pointer, what: what) }
    let run = RunDefinition(members, at: pointer, what: what, with: &reader)
    let outcomes = Self.outcomes(members, at: pointer, with: &reader)
    guard let id, let field, let run else { return nil }
    self.init(
      pointer: pointer,
      id: id,
      field: field,
      when: reader.formula(members, "when", at: pointer, what: what),
      debounce: reader.duration(members, "debounce", at: pointer, what: what),
      run: run,
      outcomes: outcomes,
      timeout: reader.duration(members, "timeout", at: pointer, what: what) ?? FormDefinition.timeoutDefault,
      cacheCount: reader.cacheCount(members, at: pointer, what: what),
      trustsInitial: reader.bool(members, "trustInitial", at: pointer, what: what) ?? false,
      failureMessage: reader.text(members, "failureMessage", at: pointer, what: what),
      result: reader.formula(members, "result", at: pointer, what: what),
      isSecret: reader.bool(members, "secret", at: pointer, what: what) ?? false
    )
    let moments = AskPolicy.allCases.map(\.rawValue)
    ask = reader.choice(members, "ask", at: pointer, what: what, among: moments).flatMap(AskPolicy.init) ?? .change
    switch reader.choice(members, "onFailure", at: pointer, what: what, among: ["block", "warn", "ignore"]) {
    case "warn": onFailure = .warn
    case "ignore": onFailure = .ignore
    default: onFailure = .block
    }
    if onFailure == .ignore, failureMessage != nil {
      reader.collector.report(
        "conflict",
        at: pointer.appending("failureMessage"),
        spot: .name,
        "the check \"\(id)\" shows no message when its service fails, so \"failureMessage\" has no effect",
        remedy: "leave it out, or write \"onFailure\": \"warn\"",
        severity: .warning
      )
    }
  }

  private static func outcomes(
    _ members: JSONObject,
    at parent: JSONPointer,
    with reader: inout DefinitionReader
  ) -> [CheckOutcomeDefinition] {
    let pointer = parent.appending("outcomes")
    guard case .array(let branches)? = members["outcomes"], !branches.isEmpty else {
      reader.missing(
        "outcomes",
        at: parent,
        what: "the check",
        remedy:
          "add \"outcomes\": [{\"when\": \"response.status == 200\", \"valid\": true}, {\"code\": \"...\", \"message\": \"...\"}]"
      )
      return []
    }
    return branches.enumerated().compactMap { index, value in
      let inner = pointer.appending(index)
      guard
        let branch = reader.object(
          value,
          at: inner,
          known: ["when", "valid", "code", "message", "messageExpression", "severity"],
          what: "an outcome of a check"
        )
      else { return nil }
      let isValid = reader.bool(branch, "valid", at: inner, what: "the outcome") ?? false
      warnOfIdleMembers(of: branch, isValid, at: inner, &reader)
      return CheckOutcomeDefinition(
        pointer: inner,
        when: reader.formula(branch, "when", at: inner, what: "the outcome"),
        isValid: isValid,
        code: reader.string(branch, "code", at: inner, what: "the outcome"),
        message: reader.message(branch, at: inner, what: "the outcome"),
        severity: reader.severity(branch, at: inner, what: "the outcome")
      )
    }
  }
}

extension CheckDefinition {
  /// An outcome that is valid has no error, and so no members about an error.
  private static func warnOfIdleMembers(
    of branch: JSONObject,
    _ isValid: Bool,
    at inner: JSONPointer,
    _ reader: inout DefinitionReader
  ) {
    guard isValid else { return }
    for name in ["code", "message", "messageExpression", "severity"] where branch[name] != nil {
      reader.collector.report(
        "outcomes",
        at: inner.appending(name),
        spot: .name,
        "this outcome is \"valid\", so its \"\(name)\" has no effect",
        remedy: "leave it out, or remove \"valid\"",
        severity: .warning
      )
    }
  }
}

extension LookupDefinition {
  init?(reading value: JSON, name: String, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    let what = "lookup \"\(name)\""
    guard
      let members = reader.object(
        value,
        at: pointer,
        known: ["when", "debounce", "run", "value", "timeout", "retry", "cache", "secret", "public"],
        what: what
      )
    else { return nil }
    if members["run"] == nil { reader.missing("run", at: pointer, what: what) }
    guard let run = RunDefinition(members, at: pointer, what: what, with: &reader) else { return nil }
    self.init(
      name: name,
      when: reader.formula(members, "when", at: pointer, what: what),
      debounce: reader.duration(members, "debounce", at: pointer, what: what),
      run: run,
      value: reader.formula(members, "value", at: pointer, what: what),
      timeout: reader.duration(members, "timeout", at: pointer, what: what) ?? FormDefinition.timeoutDefault,
      retry: reader.retry(members, at: pointer),
      cacheCount: reader.cacheCount(members, at: pointer, what: what),
      isSecret: reader.bool(members, "secret", at: pointer, what: what) ?? false,
      isPublic: reader.bool(members, "public", at: pointer, what: what) ?? false
    )
  }
}

extension DefinitionReader {
  /// `cache` is true (as many answers as are useful while a user types), false, or a number of answers.
  fileprivate mutating func cacheCount(_ members: JSONObject, at pointer: JSONPointer, what: String) -> Int {
    switch members["cache"] {
    case nil, .bool(false): 0
    case .bool(true): 32
    default: count(members, "cache", in: 0...1000, at: pointer, what: what) ?? 0
    }
  }

  /// `retry` of an action or a lookup; nil: a run is not tried again.
  fileprivate mutating func retry(_ members: JSONObject, at pointer: JSONPointer) -> RetryDefinition? {
    let inner = pointer.appending("retry")
    guard let value = members["retry"],
      let members = object(value, at: inner, known: ["times", "delay", "factor", "maxDelay"], what: "\"retry\"")
    else { return nil }
    let factor = members["factor"]?.doubleValue ?? 2
    if !(1...10).contains(factor) {
      collector.report("range", at: inner.appending("factor"), "\"factor\" must be from 1 to 10")
    }
    return RetryDefinition(
      times: count(members, "times", in: 1...20, at: inner, what: "\"retry\"") ?? 1,
      delay: duration(members, "delay", at: inner, what: "\"retry\"") ?? .milliseconds(500),
      factor: factor,
      delayMax: duration(members, "maxDelay", at: inner, what: "\"retry\"") ?? .seconds(30)
    )
  }
}

extension ActionDefinition {
  init?(reading value: JSON, name: String, at pointer: JSONPointer, with reader: inout DefinitionReader) {
    let what = "action \"\(name)\""
    guard
      let members = reader.object(
        value,
        at: pointer,
        known: [
          "label", "scope", "enabled", "throttle", "debounce", "flight", "whenPending", "run", "outcomes", "timeout",
          "retry", "idempotency", "secret", "public",
        ],
        what: what
      )
    else { return nil }
    self.init(pointer: pointer, name: name, timeout: FormDefinition.timeoutDefault)
    label = reader.text(members, "label", at: pointer, what: what)
    readScope(members, what, &reader)
    enabled = reader.formula(members, "enabled", at: pointer, what: what)
    debounce = reader.duration(members, "debounce", at: pointer, what: what)
    flight =
      reader.choice(members, "flight", at: pointer, what: what, among: ["drop", "latest", "merge", "queue"]) ?? "drop"
    refusesWhenPending =
      reader.choice(members, "whenPending", at: pointer, what: what, among: ["wait", "refuse"]) == "refuse"
    run = RunDefinition(members, at: pointer, what: what, with: &reader)
    timeout = reader.duration(members, "timeout", at: pointer, what: what) ?? FormDefinition.timeoutDefault
    readThrottle(members, what, &reader)
    retry = reader.retry(members, at: pointer)
    isSecret = reader.bool(members, "secret", at: pointer, what: what) ?? false
    isPublic = reader.bool(members, "public", at: pointer, what: what) ?? false
    readIdempotency(members, what, &reader)
    readOutcomes(members, what, &reader)
  }

  private static let header = Action.idempotencyHeader

  private mutating func readIdempotency(_ members: JSONObject, _ what: String, _ reader: inout DefinitionReader) {
    isIdempotent = reader.bool(members, "idempotency", at: pointer, what: what) ?? false
    guard isIdempotent else { return }
    if case .provider? = run { return }
    guard case .http(let inner, _, _, _, _, let headers, _)? = run else {
      reader.collector.report(
        "conflict",
        at: pointer.appending("idempotency"),
        spot: .name,
        "\(what) runs neither \"http\" nor \"provider\", so it has no request that could carry an idempotency key",
        remedy: "leave \"idempotency\" out, or let the action run \"http\" or \"provider\""
      )
      return
    }
    if let header = headers.first(where: { $0.name.lowercased() == Self.header.lowercased() }) {
      reader.collector.report(
        "conflict",
        at: inner.appending("headers").appending(header.name),
        spot: .name,
        "\(what) has \"idempotency\", so its request has the header \(Self.header) already",
        remedy: "leave one of them out"
      )
    }
  }

  private mutating func readScope(_ members: JSONObject, _ what: String, _ reader: inout DefinitionReader) {
    guard let value = members["scope"] else { return }
    let inner = pointer.appending("scope")
    let elements: [JSON]
    switch value {
    case .string("form"):
      scope = .form
      return
    case .string("none"):
      scope = ScopeDefinition.none
      return
    case .string(let id):
      scope = .step(id)
      return
    case .array(let array): elements = array
    default:
      return reader.wrongType(
        value,
        at: inner,
        expected: "\"form\", \"none\", a step's id, or a list of addresses",
        what: "the scope of \(what)"
      )
    }
    var addresses: [String] = []
    for (index, element) in elements.enumerated() {
      if let address = element.stringValue {
        addresses.append(address)
      } else {
        reader.wrongType(
          element,
          at: inner.appending(index),
          expected: "a field's address",
          what: "the scope of \(what)"
        )
      }
    }
    scope = .fields(addresses)
  }

  private mutating func readThrottle(_ members: JSONObject, _ what: String, _ reader: inout DefinitionReader) {
    guard let value = members["throttle"] else { return }
    let inner = pointer.appending("throttle")
    switch value {
    case .string(let text):
      throttle = reader.duration(text, at: inner, what: "\"throttle\" of \(what)")
        .map { ThrottleDefinition(interval: $0, edges: "leading") }
    case .object:
      guard let object = reader.object(value, at: inner, known: ["every", "edges"], what: "\"throttle\"") else {
        return
      }
      if object["every"] == nil { reader.missing("every", at: inner, what: "\"throttle\"") }
      let edges = reader.choice(
        object,
        "edges",
        at: inner,
        what: "\"throttle\"",
        among: ["leading", "trailing", "both"]
      )
      throttle = reader.duration(object, "every", at: inner, what: "\"throttle\"")
        .map { ThrottleDefinition(interval: $0, edges: edges ?? "leading") }
    default:
      reader.wrongType(
        value,
        at: inner,
        expected: "a duration, or {\"every\": \"1s\", \"edges\": \"both\"}",
        what: "\"throttle\" of \(what)"
      )
    }
    if throttle != nil && debounce != nil {
      reader.collector.report(
        "conflict",
        at: pointer.appending("debounce"),
        spot: .name,
        "\(what) has both \"throttle\" and \"debounce\"",
        remedy: "keep one of them"
      )
    }
  }

  private mutating func readOutcomes(_ members: JSONObject, _ what: String, _ reader: inout DefinitionReader) {
    guard let block = members["outcomes"] else { return }
    let list = pointer.appending("outcomes")
    guard case .array(let branches) = block else {
      return reader.wrongType(block, at: list, expected: "an array", what: "\"outcomes\" of \(what)")
    }
    for (index, value) in branches.enumerated() {
      let inner = list.appending(index)
      guard
        let branch = reader.object(
          value,
          at: inner,
          known: ["when", "success", "failure", "message", "messageExpression", "fieldErrors"],
          what: "an outcome of \(what)"
        )
      else { continue }
      let outcome = ActionOutcomeDefinition(
        pointer: inner,
        when: reader.formula(branch, "when", at: inner, what: "the outcome"),
        success: reader.formula(branch, "success", at: inner, what: "the outcome"),
        failure: reader.formula(branch, "failure", at: inner, what: "the outcome"),
        message: reader.message(branch, at: inner, what: "the outcome"),
        fieldErrors: branch["fieldErrors"]?.stringValue != nil
          ? []
          : reader.formulas(branch, "fieldErrors", at: inner, what: "the outcome")
            .map { (field: $0.name, formula: $0.formula) },
        fieldErrorMap: branch["fieldErrors"]?.stringValue == nil
          ? nil : reader.formula(branch, "fieldErrors", at: inner, what: "the outcome")
      )
      if outcome.success != nil && outcome.failure != nil {
        reader.collector.report(
          "conflict",
          at: inner,
          "an outcome of \(what) has both \"success\" and \"failure\"",
          remedy: "keep one of them; use two outcomes with \"when\" to tell the cases apart"
        )
      }
      if branch["fieldErrors"] != nil, outcome.success == nil, outcome.failure == nil {
        reader.collector.report(
          "outcomes",
          at: inner.appending("fieldErrors"),
          spot: .name,
          "this outcome of \(what) has \"fieldErrors\" and counts as a success",
          remedy: "for a failure, add \"failure\": \"'invalid'\"; for a success, add \"success\": \"true\"",
          severity: .warning
        )
      }
      if branch.allSatisfy({ $0.name == "when" }) {
        reader.collector.report(
          "outcomes",
          at: inner,
          "this outcome of \(what) has no result, and counts as a success",
          remedy: "give it a result: {\"success\": \"true\"}, or {\"failure\": \"'unexpected'\"}",
          severity: .warning
        )
      }
      let isLast = index == branches.count - 1
      if isLast && outcome.when != nil {
        reader.collector.report(
          "outcomes",
          at: inner.appending("when"),
          spot: .name,
          "the last outcome of \(what) must have no \"when\"",
          remedy: "add a last outcome for everything else, such as {\"failure\": \"'unexpected'\"}"
        )
      } else if !isLast && outcome.when == nil {
        reader.collector.report(
          "outcomes",
          at: inner,
          "this outcome of \(what) has no \"when\", so later outcomes are never reached",
          remedy: "give it a \"when\", or move it to the end"
        )
      }
      outcomes.append(outcome)
    }
  }
}
