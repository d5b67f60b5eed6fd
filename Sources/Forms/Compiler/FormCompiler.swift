internal import CEL
public import JSON
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

/// What became of a definition.
public struct FormCompilation: Sendable {
  /// The form, if the definition has no error.
  public var form: Form?
  /// Everything that was found, in the order of the stages: reading, schema, formulas, graph.
  public var diagnostics: [Diagnostic]
}

extension Form {
  /// Compiles a definition.
  ///
  /// - Parameters:
  ///   - text: the definition, UTF-8 JSON.
  ///   - file: its file name, for diagnostics.
  ///   - fallbackName: the form's name where the definition has no `form`; without it that of the file, `login` of
  ///     `forms/login.form.json`.
  ///   - capabilities: what it may name; a definition that names more is refused.
  public static func compile(
    _ text: [UInt8],
    file: String? = nil,
    fallbackName: String? = nil,
    capabilities: FormCapabilities = .all
  ) -> FormCompilation {
    let root: JSON
    do throws(JSONReadError) {
      root = try JSON(parsing: text, limits: JSONLimits(depthMax: 512, nodesMax: 1_000_000))
    } catch {
      return FormCompilation(form: nil, diagnostics: [Diagnostic(error, file: file)])
    }
    let name = fallbackName ?? file.map(Self.name(ofFile:))
    return compile(root, collector: DiagnosticCollector(file: file, text: text), name, capabilities)
  }

  /// The name that a file gives to a form without one: its own, without folders, `.json` and `.form`.
  private static func name(ofFile path: String) -> String {
    var name = path.split(separator: "/").last.map(String.init) ?? path
    for suffix in [".json", ".form"] where name.hasSuffix(suffix) { name.removeLast(suffix.utf8.count) }
    return name
  }

  /// Compiles a definition that is a value already, as one that a client brings along. Diagnostics then have no place in a text.
  public static func compile(
    _ root: JSON,
    fallbackName: String? = nil,
    capabilities: FormCapabilities = .all
  ) -> FormCompilation {
    compile(root, collector: DiagnosticCollector(file: nil, text: nil), fallbackName, capabilities)
  }

  private static func compile(
    _ root: JSON,
    collector: DiagnosticCollector,
    _ fallbackName: String?,
    _ capabilities: FormCapabilities
  ) -> FormCompilation {
    var reader = DefinitionReader(collector: collector)
    guard let definition = FormDefinition(reading: root, with: &reader, fallbackName: fallbackName) else {
      return FormCompilation(form: nil, diagnostics: reader.collector.diagnostics)
    }
    var compiler = FormCompiler(definition: definition, capabilities: capabilities, collector: reader.collector)
    let form = compiler.compile()
    let failed = compiler.collector.hasErrors
    return FormCompilation(form: failed ? nil : form, diagnostics: compiler.collector.diagnostics)
  }
}

/// Turns a definition into a form, in stages: schema, fields, formulas (twice), graph.
struct FormCompiler {
  let definition: FormDefinition
  let capabilities: FormCapabilities
  var collector: DiagnosticCollector
  var requirements: [Requirement] = []
  var locales: [String] = []
  var fieldIndex: [String: Int] = [:]

  init(definition: FormDefinition, capabilities: FormCapabilities, collector: DiagnosticCollector) {
    self.definition = definition
    self.capabilities = capabilities
    self.collector = collector
  }

  mutating func compile() -> Form? {
    guard let schema = compileSchema() else { return nil }
    let parts = schema.objectParts()
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
    let cells = self.cells(shapes)
    let table = emptySlotTable(fieldCount: shapes.count)
    let names = shapes.map(\.name)

    // The first pass finds every error, and which cells are read at all.
    let first = FormulaCompiler(cells: cells, fieldNames: names, emptyTable: table, used: nil)
    _ = assemble(shapes, parts, with: first)
    if collector.hasErrors { return nil }
    // The second gives those an address each; what it could report has been reported.
    var quiet = self
    quiet.requirements = []
    let second = FormulaCompiler(cells: cells, fieldNames: names, emptyTable: table, used: first.readNames)
    guard let formParts = quiet.assemble(shapes, parts, with: second) else {
      collector = quiet.collector
      return nil
    }
    collector = quiet.collector
    return Form(formParts)
  }

  // MARK: Schema

  private mutating func compileSchema() -> Schema? {
    do throws(SchemaCompileError) {
      return try Schema.compile(definition.schema, options: CompileOptions(assertsFormat: true))
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
    for name in definition.fieldOrder where !names.contains(name) {
      unknownField(name, at: JSONPointer(tokens: ["fields", name]), among: names, spot: .name)
    }
    for property in parts.properties { checkOptions(of: property) }
    // A form has values for its fields only, so one that requires another could never be valid.
    for requirement in parts.required where !names.contains(requirement.name) {
      let own = definition.schema["required"]?.arrayValue?.firstIndex { $0.stringValue == requirement.name }
      unknownField(
        requirement.name,
        at: JSONPointer(tokens: ["schema"] + (own.map { ["required", String($0)] } ?? [])),
        among: names
      )
    }
    var codes: Set<String> = []
    for rule in definition.rules {
      if let field = rule.field, !names.contains(field) {
        unknownField(field, at: rule.pointer.appending("field"), among: names)
      }
      if !codes.insert(rule.id).inserted { duplicate(rule.id, at: rule.pointer.appending("id")) }
    }
    for check in definition.checks {
      if !names.contains(check.field) { unknownField(check.field, at: check.pointer.appending("field"), among: names) }
      if !codes.insert(check.id).inserted { duplicate(check.id, at: check.pointer.appending("id")) }
    }
    for action in definition.actions {
      for outcome in action.outcomes {
        for (field, formula) in outcome.fieldErrors where !names.contains(field) {
          unknownField(field, at: formula.pointer, among: names, spot: .name)
        }
      }
    }
  }

  /// A name in `options` that no choice of the schema has.
  private mutating func checkOptions(of property: ObjectParts.Property) {
    let choices = (property.facts.choices ?? []).map(\.value.optionName)
    for (value, _) in definition.fields[property.name]?.options ?? [] where !choices.contains(value) {
      collector.report(
        "unknownOption",
        at: JSONPointer(tokens: ["fields", property.name, "options", value]),
        spot: .name,
        "the schema of \"\(property.name)\" has no choice \"\(value)\"",
        remedy: closestName(to: value, among: choices).map { "did you mean \"\($0)\"?" }
          ?? (choices.isEmpty
            ? "name the values in the schema: \"enum\": [...]" : "its choices are: \(choices.joined(separator: ", "))")
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
      remedy: closestName(to: name, among: names).map { "did you mean \"\($0)\"?" }
        ?? "its top-level properties are: \(names.joined(separator: ", "))"
    )
  }

  private mutating func duplicate(_ id: String, at pointer: JSONPointer) {
    collector.report(
      "duplicateId",
      at: pointer,
      "the id \"\(id)\" stands twice",
      remedy: "ids are the codes of errors and must be unique among rules and checks"
    )
  }

  // MARK: Cells

  private func emptySlotTable(fieldCount: Int) -> SlotTable {
    func none(_ count: Int) -> [Int32] { [Int32](repeating: -1, count: count) }
    var table = SlotTable()
    table.values = none(fieldCount)
    table.fieldIsValid = none(fieldCount)
    table.fieldIsPending = none(fieldCount)
    table.fieldIsDirty = none(fieldCount)
    table.fieldIsTouched = none(fieldCount)
    table.fieldIsEmpty = none(fieldCount)
    table.messages = none(fieldCount)
    let actions = definition.actions.count
    table.actionIsEnabled = none(actions)
    table.actionIsLoading = none(actions)
    table.actionResult = none(actions)
    table.actionError = none(actions)
    table.actionMessage = none(actions)
    table.actionAttempts = none(actions)
    table.outputs = none(definition.outputs.count)
    return table
  }

  /// Every cell that a formula may read, by the names of the CEL environment.
  private func cells(_ shapes: [FieldShape]) -> [FormulaCompiler.Cell] {
    var cells: [FormulaCompiler.Cell] = []
    func add(
      _ name: String,
      _ type: CELType,
      _ address: WritableKeyPath<SlotTable, Int32>,
      size: SizeBounds = .scalar,
      isSecret: Bool = false
    ) {
      cells.append(.init(name: name, type: type, size: size, isSecret: isSecret, address: address))
    }
    for (index, shape) in shapes.enumerated() {
      let name = shape.name
      add("values.\(name)", shape.celType, \.values[index], size: shape.size, isSecret: shape.isSecret)
      add("fields.\(name).isValid", .bool, \.fieldIsValid[index])
      add("fields.\(name).isPending", .bool, \.fieldIsPending[index])
      add("fields.\(name).isDirty", .bool, \.fieldIsDirty[index])
      add("fields.\(name).isTouched", .bool, \.fieldIsTouched[index])
      add("fields.\(name).isEmpty", .bool, \.fieldIsEmpty[index])
      add("messages.\(name)", .string, \.messages[index], size: SizeBounds(max: 1024))
    }
    add("form.isValid", .bool, \.formIsValid)
    add("form.isDirty", .bool, \.formIsDirty)
    add("form.isPending", .bool, \.formIsPending)
    add("form.locale", .string, \.formLocale, size: SizeBounds(max: 64))
    for (index, action) in definition.actions.enumerated() {
      add("actions.\(action.name).isEnabled", .bool, \.actionIsEnabled[index])
      add("actions.\(action.name).isLoading", .bool, \.actionIsLoading[index])
      add("actions.\(action.name).result", .dyn, \.actionResult[index], size: .unknown)
      add("actions.\(action.name).error", .dyn, \.actionError[index], size: .unknown)
      add("actions.\(action.name).message", .string, \.actionMessage[index], size: SizeBounds(max: 1024))
      add("actions.\(action.name).attempts", .int, \.actionAttempts[index])
    }
    for (index, output) in definition.outputs.enumerated() {
      add("outputs.\(output.name)", .dyn, \.outputs[index], size: .unknown)
    }
    return cells
  }
}

extension FormDefinition {
  /// Every locale that any text of the form has, behind `""`, with the form's own and those of the built-in texts.
  fileprivate var locales: [String] {
    var locales = [""]
    func add(_ locale: String) {
      if !locales.contains(where: { $0.hasSameUTF8(as: locale) }) { locales.append(locale) }
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
      for message in field.messages { add(message.text) }
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
