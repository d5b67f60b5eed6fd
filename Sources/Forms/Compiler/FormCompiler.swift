internal import Budgets
internal import JSON
internal import JSONSchema
internal import SourceTexts
internal import Texts

/// Turns a definition into a form, in stages: the schema and its fields, the names in the definition, then the parts by
/// ``FormAssembler``.
struct FormCompiler {
  var definition: FormDefinition
  /// The schema's URI, and the files that it may refer to; nil if it may refer to none.
  let files: (uri: String, library: SchemaLibrary)?
  /// The schema with those files.
  var bundle: SchemaBundle?
  /// By the URI of such a file: the positions of its values.
  var collectors: [UTF8Key: DiagnosticCollector] = [:]
  let capabilities: FormCapabilities
  /// The results of earlier formulas; nil without a cache.
  let cache: FormulaCache?
  let budget: CompileBudget
  var collector: DiagnosticCollector
  /// None until the schema is compiled.
  var fields = FieldTable()
  /// The blocks of the definition of which a part could not be read. Names of their parts may lead nowhere.
  var unreadBlocks: Set<String> = []
  /// The text of the schema; nil if it is not known, or could not be read.
  var schemaText: [UInt8]?

  init(
    definition: FormDefinition,
    files: (uri: String, library: SchemaLibrary)?,
    capabilities: FormCapabilities,
    collector: DiagnosticCollector,
    cache: FormulaCache?,
    budget: CompileBudget
  ) {
    self.definition = definition
    self.files = files
    self.capabilities = capabilities
    self.collector = collector
    self.cache = cache
    self.budget = budget
  }

  /// The parts of the form; nil when the definition has an error, which the collector then holds, or the budget is
  /// spent.
  mutating func compile() -> FormParts? {
    if let known = cache?.schema, known.text == schemaText {
      return budget.spend(known.work) ? compile(known.schema, known.tree) : nil
    }
    let before = (work: budget.spent, reports: collector.errorCount + collector.warningCount)
    guard let schema = compileSchema(), let tree = schema.objectTree(budget: budget) else { return nil }
    if let cache, let schemaText, bundle == nil, collector.errorCount + collector.warningCount == before.reports {
      cache.schema = CachedSchema(text: schemaText, schema: schema, tree: tree, work: budget.spent - before.work)
    }
    return compile(schema, tree)
  }

  /// Compiles the rest with a schema that compiled.
  mutating func compile(_ schema: Schema, _ tree: ObjectTree) -> FormParts? {
    fields = FieldTable(
      of: tree,
      readFieldDefinitions(),
      mayLackFields: unreadBlocks.contains("schema"),
      budget: budget
    )
    guard budget.mayGoOn else { return nil }
    guard !fields.shapes.isEmpty else {
      collector.report(
        "fields",
        at: JSONPointer(tokens: ["schema"]),
        "the schema has no top-level properties, so the form has no fields",
        remedy: "describe an object: {\"type\": \"object\", \"properties\": {...}}"
      )
      return nil
    }
    let branches = schema.branchFindings(budget: budget)
    let defaults = conditionalDefaults(branches.defaults)
    checkNames(tree)
    placeGroups()
    checkDefaults(by: schema)
    checkChoices(by: schema)
    check(branches)
    checkTexts()
    orderByTemplate()
    let context = compileContext()
    var assembler = FormAssembler(
      definition,
      fieldTable: fields,
      defaults: defaults,
      templates: templates(),
      tree: tree,
      context: context,
      capabilities: capabilities,
      collector: collector,
      cache: cache,
      unreadBlocks: unreadBlocks,
      budget: budget
    )
    let parts = assembler.assemble()
    collector = assembler.collector
    return parts
  }

  /// The entries of `fields`, by canonical addresses. An address may be written in two ways, but only once.
  private mutating func readFieldDefinitions() -> [UTF8Key: FieldDefinition] {
    var definitions: [UTF8Key: FieldDefinition] = [:]
    for (address, field) in definition.fields {
      let canonical = JSONPointer(address: address)?.address ?? address
      if let other = definitions[UTF8Key(text: canonical)] {
        collector.report(
          "duplicateField",
          at: JSONPointer(tokens: ["fields", address]),
          spot: .name,
          "the field \"\(canonical)\" is defined twice",
          remedy: "\"\(other.pointer.tokens.last ?? "")\" and \"\(address)\" are the same address: keep one of them",
          related: [Diagnostic.Related(other.pointer, "the first one")]
        )
        continue
      }
      definitions[UTF8Key(text: canonical)] = field
    }
    return definitions
  }

  // MARK: Templates

  /// Puts rules, checks, lookups and outputs into the order of their templates, within each as written.
  private mutating func orderByTemplate() {
    definition.rules.sort(byTemplate: { fields.template(at: $0.field) })
    definition.checks.sort(byTemplate: { fields.template(at: $0.field) })
    definition.lookups.sort(byTemplate: { fields.template(ofRowName: $0.name) ?? 0 })
    definition.outputs.sort(byTemplate: { fields.template(ofRowName: $0.name) ?? 0 })
  }

  /// The templates of the form and of the rows of its lists.
  private func templates() -> [FormTemplate] {
    let rules = definition.rules.map { fields.template(at: $0.field) }
    let checks = definition.checks.map { fields.template(at: $0.field) }
    let lookups = definition.lookups.map { fields.template(ofRowName: $0.name) ?? 0 }
    let outputs = definition.outputs.map { fields.template(ofRowName: $0.name) ?? 0 }
    let own = fields.shapes.map(\.position.template)
    func range(_ templates: [Int], _ template: Int) -> Range<Int> {
      let first = templates.firstIndex { $0 >= template } ?? templates.count
      return first..<(templates[first...].firstIndex { $0 > template } ?? templates.count)
    }
    var templates: [FormTemplate] = []
    for template in 0...(own.last ?? 0) {
      let fields = range(own, template)
      let list = template == 0 ? nil : self.fields.shapes[fields.lowerBound].position.list
      let parent = list.map { self.fields.shapes[$0].position.template }
      templates.append(
        FormTemplate(
          list: list,
          parent: parent,
          depth: parent.map { templates[$0].depth + 1 } ?? 0,
          fields: fields,
          rules: range(rules, template),
          checks: range(checks, template),
          lookups: range(lookups, template),
          outputs: range(outputs, template)
        )
      )
    }
    return templates
  }
}

extension Array {
  /// Sorts by the template of each element; elements of one template keep their order.
  fileprivate mutating func sort(byTemplate template: (Element) -> Int) {
    let templates = map(template)
    guard templates.contains(where: { $0 > 0 }) else { return }
    self = indices.sorted { (templates[$0], $0) < (templates[$1], $1) }.map { self[$0] }
  }
}
