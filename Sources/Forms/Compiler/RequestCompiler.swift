internal import Budgets
internal import Formats
internal import JSON
internal import JSONSchema
internal import SourceTexts
internal import Texts

/// Compiles the requests of checks, lookups and actions, and notes the services, databases and providers that they
/// name.
struct RequestCompiler {
  let fieldTable: FieldTable
  let templates: [FormTemplate]
  let formulas: FormulaCompiler
  /// The services, databases and providers that the definition may name.
  let capabilities: FormCapabilities
  let budget: CompileBudget
  /// The services, databases and providers of all parts that were compiled, in that order.
  private(set) var requirements: [Requirement] = []

  /// Compiles one `run`; a part that is wrong is left out, and the collector has the error.
  ///
  /// - Parameter scope: the names that its formulas may read.
  mutating func request(
    from run: RunDefinition,
    scope: FormulaCompiler.Scope,
    _ collector: inout DiagnosticCollector
  ) -> RequestPlan {
    switch run {
    case .http(let pointer, let service, let method, let path, let query, let headers, let json):
      require(.service, service, at: pointer.appending("service"), &collector)
      return .http(
        .init(
          service: service,
          method: method,
          path: pathPieces(path, at: pointer.appending("path"), scope, &collector),
          query: arguments(query, scope, &collector),
          headers: arguments(headers, scope, &collector),
          json: json.flatMap { value(from: $0, scope, &collector) }
        )
      )
    case .sql(let pointer, let database, let query, let parameters):
      require(
        .database,
        database,
        at: pointer.appending("database"),
        query: (query, pointer.appending("query")),
        &collector
      )
      checkParameters(of: query, parameters.map(\.name), at: pointer, &collector)
      return .sql(database: database, query: query, parameters: arguments(parameters, scope, &collector))
    case .provider(let pointer, let name, let arguments):
      require(.provider, name, at: pointer.appending("name"), &collector)
      let values = arguments.compactMap { name, value in
        self.value(from: value, scope, &collector).map { (name: name, value: $0) }
      }
      return .provider(name: name, arguments: values, readsSecrets: values.contains { $0.value.readsSecret })
    }
  }

  private mutating func require(
    _ kind: Requirement.Kind,
    _ name: String,
    at pointer: JSONPointer,
    query: (text: String, pointer: JSONPointer)? = nil,
    _ collector: inout DiagnosticCollector
  ) {
    requirements.append(
      Requirement(
        kind: kind,
        name: name,
        pointer: pointer,
        span: collector.span(of: pointer),
        query: query.map { .init(text: $0.text, pointer: $0.pointer, span: collector.span(of: $0.pointer)) }
      )
    )
    if let allowed = capabilities.names(of: kind), !allowed.contains(name) {
      collector.report(
        "forbidden",
        at: pointer,
        "this definition may not use the \(kind.rawValue) \"\(name)\"",
        remedy: "the daemon's configuration lists what definitions from clients may use"
      )
    }
  }

  /// Reports parameters that a query names and is not given, and parameters that are given and not named.
  private func checkParameters(
    of query: String,
    _ given: [String],
    at pointer: JSONPointer,
    _ collector: inout DiagnosticCollector
  ) {
    guard budget.spend(query.utf8.count) else { return }
    // Only the configuration knows the kind of the database, so only problems in all dialects are reported.
    let readings = SQLText.Dialect.allCases.map { SQLText(query, in: $0) }
    let named = readings[0].names.filter { name in readings.allSatisfy { $0.names.contains(name) } }
    let isNamed = { (name: String) in readings.contains { $0.names.contains { $0.hasSameUTF8(as: name) } } }
    if readings.contains(where: \.hasNameless) {
      collector.report(
        "parameters",
        at: pointer.appending("query"),
        "the query has a parameter without a name, which cannot get a value",
        remedy: "write :name, and \"parameters\": {\"name\": ...}",
        severity: .warning
      )
    }
    for name in named where !given.contains(where: { $0.hasSameUTF8(as: name) }) {
      collector.report(
        "parameters",
        at: pointer.appending("query"),
        "the query names \":\(name)\", and \"parameters\" does not have it",
        remedy: collector.advice(for: name, among: given, or: "the parameters are", budget),
        severity: .warning
      )
    }
    for name in given where !isNamed(name) {
      collector.report(
        "parameters",
        at: pointer.appending("parameters").appending(name),
        spot: .name,
        "the query does not name \":\(name)\"",
        remedy: collector.advice(for: name, among: named, or: "it names", budget),
        severity: .warning
      )
    }
  }

  private func arguments(
    _ entries: [(name: String, formula: FormulaDefinition)],
    _ scope: FormulaCompiler.Scope,
    _ collector: inout DiagnosticCollector
  ) -> [(name: String, formula: Formula)] {
    entries.compactMap { name, text in
      formulas.compile(text, scope: scope, isArgument: true, &collector).map { (name, $0) }
    }
  }

  private func value(
    from definition: RequestValueDefinition,
    _ scope: FormulaCompiler.Scope,
    _ collector: inout DiagnosticCollector
  ) -> RequestValue? {
    switch definition {
    case .literal(let value): return .literal(value)
    case .values: return .values(holdSecret: fieldTable.valuesHoldSecret)
    case .changes: return .changes(holdSecret: fieldTable.valuesHoldSecret)
    case .formula(let text):
      return formulas.compile(text, scope: scope, isArgument: true, &collector).map { .formula($0) }
    case .array(let elements):
      return .array(elements.compactMap { self.value(from: $0, scope, &collector) })
    case .object(let members):
      return .object(
        members.compactMap { name, value in self.value(from: value, scope, &collector).map { (name, $0) } }
      )
    }
  }

  // MARK: Paths

  /// `/users/{email}/posts` in pieces.
  private func pathPieces(
    _ path: String,
    at pointer: JSONPointer,
    _ scope: FormulaCompiler.Scope,
    _ collector: inout DiagnosticCollector
  ) -> [RequestPlan.PathPiece] {
    var pieces: [RequestPlan.PathPiece] = []
    var rest = path[...]
    // The path with the letter x in place of each value.
    var shape = ""
    var judged: Set<Int> = []
    defer { refuseDots(in: shape, at: pointer, &collector) }
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { pieces.append(.literal(String(rest[..<open]))) }
      shape += rest[..<open]
      guard let close = rest[open...].firstIndex(of: "}") else {
        collector.report("path", at: pointer, "a \"{\" in the path is not closed", remedy: "write {field}")
        return pieces
      }
      let name = String(rest[rest.index(after: open)..<close])
      if let field = fieldTable.field(at: name),
        templates.isAround(fieldTable.shapes[field].position.template, scope.template)
      {
        // `self` is the field's value, whatever characters its name has.
        let formula = formulas.compile(
          FormulaDefinition(source: "self", pointer: pointer),
          scope: .init(template: scope.template, field: field),
          isArgument: true,
          &collector
        )
        if let formula { pieces.append(.formula(formula)) }
        if !shape.utf8.contains(UInt8(ascii: "?")), judged.insert(field).inserted {
          warnOfDots(in: fieldTable.shapes[field], at: pointer, &collector)
        }
      } else {
        reportUnknown(name, in: path, at: pointer, &collector)
      }
      shape += "x"
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { pieces.append(.literal(String(rest))) }
    shape += rest
    return pieces
  }

  private func refuseDots(in path: String, at pointer: JSONPointer, _ collector: inout DiagnosticCollector) {
    guard DotSegment.isIn(String(path.prefix { $0 != "?" })) else { return }
    collector.report(
      "path",
      at: pointer,
      "the path has the segment \".\" or \"..\", which leads out of the service's base URL",
      remedy: "write the path below baseURL without it"
    )
  }

  private func warnOfDots(in shape: FieldShape, at pointer: JSONPointer, _ collector: inout DiagnosticCollector) {
    guard budget.spend(100 + (shape.facts.pattern?.utf8.count ?? 0)), shape.admitsDots else { return }
    collector.report(
      "pathSegment",
      at: pointer,
      "{\(shape.address)} can have \"..\" as a part, such as \"../x\"; the run then ends with a fault",
      remedy: "give the field a \"pattern\" such as \"^[A-Za-z0-9_-]+$\", an \"enum\", or a \"format\" such as uuid",
      severity: .warning
    )
  }

  private func reportUnknown(
    _ name: String,
    in path: String,
    at pointer: JSONPointer,
    _ collector: inout DiagnosticCollector
  ) {
    collector.report(
      "unknownField",
      at: pointer,
      "the path names \"{\(name)}\", and the schema has no such property",
      remedy: collector.isFull || !budget.mayCompare(fieldTable.addresses.count)
        ? nil
        : fieldTable.closest(to: name).map { closest in
          let mended = path.split(separator: "{\(name)}", omittingEmptySubsequences: false).joined(
            separator: "{\(closest)}"
          )
          return Remedy("did you mean \"{\(closest)}\"?", replacement: JSON.string(mended).description)
        }
    )
  }
}
