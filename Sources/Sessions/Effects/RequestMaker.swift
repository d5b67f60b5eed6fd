internal import CEL
internal import Formats
internal import Forms
internal import JSON

/// The reason for a missing request.
struct RequestError: Error {
  /// The formula that goes wrong.
  let formula: Formula
  /// The reason in words for the log. It does not contain a value.
  let reason: String

  init(_ formula: Formula, _ reason: String) {
    self.formula = formula
    self.reason = reason
  }
}

/// Makes the requests of runs. Their formulas are evaluated over the current cells.
struct RequestMaker {
  private let engine: Engine
  private let instance: Instance
  /// Whether an argument of the last request was absent, and therefore left out.
  private(set) var hasOmitted = false

  init(_ engine: Engine, _ instance: Instance) {
    self.engine = engine
    self.instance = instance
  }

  /// The request of a run.
  /// - Throws: when one of its formulas goes wrong, or its result is not allowed there.
  mutating func request(for plan: RequestPlan) throws(RequestError) -> EffectRequest {
    switch plan {
    case .http(let http):
      return try request(for: http)
    case .sql(let database, let query, let parameters):
      var values = JSONObject()
      for (name, formula) in parameters {
        values[name] = try argument(formula) ?? .null
      }
      return .sql(.init(database: database, query: query, parameters: values))
    case .provider(let name, let arguments, let readsSecrets):
      var values = JSONObject()
      for (key, argument) in arguments {
        if let value = try fill(argument) { values[key] = value }
      }
      return .provider(.init(name: name, arguments: values, readsSecrets: readsSecrets))
    }
  }

  private static func segments(of target: String) -> [Substring] {
    target.prefix { $0 != "?" }.split(separator: "/", omittingEmptySubsequences: false)
  }

  private mutating func request(for http: RequestPlan.HTTPRequest) throws(RequestError) -> EffectRequest {
    var target = try path(of: http)
    var separator = target.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    for (name, formula) in http.query where !isLeftOut(formula) {
      guard let value = try argument(formula) else { continue }
      target += separator + PercentEncoding.encoded(name) + "=" + PercentEncoding.encoded(value.argumentText)
      separator = "&"
    }
    var headers: [(name: String, value: String)] = []
    for (name, formula) in http.headers where !isLeftOut(formula) {
      guard let text = try argument(formula)?.argumentText else { continue }
      // A header's value is one line (RFC 9110, section 5.5). Any other value could add another header.
      guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }) else {
        throw RequestError(formula, "a header's value must be one line")
      }
      headers.append((name, text))
    }
    return .http(
      .init(
        service: http.service,
        method: http.method,
        target: target,
        headers: headers,
        json: try http.json.map { body throws(RequestError) in try fill(body) ?? .object([:]) }
      )
    )
  }

  /// The path with the values of its formulas. A value must not lead to another path of the server: no segment may
  /// become empty, `.` or `..`, for any server or proxy on the way.
  private mutating func path(of http: RequestPlan.HTTPRequest) throws(RequestError) -> String {
    var target = ""
    // The path with the letter x in place of each value.
    var shape = ""
    /// The last formula in each segment of the path.
    var formulas: [Int: Formula] = [:]
    for piece in http.path {
      switch piece {
      case .literal(let text):
        target += text
        shape += text
      case .formula(let formula):
        formulas[Self.segments(of: shape).count - 1] = formula
        if let text = try argument(formula)?.argumentText {
          if !shape.utf8.contains(UInt8(ascii: "?")), DotSegment.isIn(text) { throw notASegment(formula) }
          target += PercentEncoding.encoded(text)
        }
        shape += "x"
      }
    }
    for (index, segment) in Self.segments(of: target).enumerated() {
      guard let formula = formulas[index] else { continue }
      if segment.isEmpty { throw RequestError(formula, "a segment of the path is absent: {\(formula.source)}") }
      // Values beside each other can make `..`, too.
      if DotSegment.isIn(String(segment)) { throw notASegment(formula) }
    }
    return target
  }

  private func notASegment(_ formula: Formula) -> RequestError {
    let name = formula.namedField.map { instance.session.form.fields[$0].address } ?? formula.source
    return RequestError(formula, "the value of {\(name)} is not a path segment: it has '.' or '..' as a part")
  }

  /// Nil: absent values are not sent, and neither are values that read a hidden field.
  private mutating func fill(_ value: RequestValue) throws(RequestError) -> JSON? {
    switch value {
    case .literal(let value): return value
    case .values: return .object(instance.session.rootValue(.judged))
    case .changes: return .object(instance.session.changes)
    case .formula(let formula):
      return isLeftOut(formula) ? nil : try argument(formula)
    case .array(let list):
      var elements: [JSON] = []
      for element in list {
        if let value = try fill(element) { elements.append(value) }
      }
      return .array(elements)
    case .object(let list):
      var members = JSONObject()
      for (name, member) in list {
        if let value = try fill(member) { members[name] = value }
      }
      return .object(members)
    }
  }

  private mutating func argument(_ formula: Formula) throws(RequestError) -> JSON? {
    // A formula that only names a text field sends the given value, and not the `''` that an absent text reads as.
    if let field = formula.namedField, flags(of: field).contains(.readsAsAbsent) {
      hasOmitted = true
      return nil
    }
    if let slot = formula.namedContext, instance.session.slots[slot] == .null {
      hasOmitted = true
      return nil
    }
    let value = engine.evaluate(formula, in: instance)
    guard let json = value.json else { throw RequestError(formula, engine.reason(for: value, of: formula)) }
    // A null that the schema admits is a value.
    guard json.isNull, formula.namedField == nil else { return json }
    hasOmitted = true
    return nil
  }

  /// Whether an argument is left out because it reads a hidden field.
  private mutating func isLeftOut(_ formula: Formula) -> Bool {
    let readsHidden = formula.readFields.contains { !flags(of: $0).contains(.isVisible) }
    if readsHidden { hasOmitted = true }
    return readsHidden
  }

  private func flags(of field: Int) -> FieldFlags {
    instance.instance(of: Int(instance.tables.pointee.fields[field].template)).fields[field].flags
  }
}

extension EffectRequest {
  /// Adds the tap's key to a request to a service or a provider. A query does not carry it.
  mutating func addIdempotencyKey(_ key: String) {
    switch self {
    case .http(var http):
      // A string of RFC 8941, as the header's draft asks for.
      http.headers.append((Action.idempotencyHeader, "\"\(key)\""))
      self = .http(http)
    case .provider(var provider):
      provider.idempotencyKey = key
      self = .provider(provider)
    case .sql: break
    }
  }

  /// The request as one value, for comparison with another request.
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
  /// The value in a path, a query or a header: a text is unchanged, any other value is JSON.
  fileprivate var argumentText: String { stringValue ?? (isNull ? "" : description) }
}
