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
  var definition: FormDefinition
  /// Where the schema was read, and the files that it may refer to; nil where it may refer to none.
  let files: (uri: String, library: SchemaLibrary)?
  /// The schema with those files.
  var bundle: SchemaBundle?
  /// By the URI of such a file: where its values stand.
  var places: [UTF8Key: DiagnosticCollector] = [:]
  let capabilities: FormCapabilities
  let budget: CompileBudget
  var collector: DiagnosticCollector
  var requirements: [Requirement] = []
  var locales: [String] = []
  /// How many of these, from the first on, the definition's own texts have; the others are those of the built-in texts.
  var ownLocaleCount = 0
  /// What the definition says about fields, by their canonical addresses.
  private(set) var fieldDefinitions: [UTF8Key: FieldDefinition] = [:]
  private(set) var fieldIndex = FieldIndex(addresses: [])
  /// The addresses of all fields, for advice.
  private(set) var addresses: [String] = []
  /// Whether a secret may be in the values.
  private(set) var valuesHoldSecret = false
  /// Whether addresses may lead nowhere because a part of the schema could not be read.
  var mayLackFields = false

  init(
    definition: FormDefinition,
    files: (uri: String, library: SchemaLibrary)?,
    capabilities: FormCapabilities,
    collector: DiagnosticCollector,
    budget: CompileBudget
  ) {
    self.definition = definition
    self.files = files
    self.capabilities = capabilities
    self.collector = collector
    self.budget = budget
  }

  /// The form; nil when the definition has an error, which the collector then holds, or the budget is spent.
  mutating func compile() -> Form? {
    compileSchema().flatMap { compile($0) }
  }

  /// The same for a schema that compiled.
  mutating func compile(_ schema: Schema) -> Form? {
    guard let tree = schema.objectTree(budget: budget) else { return nil }
    locales = definition.locales
    ownLocaleCount = locales.count
    for locale in BuiltInTexts.locales where !locales.contains(where: { $0.hasSameUTF8(as: locale) }) {
      locales.append(locale)
    }
    readFieldDefinitions()
    let shapes = fieldShapes(tree)
    guard !shapes.isEmpty else {
      collector.report(
        "fields",
        at: JSONPointer(tokens: ["schema"]),
        "the schema has no top-level properties, so the form has no fields",
        remedy: "describe an object: {\"type\": \"object\", \"properties\": {...}}"
      )
      return nil
    }
    addresses = shapes.map(\.address)
    fieldIndex = FieldIndex(addresses: addresses)
    valuesHoldSecret = shapes.contains(where: \.holdsSecret) || tree.objects[0].areOthersSecret
    checkNames(shapes, tree)
    checkTexts(shapes)
    orderByTemplate(shapes)
    let steps = definition.steps.map(\.id)
    let lookups = definition.lookups.map(\.name)
    let actions = definition.actions.map(\.name)
    let outputs = definition.outputs.map { (address: $0.name, template: template(ofOutput: $0.name, shapes) ?? 0) }
    let templates = templates(shapes, outputs.map(\.template))
    let formulas = FormulaCompiler(
      cells: FormulaCells(
        shapes: shapes,
        templates: templates,
        others: tree.objects.map(\.others),
        steps: steps,
        lookups: lookups,
        actions: actions,
        outputs: outputs
      ),
      ids: definition.ids,
      slots: SlotTable(
        fields: shapes.count,
        steps: steps.count,
        lookups: lookups.count,
        actions: actions.count,
        outputs: outputs.count,
        templates: templates.count
      ),
      texts: FormTexts(definition.texts, default: definition.locale),
      mayLackNames: mayLackFields,
      budget: budget
    )
    return assemble(shapes, templates, tree, with: formulas).map { Form($0) }
  }

  // MARK: Templates

  /// Puts rules, checks and outputs into the order of their templates, within each as written.
  private mutating func orderByTemplate(_ shapes: [FieldShape]) {
    func template(_ address: String?) -> Int {
      address.flatMap { fieldIndex.field(at: $0) }.map { shapes[$0].place.template } ?? 0
    }
    definition.rules.sort(by: \.field, template)
    definition.checks.sort(by: \.field, template)
    let outputs = Dictionary(
      definition.outputs.map { (UTF8Key(text: $0.name), self.template(ofOutput: $0.name, shapes) ?? 0) },
      uniquingKeysWith: { first, _ in first }
    )
    definition.outputs.sort(by: \.name) { outputs[UTF8Key(text: $0)] ?? 0 }
  }

  /// The template whose rows have an output: `/items/*/net` stands in the rows of `items`. Nil where the address leads to no row.
  private func template(ofOutput address: String, _ shapes: [FieldShape]) -> Int? {
    guard let path = JSONPointer(address: address)?.tokens, path.count > 1 else { return 0 }
    guard path.last != "*", path.last != "", let element = fieldIndex.field(on: path.dropLast()),
      shapes[element].place.list != nil
    else {
      return nil
    }
    return shapes[element].place.template
  }

  /// What the form and the rows of its lists are made of.
  private func templates(_ shapes: [FieldShape], _ outputs: [Int]) -> [FormTemplate] {
    let rules = definition.rules.map { rule in
      rule.field.flatMap { fieldIndex.field(at: $0) }.map { shapes[$0].place.template } ?? 0
    }
    let checks = definition.checks.map { check in
      fieldIndex.field(at: check.field).map { shapes[$0].place.template } ?? 0
    }
    let fields = shapes.map(\.place.template)
    func range(_ templates: [Int], _ template: Int) -> Range<Int> {
      let first = templates.firstIndex { $0 >= template } ?? templates.count
      return first..<(templates[first...].firstIndex { $0 > template } ?? templates.count)
    }
    var templates: [FormTemplate] = []
    for template in 0...(fields.last ?? 0) {
      let own = range(fields, template)
      let list = template == 0 ? nil : shapes[own.lowerBound].place.list
      let parent = list.map { shapes[$0].place.template }
      templates.append(
        FormTemplate(
          list: list,
          parent: parent,
          depth: parent.map { templates[$0].depth + 1 } ?? 0,
          fields: own,
          rules: range(rules, template),
          checks: range(checks, template),
          outputs: range(outputs, template)
        )
      )
    }
    return templates
  }

  /// Finds what `fields` says about each address. An address may be written in two ways, but only once.
  private mutating func readFieldDefinitions() {
    for (address, field) in definition.fields {
      let canonical = JSONPointer(address: address)?.address ?? address
      if let other = fieldDefinitions[UTF8Key(text: canonical)] {
        collector.report(
          "duplicateField",
          at: JSONPointer(tokens: ["fields", address]),
          spot: .name,
          "the field \"\(canonical)\" stands twice",
          remedy: "\"\(other.pointer.tokens.last ?? "")\" and \"\(address)\" are one address: keep one of them"
        )
        continue
      }
      fieldDefinitions[UTF8Key(text: canonical)] = field
    }
  }

  // MARK: Names

  /// Names that lead nowhere, and ids that stand twice.
  private mutating func checkNames(_ shapes: [FieldShape], _ tree: ObjectTree) {
    for (address, _) in definition.fields {
      checkField(address, at: JSONPointer(tokens: ["fields", address]), spot: .name)
    }
    for (shape, member) in zip(shapes, tree.members) { checkOptions(of: shape, member) }
    var members = [[String]](repeating: [], count: tree.objects.count)
    for member in tree.members { members[member.owner].append(member.name) }
    var around = [Int?](repeating: nil, count: tree.objects.count)
    for member in tree.members { if let object = member.object { around[object] = member.owner } }
    for (index, object) in tree.objects.enumerated() {
      checkRequired(of: object, with: members[index]) { name in
        var outer = around[index]
        while let object = outer, !members[object].contains(where: { $0.hasSameUTF8(as: name) }) {
          outer = around[object]
        }
        return outer != nil
      }
    }
    var codes: Set<UTF8Key> = []
    for rule in definition.rules {
      if let field = rule.field { checkField(field, at: rule.pointer.appending("field")) }
      if !codes.insert(UTF8Key(text: rule.id)).inserted { duplicate(rule.id, at: rule.pointer.appending("id")) }
    }
    for check in definition.checks {
      checkField(check.field, at: check.pointer.appending("field"))
      if !codes.insert(UTF8Key(text: check.id)).inserted { duplicate(check.id, at: check.pointer.appending("id")) }
    }
    checkSteps(shapes)
    checkOutputs(shapes)
    for action in definition.actions {
      switch action.scope {
      case .fields(let scope)?:
        for (index, address) in scope.enumerated() {
          let pointer = action.pointer.appending("scope").appending(index)
          checkField(address, at: pointer)
          checkIsOutsideOfRows(address, shapes, at: pointer)
        }
      case .step(let id)?: checkStep(id, at: action.pointer.appending("scope"))
      case .form?, ScopeDefinition.none?, nil: break
      }
      for outcome in action.outcomes {
        for (field, formula) in outcome.fieldErrors {
          checkField(field, at: formula.pointer, spot: .name)
          checkIsOutsideOfRows(field, shapes, at: formula.pointer, spot: .name)
        }
      }
    }
  }

  /// An output's address that leads to no row.
  private mutating func checkOutputs(_ shapes: [FieldShape]) {
    for (name, formula) in definition.outputs where template(ofOutput: name, shapes) == nil {
      let elements = addresses.filter { $0.hasSuffix("/*") }.prefix(Self.listedMax).joined(separator: ", ")
      collector.report(
        "unknownField",
        at: formula.pointer,
        spot: .name,
        "the output \"\(name)\" is in no row",
        remedy: "an output is a name, or the address of a row and a name: /items/*/net"
          + (elements.isEmpty ? "" : "; the rows are \(elements)")
      )
    }
  }

  /// An address that leads into rows, where only what is there once can be named.
  private mutating func checkIsOutsideOfRows(
    _ address: String,
    _ shapes: [FieldShape],
    at pointer: JSONPointer,
    spot: DiagnosticCollector.Spot = .value
  ) {
    guard let field = fieldIndex.field(at: address), shapes[field].place.template > 0 else { return }
    var list = field
    while shapes[list].place.template > 0 { list = shapes[list].place.list ?? shapes[list].place.parent ?? 0 }
    collector.report(
      "inRow",
      at: pointer,
      spot: spot,
      "\"\(address)\" stands in each row of a list, and here only a field can be named that is there once",
      remedy: "name the list, \"\(shapes[list].address)\": all of its rows are in it"
    )
  }

  /// An object that requires a member which is no field can only be valid by a value that was given as a whole. Where an object around it
  /// has that member, the schema may be meant to hold at both, and the form can be used.
  private mutating func checkRequired(
    of object: ObjectTree.Object,
    with members: [String],
    isMemberAround: (String) -> Bool
  ) {
    guard !object.parts.required.isEmpty else { return }
    let known = Set(members.map { UTF8Key(text: $0) })
    for requirement in object.parts.required
    where !known.contains(UTF8Key(text: requirement.name)) && !object.others.admits(requirement.name) {
      let own =
        collector.isFull
        ? nil
        : definition.schema.value(at: requirement.pointer)?.arrayValue?
          .firstIndex { $0.stringValue?.hasSameUTF8(as: requirement.name) ?? false }
      reportInSchema(
        "unknownField",
        at: JSONPointer(tokens: requirement.pointer.tokens + (own.map { [String($0)] } ?? [])),
        "the schema requires a member and has no property \"\(requirement.name)\"",
        remedy: advice(for: requirement.name, among: members, or: "the properties are"),
        severity: isMemberAround(requirement.name) ? .warning : .error
      )
    }
  }

  /// An address that leads to no field.
  private mutating func checkField(
    _ address: String,
    at pointer: JSONPointer,
    spot: DiagnosticCollector.Spot = .value
  ) {
    guard fieldIndex.field(at: address) == nil, !mayLackFields else { return }
    collector.report(
      "unknownField",
      at: pointer,
      spot: spot,
      address.utf8.first == UInt8(ascii: "/")
        ? "the schema has no property at \"\(address)\"" : "the schema has no property \"\(address)\"",
      remedy: advice(among: addresses, or: "its fields are") {
        fieldIndex.closest(to: address, among: addresses)
      }
    )
  }

  /// Ids that stand twice or mean something else, and fields that are in two steps.
  private mutating func checkSteps(_ shapes: [FieldShape]) {
    var ids: Set<UTF8Key> = []
    /// By field: the step that names it, and the address there.
    var owners: [Int: (step: String, address: String)] = [:]
    for step in definition.steps {
      if step.id == "form" || step.id == "none" {
        collector.report(
          "reservedId",
          at: step.pointer.appending("id"),
          "a step cannot be called \"\(step.id)\": as the \"scope\" of an action, that means something else",
          remedy: "call it something else"
        )
      } else if !ids.insert(UTF8Key(text: step.id)).inserted {
        collector.report(
          "duplicateId",
          at: step.pointer.appending("id"),
          "the id \"\(step.id)\" stands twice",
          remedy: "ids of steps must be unique"
        )
      }
      for (address, pointer) in step.fields {
        checkField(address, at: pointer)
        checkIsOutsideOfRows(address, shapes, at: pointer)
        guard let field = fieldIndex.field(at: address), owners[field] == nil else {
          if let field = fieldIndex.field(at: address) { reportShared(address, with: owners[field], at: pointer) }
          continue
        }
        owners[field] = (step.id, address)
      }
    }
    for step in definition.steps {
      for (address, pointer) in step.fields {
        guard let field = fieldIndex.field(at: address) else { continue }
        var around = shapes[field].place.parent
        while let outer = around, owners[outer] == nil { around = shapes[outer].place.parent }
        if let around { reportShared(address, with: owners[around], at: pointer) }
      }
    }
  }

  private mutating func reportShared(
    _ address: String,
    with owner: (step: String, address: String)?,
    at pointer: JSONPointer
  ) {
    guard let owner else { return }
    collector.report(
      "duplicateField",
      at: pointer,
      "\"\(address)\" is in the step \"\(owner.step)\" already, by \"\(owner.address)\"",
      remedy: "a field is in one step at most, and with it all fields inside of it"
    )
  }

  /// An id that no step has, where a scope may also be a word.
  private mutating func checkStep(_ id: String, at pointer: JSONPointer) {
    let ids = definition.steps.map(\.id)
    guard !ids.contains(where: { $0.hasSameUTF8(as: id) }) else { return }
    collector.report(
      "unknownStep",
      at: pointer,
      "there is no step \"\(id)\"",
      remedy: advice(for: id, among: ids + ["form", "none"], or: "a scope is a list of addresses or one of")
    )
  }

  /// A name in `options` that no choice of the schema has.
  private mutating func checkOptions(of shape: FieldShape, _ member: ObjectTree.Member) {
    guard let named = own(shape.place)?.options, !named.isEmpty else { return }
    let choices = (member.facts.choices ?? []).map(\.value.optionName)
    let known = Set(choices.map { UTF8Key(text: $0) })
    let written = definition.fields.first { fieldIndex.field(at: $0.address) == fieldIndex.field(at: shape.address) }?
      .address
    for (value, _) in named where !known.contains(UTF8Key(text: value)) {
      collector.report(
        "unknownOption",
        at: JSONPointer(tokens: ["fields", written ?? shape.address, "options", value]),
        spot: .name,
        "the schema of \"\(shape.address)\" has no choice \"\(value)\"",
        remedy: choices.isEmpty
          ? "name the values in the schema: \"enum\": [...]" : advice(for: value, among: choices, or: "its choices are")
      )
    }
  }

  /// So many names are listed where none is close.
  private static let listedMax = 20

  /// The name that was meant, or the names that there are; nil when the fault is only counted.
  func advice(for name: String, among names: [String], or list: String) -> String? {
    advice(among: names, or: list) { closestName(to: name, among: names) }
  }

  private func advice(among names: [String], or list: String, closest: () -> String?) -> String? {
    guard !collector.isFull else { return nil }
    if budget.mayCompare(names.count), let closest = closest() {
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

extension Array {
  /// Sorts by a number that something of each element has; those of equal numbers keep their order.
  fileprivate mutating func sort<Key>(by key: (Element) -> Key, _ number: (Key) -> Int) {
    let numbers = map { number(key($0)) }
    guard numbers.contains(where: { $0 > 0 }) else { return }
    self = indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }.map { self[$0] }
  }
}

extension FormDefinition {
  /// Every locale that any text of the definition has, behind `""` and the form's own.
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
    for (_, field) in fields {
      add(field.label)
      add(field.placeholder)
      add(field.help)
      for code in field.messageOrder { add(field.messages[UTF8Key(text: code)]) }
      for option in field.options { add(option.label) }
    }
    for rule in rules { add(rule.message.text) }
    for check in checks { for outcome in check.outcomes { add(outcome.message.text) } }
    for (_, text) in texts { add(text) }
    for step in steps { add(step.label) }
    for action in actions {
      add(action.label)
      for outcome in action.outcomes { add(outcome.message.text) }
    }
    return locales
  }
}
