internal import CEL
internal import Forms
internal import JSON
internal import TextFormats

/// Makes the requests of runs: their formulas are evaluated over the cells as they stand.
struct RequestMaker {
  private let engine: Engine
  private let instance: Instance

  init(_ engine: Engine, _ instance: Instance) {
    self.engine = engine
    self.instance = instance
  }

  /// The request of a run; nil when one of its formulas faults, or may not say what it says.
  func request(for run: Run) -> EffectRequest? {
    switch run {
    case .http(let http):
      return request(for: http)
    case .sql(let database, let query, let parameters):
      var values = JSONObject()
      for (name, formula) in parameters {
        switch argument(formula) {
        case .value(let value): values[name] = value
        case .omitted: values[name] = .null
        case .fault: return nil
        }
      }
      return .sql(.init(database: database, query: query, parameters: values))
    case .provider(let name, let arguments, let readsSecrets):
      var values = JSONObject()
      for (key, template) in arguments {
        switch fill(template) {
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

  private func request(for http: Run.HTTPRun) -> EffectRequest? {
    var target = ""
    // The same path with the letter x in place of each value.
    var shape = ""
    for part in http.path {
      switch part {
      case .literal(let text):
        target += text
        shape += text
      case .formula(let formula):
        switch argument(formula) {
        case .value(let value): target += PercentEncoding.encoded(value.argumentText)
        case .omitted: break
        case .fault: return nil
        }
        shape += "x"
      }
    }
    // A value must not lead to another path of the server: no segment may become `..`, `.` or empty.
    let steps = ["", ".", ".."]
    for (segment, plain) in zip(Self.segments(of: target), Self.segments(of: shape))
    where steps.contains(String(segment)) && !steps.contains(String(plain)) { return nil }
    var separator = target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    for (name, formula) in http.query where !readsHiddenField(formula) {
      let value: JSON
      switch argument(formula) {
      case .value(let given): value = given
      case .omitted: continue
      case .fault: return nil
      }
      target += separator + PercentEncoding.encoded(name) + "=" + PercentEncoding.encoded(value.argumentText)
      separator = "&"
    }
    var headers: [(name: String, value: String)] = []
    for (name, formula) in http.headers where !readsHiddenField(formula) {
      let text: String
      switch argument(formula) {
      case .value(let value): text = value.argumentText
      case .omitted: continue
      case .fault: return nil
      }
      // A header's value is one line (RFC 9110, section 5.5); anything else could smuggle in another header.
      guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else { return nil }
      headers.append((name, text))
    }
    var body: JSON?
    if let template = http.json {
      switch fill(template) {
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
    /// What is absent is not sent, nor is anything that reads a hidden field.
    case omitted
    case fault
  }

  private func fill(_ template: Template) -> Filled {
    switch template {
    case .literal(let value): return .value(value)
    case .values: return .value(.object(instance.session.rootValue(.shown)))
    case .formula(let formula):
      return readsHiddenField(formula) ? .omitted : argument(formula)
    case .array(let templates):
      var elements: [JSON] = []
      for template in templates {
        switch fill(template) {
        case .value(let value): elements.append(value)
        case .omitted: continue
        case .fault: return .fault
        }
      }
      return .value(.array(elements))
    case .object(let templates):
      var members = JSONObject()
      for (name, template) in templates {
        switch fill(template) {
        case .value(let value): members[name] = value
        case .omitted: continue
        case .fault: return .fault
        }
      }
      return .value(.object(members))
    }
  }

  private func argument(_ formula: Formula) -> Filled {
    // The name of a text alone means what was given, and not the `''` that an absent one reads as.
    if let field = formula.namedField, flags(of: field).contains(.readsAsAbsent) { return .omitted }
    let value = engine.evaluate(formula, in: instance)
    guard let json = value.json else {
      engine.report(formula, value)
      return .fault
    }
    // A null that the schema admits is a value.
    return json.isNull && formula.namedField == nil ? .omitted : .value(json)
  }

  private func readsHiddenField(_ formula: Formula) -> Bool {
    formula.readFields.contains { !flags(of: $0).contains(.isVisible) }
  }

  private func flags(of field: Int) -> FieldFlags {
    instance.instance(of: Int(instance.tables.pointee.fields[field].template)).fields[field].flags
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
