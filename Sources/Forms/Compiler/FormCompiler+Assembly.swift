internal import CEL
internal import JSON
internal import JSONSchema
internal import TextFormats
internal import Texts

/// Names become addresses, formulas become programs.
extension FormCompiler {
  /// Everything of the form, with the formulas compiled by `formulas`; nil when something is wrong.
  mutating func assemble(
    _ shapes: [FieldShape],
    _ templates: [FormTemplate],
    _ tree: ObjectTree,
    with formulas: FormulaCompiler
  ) -> FormParts? {
    var errors = ErrorTable()
    let parts = schemaParts(of: tree)
    let units = units(of: tree, parts)
    let rules = definition.rules.compactMap { rule(from: $0, shapes, formulas, &errors) }
    let checks = definition.checks.compactMap { check(from: $0, shapes, templates, formulas, &errors) }
    var rulesOfField = [[Int]](repeating: [], count: shapes.count)
    for (index, rule) in rules.enumerated() { if let field = rule.field { rulesOfField[field].append(index) } }
    var checksOfField = [[Int]](repeating: [], count: shapes.count)
    for (index, check) in checks.enumerated() { checksOfField[check.field].append(index) }
    let steps = definition.steps.map { step(from: $0, formulas) }
    var stepOfField = [Int?](repeating: nil, count: shapes.count)
    for (index, step) in steps.enumerated() { for field in step.fields { stepOfField[field] = index } }
    let fields = shapes.enumerated().map { index, shape in
      field(
        from: shape,
        at: index,
        among: shapes,
        step: stepOfField[index],
        rules: rulesOfField[index],
        checks: checksOfField[index],
        formulas,
        &errors
      )
    }
    let actions = definition.actions.map { action(from: $0, shapes, templates, formulas) }
    var outputs: [Output] = []
    for (template, definition) in templates.enumerated() {
      for (address, text) in self.definition.outputs[definition.outputs] {
        guard let formula = formulas.compile(text, scope: .init(template: template), &collector) else { continue }
        outputs.append(Output(address: address, template: template, formula: formula))
      }
    }
    guard !collector.hasErrors, budget.mayGoOn else { return nil }
    var builder = GraphBuilder(
      fields: fields,
      rules: rules,
      checks: checks,
      steps: steps,
      actions: actions,
      outputs: outputs,
      templates: templates,
      parts: parts,
      unitFields: units.map(\.field),
      slots: formulas.slots,
      budget: budget
    )
    checkClock(formulas.slots)
    let graph: Graph
    switch builder.build() {
    case .graph(let built): graph = built
    case .cycle(let path, let pointer):
      collector.report(
        "cycle",
        at: pointer,
        "these depend on each other in a circle: \(path.joined(separator: " -> "))",
        remedy: "let one of them read something else: a value instead of a status, for example"
      )
      return nil
    case .tooLarge: return nil
    }
    return FormParts(
      name: definition.name,
      locale: definition.locale,
      title: definition.title,
      clock: formulas.slots.now < 0 ? nil : definition.clock,
      schema: definition.schema,
      fields: fields,
      rules: rules,
      checks: checks,
      steps: steps,
      actions: actions,
      outputs: outputs,
      templates: templates,
      requirements: requirements,
      units: units,
      schemaParts: parts,
      graph: graph,
      slots: formulas.slots,
      errors: errors,
      faultText: localized(BuiltInTexts.fault),
      locales: locales,
      ownLocaleCount: ownLocaleCount,
      workSpent: budget.spent
    )
  }

  /// A clock that ticks for nobody.
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

  private func localized(_ text: Text) -> LocalizedText {
    LocalizedText(text, locales: budget.spend(locales.count) ? locales : [], default: definition.locale)
  }

  // MARK: The schema

  private func units(of tree: ObjectTree, _ parts: [SchemaPart]) -> [SchemaUnit] {
    var fields = [Int?](repeating: nil, count: tree.objects.count)
    for (index, member) in tree.members.enumerated() { if let object = member.object { fields[object] = index } }
    var first = 0
    return zip(fields, tree.objects).map { field, object in
      defer { first += object.parts.parts.count }
      return SchemaUnit(
        field: field,
        object: object.parts,
        parts: first..<first + object.parts.parts.count,
        others: object.others,
        areOthersSecret: object.areOthersSecret
      )
    }
  }

  /// The object-level keywords of all units, those of the root first.
  private func schemaParts(of tree: ObjectTree) -> [SchemaPart] {
    var members = [[Int]](repeating: [], count: tree.objects.count)
    for (index, member) in tree.members.enumerated() { members[member.owner].append(index) }
    var parts: [SchemaPart] = []
    for (unit, object) in tree.objects.enumerated() where !object.parts.parts.isEmpty {
      let index = Dictionary(
        members[unit].map { (UTF8Key(text: tree.members[$0].name), $0) },
        uniquingKeysWith: { first, _ in first }
      )
      for (position, part) in object.parts.parts.enumerated() {
        let fields: [Int]
        let readsOthers: Bool
        switch part.reads {
        case .names(let names) where budget.spend(names.count):
          fields = names.compactMap { index[UTF8Key(text: $0)] }.sorted()
          readsOthers = fields.count < names.count
        case .all(let exceptions) where budget.spend(exceptions.count + members[unit].count):
          let spared = Set(exceptions.compactMap { index[UTF8Key(text: $0)] })
          fields = members[unit].filter { !spared.contains($0) }
          readsOthers = true
        default:
          fields = []
          readsOthers = false
        }
        parts.append(
          SchemaPart(
            unit: unit,
            index: position,
            location: part.keywordLocation,
            fields: fields,
            readsOthers: readsOthers,
            readsPresenceAlone: part.readsPresenceAlone || part.readsCountAlone,
            reachesInside: part.reachesInside
          )
        )
      }
    }
    return parts
  }

  /// The text of an error: the field's own for that code, else the one given, else ours.
  private func text(_ code: String, of field: String?, _ given: Text?, else fallback: Text) -> LocalizedText {
    let own = field.flatMap { fieldDefinitions[UTF8Key(text: $0)]?.messages[UTF8Key(text: code)] }
    return localized(own ?? given ?? fallback)
  }

  // MARK: Fields

  private mutating func field(
    from shape: FieldShape,
    at index: Int,
    among shapes: [FieldShape],
    step: Int?,
    rules: [Int],
    checks: [Int],
    _ formulas: FormulaCompiler,
    _ errors: inout ErrorTable
  ) -> Field {
    let own = own(shape.place)
    let requiredError = errors.add(
      PreparedError(
        code: "required",
        severity: .error,
        source: .schema,
        message: text("required", of: shape.address, nil, else: BuiltInTexts.required)
      )
    )
    if shape.place.unit != nil, let own, own.throttle != nil || own.debounce != nil {
      collector.report(
        "conflict",
        at: own.pointer.appending(own.throttle != nil ? "throttle" : "debounce"),
        spot: .name,
        "the field \"\(shape.address)\" has fields below it, and only a value without any can be held back",
        remedy: "write it at the fields below"
      )
    }
    let timing: Field.Timing? = own?.throttle.map { .throttle($0) } ?? own?.debounce.map { .debounce($0) }
    let duplicateError =
      mustBeUnique(index, shape, shapes)
      ? errors.add(
        PreparedError(
          code: "duplicate",
          severity: .error,
          source: .schema,
          message: text("duplicate", of: shape.address, nil, else: BuiltInTexts.duplicate)
        )
      ) : nil
    let scope = FormulaCompiler.Scope(template: shape.place.template)
    if let own { checkValueFormula(of: shape, own, shapes) }
    let hasValueFormula = own?.computed != nil || own?.suggested != nil
    return Field(
      place: shape.place,
      step: step,
      label: own?.label ?? shape.facts.title.map { Text($0) },
      placeholder: own?.placeholder,
      help: own?.help ?? shape.facts.description.map { Text($0) },
      widget: own?.widget,
      show: own?.show ?? .blur,
      isSecret: shape.isSecret,
      holdsSecret: shape.holdsSecret,
      normalize: normalize(shape),
      coerces: coerces(shape),
      lengthMax: shape.lengthMax,
      timing: timing,
      isRequiredBySchema: shape.isRequired,
      options: shape.options,
      initial: hasValueFormula ? nil : shape.initial,
      ownInitial: hasValueFormula ? nil : ownInitial(of: shape),
      facts: shape.facts,
      keepsEmpty: own?.keepsEmpty ?? false,
      admitsNull: shape.admitsNull,
      type: shape.type,
      visible: own?.visible.flatMap { formulas.compile($0, scope: scope, expecting: .bool, &collector) },
      enabled: own?.enabled.flatMap { formulas.compile($0, scope: scope, expecting: .bool, &collector) },
      required: own?.required.flatMap { formulas.compile($0, scope: scope, expecting: .bool, &collector) },
      // What a secret is computed from may be secret, too: neither leaves.
      computed: own?.computed.flatMap { formulas.compile($0, scope: scope, isArgument: shape.isSecret, &collector) },
      suggested: own?.suggested.flatMap { formulas.compile($0, scope: scope, isArgument: shape.isSecret, &collector) },
      key: key(of: shape, shapes),
      duplicateError: duplicateError,
      computedOptions: computedOptions(of: shape, at: index, shapes, formulas, &errors),
      rules: rules,
      checks: checks,
      messages: own?.messages ?? [:],
      requiredError: requiredError
    )
  }

  /// A formula can give a value where nothing else does: not to a field that others make up, nor to a row, nor to what rows are known by.
  private mutating func checkValueFormula(of shape: FieldShape, _ own: FieldDefinition, _ shapes: [FieldShape]) {
    let name = own.computed == nil ? "suggested" : "computed"
    func refuse(_ message: String, _ remedy: String) {
      collector.report("conflict", at: own.pointer.appending(name), spot: .name, message, remedy: remedy)
    }
    guard own.computed != nil || own.suggested != nil else { return }
    if shape.place.unit != nil {
      refuse(
        "the field \"\(shape.address)\" has fields below it, and they make up its value",
        "write \"\(name)\" at the fields below"
      )
    } else if shape.place.list != nil {
      refuse(
        "the field \"\(shape.address)\" is each row as a whole, and rows are what inputs put in",
        "give the rows members, and write \"\(name)\" at one of these"
      )
    } else if own.computed != nil, own.throttle != nil || own.debounce != nil {
      refuse("the field \"\(shape.address)\" takes no input that could be held back", "remove the throttle or debounce")
    } else if own.computed != nil, let element = shape.place.parent, let list = shapes[element].place.list,
      key(of: shapes[list], shapes).map({ shapes[$0].address.hasSameUTF8(as: shape.address) }) ?? false
    {
      refuse(
        "the field \"\(shape.address)\" is the key by which rows are known, and a whole list cannot say it",
        "take another member as the \"key\", or \"suggested\" in place of \"computed\""
      )
    }
  }

  /// What a formula lets choose.
  private mutating func computedOptions(
    of shape: FieldShape,
    at field: Int,
    _ shapes: [FieldShape],
    _ formulas: FormulaCompiler,
    _ errors: inout ErrorTable
  ) -> ComputedOptions? {
    guard let text = own(shape.place)?.optionsFormula else { return nil }
    if shape.place.unit != nil {
      let element = shape.place.element.map { "\"\(shapes[$0].address)\"" }
      collector.report(
        "conflict",
        at: text.pointer,
        "the field \"\(shape.address)\" has fields below it, so its value is not chosen as a whole",
        remedy: "write \"options\" at " + (element.map { "\($0), for each of its rows" } ?? "the fields below")
      )
      return nil
    }
    let scope = FormulaCompiler.Scope(template: shape.place.template)
    guard let formula = formulas.compile(text, scope: scope, &collector) else { return nil }
    guard formula.program.type.mayBeList else {
      collector.report(
        "expression",
        at: text.pointer,
        "\"options\" has to be a list, and this formula gives \(formula.program.type)",
        remedy: "write a list of values, or of {'value': ..., 'label': ...}"
      )
      return nil
    }
    if let element = formula.program.type.elementOfList, !shape.type.mayEqual(element) {
      collector.report(
        "expression",
        at: text.pointer,
        "the values of \"options\" are of type \(element), and the schema of \"\(shape.address)\" asks for \(shape.type)",
        remedy: "write values of the field's type, or {'value': ..., 'label': ...}"
      )
      return nil
    }
    // What is the same for all rows is computed once.
    let isShared = shape.place.template > 0 && formula.reads.allSatisfy { formulas.slots.places[$0].template == 0 }
    return ComputedOptions(
      formula: formula,
      template: isShared ? 0 : shape.place.template,
      home: isShared ? outmostList(around: field, shapes) : field,
      error: errors.add(
        PreparedError(
          code: "options",
          severity: .error,
          source: .schema,
          message: self.text("options", of: shape.address, nil, else: BuiltInTexts.options)
        )
      ),
      fault: errors.add(
        PreparedError(
          code: "options",
          severity: .error,
          source: .fault,
          message: self.text("fault", of: shape.address, nil, else: BuiltInTexts.fault)
        )
      )
    )
  }

  /// The list of the form in whose rows, or rows of rows, a field stands.
  private func outmostList(around field: Int, _ shapes: [FieldShape]) -> Int {
    var field = field
    while shapes[field].place.template > 0 { field = shapes[field].place.list ?? shapes[field].place.parent ?? 0 }
    return field
  }

  /// The units that compiling a pattern takes, beside one for each byte.
  private static let patternWork = 50

  /// The steps that the texts of a field go through.
  private mutating func normalize(_ shape: FieldShape) -> [Normalization] {
    var steps: [Normalization] = []
    for step in own(shape.place)?.normalize ?? [] {
      switch step {
      case .word(let word): steps.append(word)
      case .remove(let source, let pointer):
        guard budget.spend(Self.patternWork + source.utf8.count) else { break }
        do throws(PatternError) {
          steps.append(.remove(try Pattern(source, dialect: .re2)))
        } catch {
          collector.report(
            "pattern",
            at: pointer,
            spot: .codePoint(error.offset),
            "the regular expression cannot be used: \(error.message)",
            remedy: "it is written by the rules of RE2, as in matches() of formulas"
          )
        }
      }
    }
    return steps
  }

  /// Whether a field reads texts: it or the form says so, and its schema asks for one type that a text can be read as.
  private mutating func coerces(_ shape: FieldShape) -> Bool {
    let own = own(shape.place)
    if BuiltInTexts.unread(shape.type) != nil { return own?.coerces ?? definition.coerces }
    if let own, own.coerces ?? false {
      collector.report(
        "conflict",
        at: own.pointer.appending("coerce"),
        spot: .name,
        "the schema does not ask for a number or a boolean at \"\(shape.address)\", so no text is read as one",
        remedy: "write it at a field whose schema has the one \"type\" integer, number or boolean"
      )
    }
    return false
  }

  /// The field by which a list's rows are known, where the definition names one.
  private func key(of shape: FieldShape, _ shapes: [FieldShape]) -> Int? {
    guard let element = shape.place.element, let name = own(shape.place)?.key else { return nil }
    // A member of the row itself, that holds no others.
    return fieldIndex.field(on: shape.place.path + ["*", name])
      .flatMap { shapes[$0].place.parent == element && shapes[$0].place.unit == nil ? $0 : nil }
  }

  /// Whether no two rows may have the same value of a field: it says so, or it is the key of its list.
  private mutating func mustBeUnique(_ field: Int, _ shape: FieldShape, _ shapes: [FieldShape]) -> Bool {
    let own = own(shape.place)
    if let own, own.isUnique, shape.place.template == 0 {
      collector.report(
        "conflict",
        at: own.pointer.appending("unique"),
        spot: .name,
        "the field \"\(shape.address)\" is in no row, so there is nothing that it could equal",
        remedy: "write it at a field of a list's rows: /items/*/sku"
      )
    }
    if let own, let name = own.key, shape.place.element == nil || key(of: shape, shapes) == nil, !mayLackFields {
      let members = shape.place.element.map { element in
        shapes.filter { $0.place.parent == element && $0.place.unit == nil }.map(\.name).joined(separator: ", ")
      }
      collector.report(
        "unknownField",
        at: own.pointer.appending("key"),
        members == nil
          ? "the field \"\(shape.address)\" is no list with rows, so it has no key"
          : "the rows of \"\(shape.address)\" have no member \"\(name)\"",
        remedy: members.map { $0.isEmpty ? "its rows have no members" : "their members are: \($0)" }
          ?? "write it at a list whose schema has \"items\""
      )
    }
    guard shape.place.template > 0 else { return false }
    if own?.isUnique ?? false { return true }
    guard let element = shape.place.parent, let list = shapes[element].place.list else { return false }
    return key(of: shapes[list], shapes) == field
  }

  /// A default without what is there of fields below it.
  private func ownInitial(of shape: FieldShape) -> JSON? {
    if shape.place.element != nil, case .array? = shape.initial { return .array([]) }
    guard shape.place.unit != nil, case .object(let members)? = shape.initial else { return shape.initial }
    let others = members.filter { fieldIndex.field(on: shape.place.path + [$0.name]) == nil }
    return others.isEmpty && !members.isEmpty ? nil : .object(JSONObject(uncheckedMembers: others))
  }

  // MARK: Rules

  private mutating func rule(
    from rule: RuleDefinition,
    _ shapes: [FieldShape],
    _ formulas: FormulaCompiler,
    _ errors: inout ErrorTable
  ) -> Rule? {
    let field = rule.field.flatMap { fieldIndex.field(at: $0) }
    // What `self` is in its formulas is not known; the address was reported already.
    guard (rule.field == nil) == (field == nil) else { return nil }
    let shape = field.map { shapes[$0] }
    let address = shape?.address
    let scope = FormulaCompiler.Scope(template: shape?.place.template ?? 0, field: field)
    let when = rule.when.flatMap { formulas.compile($0, scope: scope, expecting: .bool, &collector) }
    let message = rule.message.formula.flatMap { formulas.compile($0, scope: scope, expecting: .string, &collector) }
    guard let check = formulas.compile(rule.check, scope: scope, expecting: .bool, &collector) else { return nil }
    let text = text(rule.id, of: address, rule.message.text, else: BuiltInTexts.invalid)
    let error = errors.add(PreparedError(code: rule.id, severity: rule.severity, source: .rule, message: text))
    let fault = errors.add(
      PreparedError(
        code: rule.id,
        severity: rule.severity,
        source: .fault,
        message: self.text("fault", of: address, nil, else: BuiltInTexts.fault)
      )
    )
    return Rule(
      id: rule.id,
      field: field,
      when: when,
      check: check,
      messageFormula: message,
      error: error,
      fault: fault,
      namesRow: scope.template > 0 && text.variants.contains { $0.contains("{index}") || $0.contains("{number}") }
    )
  }

  // MARK: Checks

  private mutating func check(
    from check: CheckDefinition,
    _ shapes: [FieldShape],
    _ templates: [FormTemplate],
    _ formulas: FormulaCompiler,
    _ errors: inout ErrorTable
  ) -> Check? {
    guard let field = fieldIndex.field(at: check.field) else { return nil }
    let shape = shapes[field]
    let scope = FormulaCompiler.Scope(template: shape.place.template, field: field)
    let outcomeScope = FormulaCompiler.Scope(template: shape.place.template, isOutcome: true)
    let when = check.when.flatMap { formulas.compile($0, scope: scope, expecting: .bool, &collector) }
    guard let run = run(from: check.run, scope: scope, shapes, templates, formulas) else { return nil }
    let outcomes = check.outcomes.map { outcome in
      let code = outcome.code ?? check.id
      return CheckOutcome(
        when: outcome.when.flatMap { formulas.compile($0, scope: outcomeScope, expecting: .bool, &collector) },
        isValid: outcome.isValid,
        messageFormula: outcome.message.formula.flatMap {
          formulas.compile($0, scope: outcomeScope, expecting: .string, &collector)
        },
        error: errors.add(
          PreparedError(
            code: code,
            severity: outcome.severity,
            source: .check,
            message: text(code, of: shape.address, outcome.message.text, else: BuiltInTexts.invalid)
          )
        )
      )
    }
    let failure = errors.add(
      PreparedError(
        code: check.id,
        severity: check.onFailure == .block ? .error : .warning,
        source: .check,
        message: localized(BuiltInTexts.checkFailed)
      )
    )
    let fault = errors.add(
      PreparedError(
        code: check.id,
        severity: check.onFailure == .block ? .error : .warning,
        source: .fault,
        message: self.text("fault", of: shape.address, nil, else: BuiltInTexts.fault)
      )
    )
    return Check(
      id: check.id,
      field: field,
      when: when,
      debounce: check.debounce,
      run: run,
      outcomes: outcomes,
      timeout: check.timeout,
      cacheCount: check.cacheCount,
      trustsInitial: check.trustsInitial,
      onFailure: check.onFailure,
      failure: failure,
      fault: fault
    )
  }

  // MARK: Steps

  private mutating func step(from step: StepDefinition, _ formulas: FormulaCompiler) -> Step {
    Step(
      id: step.id,
      label: step.label,
      fields: step.fields.compactMap { fieldIndex.field(at: $0.address) }.sorted(),
      visible: step.visible.flatMap { formulas.compile($0, expecting: .bool, &collector) }
    )
  }

  // MARK: Actions

  private mutating func action(
    from action: ActionDefinition,
    _ shapes: [FieldShape],
    _ templates: [FormTemplate],
    _ formulas: FormulaCompiler
  ) -> Action {
    let written = scope(of: action, shapes)
    let text = action.enabled ?? enabledDefault(in: written, shapes, of: action)
    let enabled = text.flatMap { formulas.compile($0, expecting: .bool, &collector) }
    return Action(
      name: action.name,
      label: action.label,
      scope: written ?? enabled.map { scope(readBy: $0, formulas.slots, shapes) } ?? .form,
      enabled: enabled,
      isEnabledByDefault: action.enabled == nil,
      throttle: action.throttle.map { ($0.interval, $0.edges) },
      debounce: action.debounce,
      flight: action.flight,
      refusesWhenPending: action.refusesWhenPending,
      run: action.run.flatMap { run(from: $0, scope: .form, shapes, templates, formulas) },
      outcomes: action.outcomes.map { outcome(from: $0, formulas) },
      timeout: action.timeout,
      retry: action.retry.map { .init(times: $0.times, delay: $0.delay, factor: $0.factor, delayMax: $0.delayMax) }
    )
  }

  /// The scope that is written; nil without one.
  private func scope(of action: ActionDefinition, _ shapes: [FieldShape]) -> ActionScope? {
    switch action.scope {
    case nil: nil
    case .form?: .form
    case ScopeDefinition.none?: ActionScope.none
    case .step(let id)?:
      .fields(
        (definition.steps.first { $0.id.hasSameUTF8(as: id) }?.fields ?? [])
          .compactMap { fieldIndex.field(at: $0.address) }.sorted()
      )
    case .fields(let addresses)?:
      // Those in rows are reported, and no formula can be made of them.
      .fields(
        outmost(addresses.compactMap { fieldIndex.field(at: $0) }.filter { shapes[$0].place.template == 0 }, shapes)
      )
    }
  }

  /// The same fields in order, without those that stand inside of another.
  private func outmost(_ fields: [Int], _ shapes: [FieldShape]) -> [Int] {
    var outmost: [Int] = []
    var end = 0
    for field in fields.sorted() where field >= end {
      outmost.append(field)
      end = shapes[field].place.end
    }
    return outmost
  }

  /// Where nothing is written, an action is enabled while all of its scope is valid; nil: while the form is.
  private func enabledDefault(
    in scope: ActionScope?,
    _ shapes: [FieldShape],
    of action: ActionDefinition
  ) -> FormulaText? {
    let pointer = action.pointer.appending("scope")
    switch scope {
    case nil, .form?: return nil
    case ActionScope.none?: return FormulaText(source: "true", pointer: pointer)
    case .fields(let fields)?:
      let truths = fields.map { "\(FieldAddress.spelling(of: shapes[$0].place.path, among: "fields")).isValid" }
      return FormulaText(source: truths.isEmpty ? "true" : truths.joined(separator: " && "), pointer: pointer)
    }
  }

  /// The scope that a condition means: the fields whose status it reads, where it reads no status of the form.
  private func scope(readBy formula: Formula, _ slots: SlotTable, _ shapes: [FieldShape]) -> ActionScope {
    let form = [slots.formIsValid, slots.formIsPending, slots.formIsDirty].map(Int.init)
    if formula.reads.contains(where: form.contains) { return .form }
    func reads(_ cells: [Int32]) -> Bool { cells.contains { $0 >= 0 && formula.reads.contains(Int($0)) } }
    var fields = addresses.indices.filter { reads([slots.fieldIsValid[$0], slots.fieldIsPending[$0]]) }
    for (index, step) in definition.steps.enumerated()
    where reads([slots.stepIsValid[index], slots.stepIsPending[index]]) {
      fields += step.fields.compactMap { fieldIndex.field(at: $0.address) }
    }
    return fields.isEmpty ? .form : .fields(outmost(fields, shapes))
  }

  private mutating func outcome(from outcome: ActionOutcomeDefinition, _ formulas: FormulaCompiler) -> ActionOutcome {
    let value = outcome.success ?? outcome.failure
    var message = Message.none
    if let text = outcome.message.text {
      message = .text(localized(text))
    } else if let formula = outcome.message.formula.flatMap({
      formulas.compile($0, scope: .init(isOutcome: true), expecting: .string, &collector)
    }) {
      message = .formula(formula)
    }
    return ActionOutcome(
      when: outcome.when.flatMap { formulas.compile($0, scope: .init(isOutcome: true), expecting: .bool, &collector) },
      isFailure: outcome.failure != nil,
      value: value.flatMap { formulas.compile($0, scope: .init(isOutcome: true), &collector) },
      message: message,
      fieldErrors: outcome.fieldErrors.compactMap { name, text in
        guard let field = fieldIndex.field(at: name),
          let formula = formulas.compile(text, scope: .init(isOutcome: true), &collector)
        else {
          return nil
        }
        return (field, formula)
      },
      fieldErrorMap: outcome.fieldErrorMap.flatMap {
        formulas.compile($0, scope: .init(isOutcome: true), &collector)
      }
    )
  }

  // MARK: Effects

  private mutating func run(
    from run: RunDefinition,
    scope: FormulaCompiler.Scope,
    _ shapes: [FieldShape],
    _ templates: [FormTemplate],
    _ formulas: FormulaCompiler
  ) -> Run? {
    switch run {
    case .http(let pointer, let service, let method, let path, let query, let headers, let json):
      require(.service, service, at: pointer.appending("service"))
      return .http(
        .init(
          service: service,
          method: method,
          path: pathParts(path, at: pointer.appending("path"), scope, shapes, templates, formulas),
          query: arguments(query, scope, formulas),
          headers: arguments(headers, scope, formulas),
          json: json.flatMap { template(from: $0, scope, formulas) }
        )
      )
    case .sql(let pointer, let database, let query, let parameters):
      require(.database, database, at: pointer.appending("database"), query: (query, pointer.appending("query")))
      checkParameters(of: query, parameters.map(\.name), at: pointer)
      return .sql(database: database, query: query, parameters: arguments(parameters, scope, formulas))
    case .provider(let pointer, let name, let arguments):
      require(.provider, name, at: pointer.appending("name"))
      let values = arguments.compactMap { name, value in
        template(from: value, scope, formulas).map { (name: name, value: $0) }
      }
      return .provider(name: name, arguments: values, readsSecrets: values.contains { $0.value.readsSecret })
    }
  }

  private mutating func require(
    _ kind: Requirement.Kind,
    _ name: String,
    at pointer: JSONPointer,
    query: (text: String, pointer: JSONPointer)? = nil
  ) {
    requirements.append(
      Requirement(
        kind: kind,
        name: name,
        pointer: pointer,
        place: collector.place(of: pointer),
        query: query.map { .init(text: $0.text, pointer: $0.pointer, place: collector.place(of: $0.pointer)) }
      )
    )
    if let allowed = capabilities.names(of: kind), !allowed.contains(name) {
      collector.report(
        "forbidden",
        at: pointer,
        "this definition may not use the \(kind.rawValue) \"\(name)\"",
        remedy: "the daemon's configuration says what definitions that clients bring along may reach"
      )
    }
  }

  /// Parameters that a query names and is not given, and such that it does not name.
  private mutating func checkParameters(of query: String, _ given: [String], at pointer: JSONPointer) {
    guard budget.spend(query.utf8.count) else { return }
    let parameters = SQLParameters(of: query)
    let named = parameters.names
    if parameters.hasNameless {
      collector.report(
        "parameters",
        at: pointer.appending("query"),
        "the query has a parameter without a name, which nothing can be put in for",
        remedy: "write :name, and \"parameters\": {\"name\": ...}",
        severity: .warning
      )
    }
    for name in named where !given.contains(where: { $0.hasSameUTF8(as: name) }) {
      collector.report(
        "parameters",
        at: pointer.appending("query"),
        "the query names \":\(name)\", and \"parameters\" does not have it",
        remedy: advice(for: name, among: given, or: "the parameters are"),
        severity: .warning
      )
    }
    for name in given where !named.contains(where: { $0.hasSameUTF8(as: name) }) {
      collector.report(
        "parameters",
        at: pointer.appending("parameters").appending(name),
        spot: .name,
        "the query does not name \":\(name)\"",
        remedy: advice(for: name, among: named, or: "it names"),
        severity: .warning
      )
    }
  }

  private mutating func arguments(
    _ entries: [(name: String, formula: FormulaText)],
    _ scope: FormulaCompiler.Scope,
    _ formulas: FormulaCompiler
  ) -> [(name: String, formula: Formula)] {
    entries.compactMap { name, text in
      formulas.compile(text, scope: scope, isArgument: true, &collector).map { (name, $0) }
    }
  }

  private mutating func template(
    from template: TemplateDefinition,
    _ scope: FormulaCompiler.Scope,
    _ formulas: FormulaCompiler
  ) -> Template? {
    switch template {
    case .literal(let value): return .literal(value)
    case .values: return .values(holdSecret: valuesHoldSecret)
    case .formula(let text):
      return formulas.compile(text, scope: scope, isArgument: true, &collector).map { .formula($0) }
    case .array(let elements):
      return .array(elements.compactMap { self.template(from: $0, scope, formulas) })
    case .object(let members):
      return .object(
        members.compactMap { name, value in self.template(from: value, scope, formulas).map { (name, $0) } }
      )
    }
  }

  /// `/users/{email}/posts` in pieces.
  private mutating func pathParts(
    _ path: String,
    at pointer: JSONPointer,
    _ scope: FormulaCompiler.Scope,
    _ shapes: [FieldShape],
    _ templates: [FormTemplate],
    _ formulas: FormulaCompiler
  ) -> [Run.PathPart] {
    var parts: [Run.PathPart] = []
    var rest = path[...]
    while let open = rest.firstIndex(of: "{") {
      if open > rest.startIndex { parts.append(.literal(String(rest[..<open]))) }
      guard let close = rest[open...].firstIndex(of: "}") else {
        collector.report("path", at: pointer, "a \"{\" in the path is not closed", remedy: "write {field}")
        return parts
      }
      let name = String(rest[rest.index(after: open)..<close])
      if let field = fieldIndex.field(at: name), templates.isAround(shapes[field].place.template, scope.template) {
        // `self` is the field's value, whatever characters its name has.
        let formula = formulas.compile(
          FormulaText(source: "self", pointer: pointer),
          scope: .init(template: scope.template, field: field),
          isArgument: true,
          &collector
        )
        if let formula { parts.append(.formula(formula)) }
      } else {
        unknownPlaceholder(name, at: pointer)
      }
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.literal(String(rest))) }
    return parts
  }

  private mutating func unknownPlaceholder(_ name: String, at pointer: JSONPointer) {
    collector.report(
      "unknownField",
      at: pointer,
      "the path names \"{\(name)}\", and the schema has no such property",
      remedy: collector.isFull || !budget.mayCompare(addresses.count)
        ? nil : fieldIndex.closest(to: name, among: addresses).map { "did you mean \"{\($0)}\"?" }
    )
  }
}

extension FieldType {
  /// Whether a value of the field can equal one of a scalar type of formulas; of other types, nobody knows.
  fileprivate func mayEqual(_ type: CELType) -> Bool {
    switch (self, type) {
    case (.string, .int), (.string, .double), (.string, .bool), (.bool, .int), (.bool, .double), (.bool, .string): false
    case (.integer, .string), (.integer, .bool), (.number, .string), (.number, .bool): false
    default: true
    }
  }
}

extension CELType {
  /// The type of a list's elements; nil for what is no list.
  fileprivate var elementOfList: CELType? { if case .list(let element) = self { element } else { nil } }

  /// Whether a value of the type can be a list.
  fileprivate var mayBeList: Bool {
    switch self {
    case .list, .dyn: true
    default: false
    }
  }
}
