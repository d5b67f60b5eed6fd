internal import CEL
internal import JSON
internal import JSONSchema
internal import Texts

/// The services, databases and providers that a definition may name, or that a configuration has.
public struct FormCapabilities: Sendable {
  /// The names of services; nil means any.
  public var services: Set<String>?
  /// The names of databases; nil means any.
  public var databases: Set<String>?
  /// The names of providers; nil means any.
  public var providers: Set<String>?

  /// Capabilities of that extent.
  public init(services: Set<String>?, databases: Set<String>?, providers: Set<String>?) {
    self.services = services
    self.databases = databases
    self.providers = providers
  }

  /// Everything: what the daemon's own forms may do.
  public static let all = FormCapabilities(services: nil, databases: nil, providers: nil)

  /// The names of that kind; nil means any.
  func names(of kind: Requirement.Kind) -> Set<String>? {
    switch kind {
    case .service: services
    case .database: databases
    case .provider: providers
    }
  }
}

/// Turns a definition into a form, in stages: schema, fields, formulas, graph.
struct FormCompiler {
  let definition: FormDefinition
  let capabilities: FormCapabilities
  let budget: CompileBudget
  var collector: DiagnosticCollector
  var requirements: [Requirement] = []
  var locales: [String] = []
  var fieldIndex: [String: Int] = [:]

  init(
    definition: FormDefinition,
    capabilities: FormCapabilities,
    collector: DiagnosticCollector,
    budget: CompileBudget
  ) {
    self.definition = definition
    self.capabilities = capabilities
    self.collector = collector
    self.budget = budget
  }

  /// The form; nil when the definition has an error, which the collector then holds, or the budget is spent.
  mutating func compile() -> Form? {
    guard let schema = compileSchema(), let parts = schema.objectParts(budget: budget, factsNestingMax: 0) else {
      return nil
    }
    checkNames(parts)
    locales = definition.locales
    let shapes = fieldShapes(parts)
    guard !shapes.isEmpty else {
      collector.report(
        "fields",
        at: JSONPointer(tokens: ["schema"]),
        "the schema has no top-level properties, so the form has no fields",
        remedy: "describe an object: {\"type\": \"object\", \"properties\": {...}}"
      )
      return nil
    }
    for (index, shape) in shapes.enumerated() { fieldIndex[shape.name] = index }
    let actions = definition.actions.map(\.name)
    let outputs = definition.outputs.map(\.name)
    let formulas = FormulaCompiler(
      cells: FormulaCells(shapes: shapes, actions: actions, outputs: outputs),
      slots: SlotTable(fields: shapes.count, actions: actions.count, outputs: outputs.count),
      budget: budget
    )
    return assemble(shapes, parts, with: formulas).map { Form($0) }
  }

  // MARK: Schema

  private mutating func compileSchema() -> Schema? {
    do throws(SchemaCompileError) {
      let schema = try Schema.compile(definition.schema, options: CompileOptions(assertsFormat: true), budget: budget)
      for warning in schema?.warnings(budget: budget) ?? [] {
        collector.report(
          warning.kind.rawValue,
          at: JSONPointer(tokens: ["schema"] + warning.pointer.tokens),
          spot: warning.kind == .unknownKeyword ? .name : .value,
          warning.text,
          remedy: warning.remedy,
          severity: .warning
        )
      }
      return schema
    } catch {
      for problem in error.problems {
        collector.report(
          "schema",
          at: JSONPointer(tokens: ["schema"] + (problem.document.isEmpty ? problem.pointer.tokens : [])),
          problem.text
        )
      }
      return nil
    }
  }

  // MARK: Names

  /// Names that lead nowhere, and ids that stand twice.
  private mutating func checkNames(_ parts: ObjectParts) {
    let names = parts.properties.map(\.name)
    let known = Set(names)
    for name in definition.fieldOrder where !known.contains(name) {
      unknownField(name, at: JSONPointer(tokens: ["fields", name]), among: names, spot: .name)
    }
    for property in parts.properties { checkOptions(of: property) }
    // A form has values for its fields only, so one that requires another could never be valid.
    for requirement in parts.required where !known.contains(requirement.name) {
      let own =
        collector.isFull
        ? nil : definition.schema["required"]?.arrayValue?.firstIndex { $0.stringValue == requirement.name }
      unknownField(
        requirement.name,
        at: JSONPointer(tokens: ["schema"] + (own.map { ["required", String($0)] } ?? [])),
        among: names
      )
    }
    var codes: Set<String> = []
    for rule in definition.rules {
      if let field = rule.field, !known.contains(field) {
        unknownField(field, at: rule.pointer.appending("field"), among: names)
      }
      if !codes.insert(rule.id).inserted { duplicate(rule.id, at: rule.pointer.appending("id")) }
    }
    for check in definition.checks {
      if !known.contains(check.field) { unknownField(check.field, at: check.pointer.appending("field"), among: names) }
      if !codes.insert(check.id).inserted { duplicate(check.id, at: check.pointer.appending("id")) }
    }
    for action in definition.actions {
      for outcome in action.outcomes {
        for (field, formula) in outcome.fieldErrors where !known.contains(field) {
          unknownField(field, at: formula.pointer, among: names, spot: .name)
        }
      }
    }
  }

  /// A name in `options` that no choice of the schema has.
  private mutating func checkOptions(of property: ObjectParts.Property) {
    let choices = (property.facts.choices ?? []).map(\.value.optionName)
    let known = Set(choices)
    for (value, _) in definition.fields[property.name]?.options ?? [] where !known.contains(value) {
      collector.report(
        "unknownOption",
        at: JSONPointer(tokens: ["fields", property.name, "options", value]),
        spot: .name,
        "the schema of \"\(property.name)\" has no choice \"\(value)\"",
        remedy: choices.isEmpty
          ? "name the values in the schema: \"enum\": [...]" : advice(for: value, among: choices, or: "its choices are")
      )
    }
  }

  private mutating func unknownField(
    _ name: String,
    at pointer: JSONPointer,
    among names: [String],
    spot: DiagnosticCollector.Spot = .value
  ) {
    collector.report(
      "unknownField",
      at: pointer,
      spot: spot,
      "the schema has no property \"\(name)\"",
      remedy: advice(for: name, among: names, or: "its top-level properties are")
    )
  }

  /// So many names are listed where none is close.
  private static let listedMax = 20

  /// The name that was meant, or the names that there are; nil when the fault is only counted.
  private func advice(for name: String, among names: [String], or list: String) -> String? {
    guard !collector.isFull else { return nil }
    if budget.mayCompare(names.count), let closest = closestName(to: name, among: names) {
      return "did you mean \"\(closest)\"?"
    }
    let listed = names.prefix(Self.listedMax).joined(separator: ", ")
    return "\(list): \(listed)\(names.count > Self.listedMax ? ", ..." : "")"
  }

  private mutating func duplicate(_ id: String, at pointer: JSONPointer) {
    collector.report(
      "duplicateId",
      at: pointer,
      "the id \"\(id)\" stands twice",
      remedy: "ids are the codes of errors and must be unique among rules and checks"
    )
  }
}

extension FormDefinition {
  /// Every locale that any text of the form has, behind `""`, with the form's own and those of the built-in texts.
  fileprivate var locales: [String] {
    var locales = [""]
    var known = Set(locales.map { UTF8Key(text: $0) })
    func add(_ locale: String) {
      if known.insert(UTF8Key(text: locale)).inserted { locales.append(locale) }
    }
    func add(_ text: Text?) {
      for variant in text?.variants ?? [] { add(variant.locale) }
    }
    if let locale { add(locale) }
    add(title)
    for name in fieldOrder {
      guard let field = fields[name] else { continue }
      add(field.label)
      add(field.placeholder)
      add(field.help)
      for code in field.messageOrder { add(field.messages[code]) }
      for option in field.options { add(option.title) }
    }
    for rule in rules { add(rule.message.text) }
    for check in checks { for outcome in check.outcomes { add(outcome.message.text) } }
    for action in actions {
      add(action.label)
      for outcome in action.outcomes { add(outcome.message.text) }
    }
    for locale in BuiltInTexts.locales { add(locale) }
    return locales
  }
}
