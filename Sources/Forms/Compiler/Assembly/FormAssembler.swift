internal import Budgets
internal import CEL
internal import JSON
internal import JSONSchema
internal import SourceTexts
internal import Texts

/// Makes the parts of a form from its definition, once its fields are known: names become numbers, formulas become
/// programs.
///
/// Fields, rules and actions are in files of their own; ``RequestCompiler`` compiles the requests that are sent.
struct FormAssembler {
  /// Its rules, checks, lookups and outputs are in the order of their templates.
  let definition: FormDefinition
  let fieldTable: FieldTable
  /// By field: the defaults that it has while branches of the schema hold.
  let defaults: [Int: [ConditionalDefault]]
  let templates: [FormTemplate]
  private let tree: ObjectTree
  private let context: FormContext?
  let formulas: FormulaCompiler
  let budget: CompileBudget
  /// Every locale that a text of the form may have.
  private let locales: [String]
  private let variants: VariantTable
  /// The number of locales, from the first on, that the definition's own texts have. Only the built-in texts have the
  /// locales after them.
  private let ownLocaleCount: Int
  var collector: DiagnosticCollector
  /// The errors of the parts that were compiled so far.
  var errors = ErrorTable()
  private var requests: RequestCompiler
  /// The blocks of which a part could not be read.
  private let unreadBlocks: Set<String>
  private let builtInTexts = BuiltInTextCache()

  /// - Parameters:
  ///   - defaults: by field, the defaults that it has while branches of the schema hold.
  ///   - tree: the objects of the schema.
  ///   - context: the context of the form's sessions; nil if there is none.
  ///   - capabilities: the services, databases and providers that the definition may name.
  ///   - collector: the diagnostics so far.
  ///   - cache: the results of earlier formulas; nil without a cache.
  ///   - unreadBlocks: the blocks of which a part could not be read.
  ///   - budget: the budget that pays for compiling.
  init(
    _ definition: FormDefinition,
    fieldTable: FieldTable,
    defaults: [Int: [ConditionalDefault]],
    templates: [FormTemplate],
    tree: ObjectTree,
    context: FormContext?,
    capabilities: FormCapabilities,
    collector: DiagnosticCollector,
    cache: FormulaCache?,
    unreadBlocks: Set<String>,
    budget: CompileBudget
  ) {
    self.unreadBlocks = unreadBlocks
    self.definition = definition
    self.fieldTable = fieldTable
    self.defaults = defaults
    self.templates = templates
    self.tree = tree
    self.context = context
    self.collector = collector
    self.budget = budget
    let ownLocales = definition.locales
    ownLocaleCount = ownLocales.count
    // A form that says its language never mixes it with built-in texts in another one.
    let builtIn = definition.locale == nil ? BuiltInTexts.locales : []
    locales = ownLocales + builtIn.filter { locale in !ownLocales.contains { $0.hasSameUTF8(as: locale) } }
    variants = VariantTable(locales: locales, default: definition.locale)
    let steps = definition.steps.map(\.id)
    let lookups = definition.lookups.map { (address: $0.name, template: fieldTable.template(ofRowName: $0.name) ?? 0) }
    let actions = definition.actions.map(\.name)
    let outputs = definition.outputs.map { (address: $0.name, template: fieldTable.template(ofRowName: $0.name) ?? 0) }
    formulas = FormulaCompiler(
      cells: FormulaCells(
        shapes: fieldTable.shapes,
        templates: templates,
        others: tree.objects.map(\.others),
        checks: definition.checks.map { ($0.id, fieldTable.field(at: $0.field), $0.result != nil) },
        steps: steps,
        lookups: lookups,
        actions: actions,
        outputs: outputs,
        context: context,
        fieldIndex: fieldTable.index
      ),
      ids: definition.ids,
      slots: SlotTable(
        fields: fieldTable.shapes.count,
        checks: definition.checks.count,
        steps: steps.count,
        lookups: lookups.count,
        actions: actions.count,
        outputs: outputs.count,
        templates: templates.count,
        context: context
      ),
      texts: FormTexts(definition.texts, default: definition.locale),
      functions: definition.functions,
      unreadBlocks: unreadBlocks,
      addressesReported: fieldTable.addressesReported,
      cache: cache,
      budget: budget
    )
    formulas.expandFunctions(&self.collector)
    requests = RequestCompiler(
      fieldTable: fieldTable,
      templates: templates,
      formulas: formulas,
      capabilities: capabilities,
      budget: budget
    )
  }

  /// The parts that compute something, before the graph orders them.
  private struct Computations {
    let units: [SchemaUnit]
    let objectKeywords: [ObjectKeyword]
    let rules: [Rule]
    let checks: [Check]
    let steps: [Step]
    let lookups: [Lookup]
    let outputs: [Output]
    let fields: [Field]
    let actions: [Action]
  }

  /// All parts of the form; nil when something is wrong, which the collector then holds, or the budget is spent.
  mutating func assemble() -> FormParts? {
    let computations = computations()
    formulas.keepFormulas()
    // If names may lead nowhere, no error reports such a name, and the part that has it is missing. So the result is
    // nil.
    guard !collector.hasErrors, unreadBlocks.isEmpty, budget.mayGoOn else { return nil }
    let slots = formulas.slots
    checkClock(slots)
    checkFunctions()
    return graph(of: computations, slots).map { parts(computations, $0, slots) }
  }

  private mutating func computations() -> Computations {
    let units = tree.units
    var objectKeywords = tree.objectKeywords(budget: budget)
    for index in objectKeywords.indices {
      objectKeywords[index].group = group(of: objectKeywords[index], in: units[objectKeywords[index].unit].field)
    }
    let rules = definition.rules.compactMap { rule(from: $0) }
    let checks = definition.checks.compactMap { check(from: $0) }
    let steps = definition.steps.map { step(from: $0) }
    let lookups = lookups()
    let outputs = outputs()
    let fields = fields(
      units: units,
      objectKeywords: objectKeywords,
      rules: rules,
      checks: checks,
      steps: steps,
      outputs: outputs
    )
    let actions = definition.actions.map { action(from: $0) }
    return Computations(
      units: units,
      objectKeywords: objectKeywords,
      rules: rules,
      checks: checks,
      steps: steps,
      lookups: lookups,
      outputs: outputs,
      fields: fields,
      actions: actions
    )
  }

  private mutating func fields(
    units: [SchemaUnit],
    objectKeywords: [ObjectKeyword],
    rules: [Rule],
    checks: [Check],
    steps: [Step],
    outputs: [Output]
  ) -> [Field] {
    let given = fieldTable.shapes.indices.map { valueFormulas(of: $0) }
    let sources = LookupSources(
      fields: fieldTable,
      given: given,
      outputs: outputs,
      templates: templates,
      formulas: formulas,
      budget: budget
    )
    var stepOfField = [Int?](repeating: nil, count: fieldTable.shapes.count)
    for (number, step) in steps.enumerated() { for field in step.fields { stepOfField[field] = number } }
    checkGroups(of: rules, objectKeywords, stepOfField)
    let rulesOfField = positions(byFields: rules.map { $0.errorFields.compactMap(\.self) })
    let checksOfField = positions(byFields: checks.map { [$0.field] })
    let groupsOfField = groups(of: rules, objectKeywords, units)
    return fieldTable.shapes.indices.map { field in
      self.field(
        field,
        step: stepOfField[field],
        given: given[field],
        sources: sources,
        rules: rulesOfField[field],
        groups: groupsOfField[field] ?? [],
        checks: checksOfField[field]
      )
    }
  }

  /// The order of the computations; nil if they depend on each other in a cycle, which is reported, or if the budget
  /// is spent.
  private mutating func graph(of computations: Computations, _ slots: SlotTable) -> Graph? {
    var builder = GraphBuilder(
      fields: computations.fields,
      rules: computations.rules,
      checks: computations.checks,
      steps: computations.steps,
      lookups: computations.lookups,
      actions: computations.actions,
      outputs: computations.outputs,
      templates: templates,
      objectKeywords: computations.objectKeywords,
      unitFields: computations.units.map(\.field),
      slots: slots,
      budget: budget
    )
    switch builder.build() {
    case .graph(let graph): return graph
    case .cycle(let path, let pointers):
      collector.report(
        "cycle",
        at: pointers.first ?? .root,
        "these depend on each other in a circle: \(path.joined(separator: " -> "))",
        remedy: "let one of them read something else: a value instead of a status, for example",
        related: pointers.dropFirst().map { Diagnostic.Related($0, "a part of the circle") }
      )
      return nil
    case .tooLarge: return nil
    }
  }

  private mutating func parts(_ computations: Computations, _ graph: Graph, _ slots: SlotTable) -> FormParts {
    FormParts(
      name: definition.name,
      locale: definition.locale,
      title: definition.title,
      version: definition.version,
      definition: definition.json,
      messages: definition.messages.texts,
      formMessages: definition.formMessages.texts,
      clock: slots.now < 0 ? nil : definition.clock,
      hasUndo: definition.hasUndo,
      schema: definition.schema,
      functions: definition.functions,
      context: context?.reading(slots),
      fields: computations.fields,
      fieldIndex: fieldTable.index,
      holdsSecret: fieldTable.valuesHoldSecret,
      rules: computations.rules,
      checks: computations.checks,
      steps: computations.steps,
      lookups: computations.lookups,
      actions: computations.actions,
      outputs: computations.outputs,
      templates: templates,
      requirements: requests.requirements,
      units: computations.units,
      objectKeywords: computations.objectKeywords,
      graph: graph,
      slots: slots,
      errors: errors,
      faultText: text("fault", of: nil, else: BuiltInTexts.fault),
      locales: locales,
      ownLocaleCount: ownLocaleCount,
      workSpent: budget.spent
    )
  }

  /// By field: its position in a list of fields.
  private func positions(byFields list: [[Int]]) -> [[Int]] {
    var positions = [[Int]](repeating: [], count: fieldTable.shapes.count)
    for (position, fields) in list.enumerated() { for field in fields { positions[field].append(position) } }
    return positions
  }

  private mutating func step(from step: StepDefinition) -> Step {
    Step(
      id: step.id,
      label: step.label,
      fields: fieldTable.fields(of: step),
      visible: formula(step.visible, expecting: .bool)
    )
  }

  private mutating func lookups() -> [Lookup] {
    var lookups: [Lookup] = []
    for (number, template) in templates.enumerated() {
      for written in definition.lookups[template.lookups] {
        lookups.append(lookup(from: written, template: number))
      }
    }
    return lookups
  }

  private mutating func outputs() -> [Output] {
    var outputs: [Output] = []
    for (number, template) in templates.enumerated() {
      for (address, text) in definition.outputs[template.outputs] {
        guard let formula = formula(text, scope: .init(template: number)) else { continue }
        outputs.append(Output(address: address, template: number, formula: formula))
      }
    }
    return outputs
  }

  /// Warns of a clock that no formula reads.
  private mutating func checkClock(_ slots: SlotTable) {
    guard definition.clock != nil, slots.now < 0 else { return }
    collector.report(
      "unusedClock",
      at: JSONPointer(tokens: ["clock"]),
      "\"clock\" says how often 'now' ticks, and no formula reads 'now'",
      remedy: "leave it out",
      severity: .warning
    )
  }

  /// Warns of named formulas that no formula calls: only a call gives their parameters types.
  private mutating func checkFunctions() {
    if definition.functions.isEmpty { return }
    let reached = formulas.functionsReached
    for function in definition.functions where !reached.contains(function.name) {
      collector.report(
        "unusedFunction",
        at: function.pointer,
        spot: .name,
        "no formula calls \"\(function.name)\", so its types are not checked",
        remedy: "call it, or leave it out",
        severity: .warning
      )
    }
  }

  // MARK: What all parts are made of

  /// A formula of the definition; nil if none is written, or if it is wrong. The collector then has the error.
  ///
  /// The parameters are the parameters of ``FormulaCompiler/compile(_:scope:expecting:orReason:isArgument:_:)``.
  mutating func formula(
    _ text: FormulaDefinition?,
    scope: FormulaCompiler.Scope = .form,
    expecting expected: CELType? = nil,
    orReason: Bool = false,
    isArgument: Bool = false
  ) -> Formula? {
    text.flatMap {
      formulas.compile(
        $0,
        scope: scope,
        expecting: expected,
        orReason: orReason,
        isArgument: isArgument,
        &collector
      )
    }
  }

  /// The request of a check, a lookup or an action.
  mutating func request(from run: RunDefinition, scope: FormulaCompiler.Scope = .form) -> RequestPlan {
    requests.request(from: run, scope: scope, &collector)
  }

  /// A text in each locale of the form.
  func localized(_ text: Text) -> LocalizedText {
    let work = text.variants.count > 1 ? locales.count : 1
    return LocalizedText(text, variantOfLocale: budget.spend(work) ? variants.ofLocales(text) : [])
  }

  /// A text of an error in each locale of the form, with the label of its field.
  ///
  /// - Parameter shape: the field; nil: the form as a whole, with its title.
  func localized(_ text: Text, of shape: FieldShape?) -> LocalizedText {
    let plain = localized(text)
    guard plain.variants.contains(where: { FormCompiler.placeholders(in: $0).contains(Self.labelName) }) else {
      return plain
    }
    let label = localized(shape.map(label) ?? definition.title ?? Text(definition.name))
    let bytes = label.variants.reduce(0) { $0 + $1.utf8.count }
    return budget.spend(bytes / Form.bytesPerUnit) ? plain.filled(Self.labelName, with: label) : plain
  }

  /// The label of a field; a row or an element without one has the label of its list.
  private func label(of shape: FieldShape) -> Text {
    if let own = shape.own?.label ?? shape.facts.title.map({ Text($0) }) { return own }
    return shape.position.list.map { label(of: fieldTable.shapes[$0]) } ?? Text(shape.name)
  }

  /// The name of the field's label in the texts of errors.
  static let labelName = "label"

  /// The text of an error. The first of these that exists: the text of its field, or of the form as a whole, for that
  /// code; the one given; the text for all fields; the built-in text.
  func text(_ code: String, of shape: FieldShape?, _ given: Text? = nil, else fallback: Text) -> LocalizedText {
    let own = if let shape { shape.own?.messages[code] } else { definition.formMessages[code] }
    if let text = own ?? given ?? definition.messages[code] { return localized(text, of: shape) }
    // Each field has the same built-in texts.
    let key = UTF8Key(text: fallback.variants.first?.text ?? "")
    if let known = builtInTexts.resolved[key], known.text == fallback, budget.spend(1 + ownLocaleCount) {
      return known.localized
    }
    let localized = localized(fallback)
    builtInTexts.resolved[key] = (fallback, localized)
    return localized
  }

  /// The error for a judgment whose formula failed.
  ///
  /// - Parameter code: the code of the error that the formula should have judged.
  mutating func fault(_ code: String, _ severity: Severity, of shape: FieldShape?) -> ErrorNumber {
    let text = text("fault", of: shape, else: BuiltInTexts.fault)
    return errors.add(PreparedError(code: code, severity: severity, source: .fault, message: text))
  }
}

/// Finds the variants of texts for the locales of a form.
private final class VariantTable {
  private let locales: [String]
  private let defaultLocale: String?
  /// By the number of variants: the text that was asked for last, and its variant for each locale. Most texts of a form
  /// are in the same languages.
  private var last: [Int: (text: Text, ofLocales: [Int])] = [:]

  init(locales: [String], default defaultLocale: String?) {
    self.locales = locales
    self.defaultLocale = defaultLocale
  }

  /// By locale: the number of the variant. The work grows with the number of locales and with the number of variants.
  func ofLocales(_ text: Text) -> [Int] {
    guard text.variants.count > 1 else { return [] }
    if let last = last[text.variants.count],
      zip(last.text.variants, text.variants).allSatisfy({ $0.locale.hasSameUTF8(as: $1.locale) })
    {
      return last.ofLocales
    }
    let table = TextTable(text, default: defaultLocale)
    let ofLocales = locales.map(table.index)
    last[text.variants.count] = (text, ofLocales)
    return ofLocales
  }
}

/// The built-in texts of a form in its locales.
private final class BuiltInTextCache {
  /// By the first variant of a text.
  var resolved: [UTF8Key: (text: Text, localized: LocalizedText)] = [:]
}

extension FormDefinition {
  /// Every locale that any text of the definition has, after `""` and the form's own.
  fileprivate var locales: [String] {
    var locales = [""]
    var known = Set(locales.map { UTF8Key(text: $0) })
    func add(_ locale: String) {
      if known.insert(UTF8Key(text: locale)).inserted { locales.append(locale) }
    }
    func add(_ text: Text?) {
      for variant in text?.variants ?? [] where !variant.locale.isEmpty { add(variant.locale) }
    }
    if let locale { add(locale) }
    add(title)
    for text in messages.all + formMessages.all { add(text) }
    for (_, field) in fields {
      add(field.label)
      add(field.placeholder)
      add(field.help)
      for text in field.messages.all { add(text) }
      for option in field.options { for text in [option.label, option.group, option.help] { add(text) } }
    }
    for rule in rules { add(rule.message.text) }
    for check in checks {
      add(check.failureMessage)
      for outcome in check.outcomes { add(outcome.message.text) }
    }
    for (_, text) in texts { add(text) }
    for step in steps { add(step.label) }
    for action in actions {
      add(action.label)
      for outcome in action.outcomes { add(outcome.message.text) }
    }
    return locales
  }
}
