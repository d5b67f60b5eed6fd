internal import Forms
internal import JSON
internal import JSONSchema
internal import Texts

/// What of a form depends on what, by the names that authors know.
struct FormDependencies {
  /// One thing that a form computes, or that changes from outside.
  struct Cell: Equatable {
    /// For example `values.email`, `rule email.shape`, `fields.email`, `form`, `actions.login`, `outputs.buttonColor`.
    var name: String
    /// The formulas and what else decides it, in words.
    var definitions: [String] = []
    /// Names of the cells that it is computed from.
    var reads: [String] = []
    /// Whether it changes from outside: what a user types, what an action came to.
    var isInput = false
  }

  /// Inputs first, then in the order of the definition.
  private(set) var cells: [Cell] = []
  private let form: Form

  /// Reads a form's dependencies off its formulas and its schema.
  init(of form: Form) {
    self.form = form
    let names = Self.cellNames(bySlotOf: form)
    func reads(_ formulas: [Formula]) -> [String] {
      formulas.flatMap(\.reads).compactMap { names[$0] }
    }
    func add(_ name: String, _ definitions: [String], _ reads: [String], isInput: Bool = false) {
      var seen: Set<String> = []
      let unique = reads.filter { $0 != name && seen.insert($0).inserted }
      cells.append(Cell(name: name, definitions: definitions, reads: unique, isInput: isInput))
    }

    for (index, field) in form.fields.enumerated() {
      let below = form.children(of: index).map { form.fields[$0].valueName }
      add(field.valueName, Self.facts(of: field), below, isInput: field.unit == nil)
    }
    for action in form.actions where action.run != nil || !action.outcomes.isEmpty {
      let (description, formulas) = Self.run(of: action)
      add("actions.\(action.name).result", description, reads(formulas), isInput: true)
    }
    let parts = form.parts
    for part in parts { add("schema \(part.location)", [], part.fields.map { form.fields[$0].valueName }) }
    var partsOfField = [[String]](repeating: [], count: form.fields.count)
    for part in parts { for field in part.fields { partsOfField[field].append("schema \(part.location)") } }
    for rule in form.rules {
      let formulas = [rule.when, rule.check, rule.messageFormula].compactMap(\.self)
      let own = rule.field.map { [form.fields[$0].valueName] } ?? []
      let condition = rule.when.map { ["when \($0.source)"] } ?? []
      add("rule \(rule.id)", condition + [rule.check.source], own + reads(formulas))
    }
    for check in form.checks {
      let formulas = [check.when].compactMap(\.self) + check.run.formulas
      let field = form.fields[check.field]
      let before = [field.valueName] + field.rules.map { "rule \(form.rules[$0].id)" }
      add("check \(check.id)", [Self.target(of: check.run)], before + reads(formulas))
    }
    for step in form.steps {
      if let visible = step.visible { add(step.visibleName, [visible.source], reads([visible])) }
    }
    for (index, field) in form.fields.enumerated() {
      let step = field.step.map { form.steps[$0] }.flatMap { $0.visible == nil ? nil : $0.visibleName }
      let formulas = [("visible", field.visible), ("enabled", field.enabled), ("required", field.required)]
      let definitions = formulas.compactMap { name, formula in formula.map { "\(name): \($0.source)" } }
      let judged =
        [field.valueName] + partsOfField[index] + field.rules.map { "rule \(form.rules[$0].id)" }
        + field.checks.map { "check \(form.checks[$0].id)" }
        + form.children(of: index).map { form.fields[$0].statusName } + [step].compactMap(\.self)
      add(field.statusName, definitions, judged + reads(formulas.compactMap(\.1)))
    }
    let unowned = form.formRules.map { "rule \(form.rules[$0].id)" } + parts.map { "schema \($0.location)" }
    add("form", ["isValid, isPending, errors"], form.children(of: nil).map { form.fields[$0].statusName } + unowned)
    for step in form.steps { add(step.statusName, [], step.fields.map { form.fields[$0].statusName }) }
    for action in form.actions {
      add(
        "actions.\(action.name).isEnabled",
        [action.enabled?.source ?? "form.isValid"],
        action.enabled.map { reads([$0]) } ?? ["form"]
      )
    }
    for output in form.outputs { add("outputs.\(output.name)", [output.formula.source], reads([output.formula])) }
  }

  /// The name of the cell that may have been meant by a name that none has; nil when none is close. A field's address means its value.
  func closestName(to name: String) -> String? {
    if let field = form.field(at: name) { return form.fields[field].valueName }
    if let closest = Texts.closestName(to: name, among: cells.map(\.name)) { return closest }
    // What comes before the first dot or space says of what kind a cell is, and is left out most often.
    let ends = [".\(name)", " \(name)"].map(\.utf8)
    if let whole = cells.map(\.name).first(where: { cell in
      ends.contains { cell.utf8.suffix($0.count).elementsEqual($0) }
    }) {
      return whole
    }
    return form.closestAddress(to: name).flatMap(form.field(at:)).map { form.fields[$0].valueName }
  }

  /// What a change of that cell can change, directly or through others; in the order of `cells`.
  func dependents(of name: String) -> [String] {
    var reached: Set<String> = [name]
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for cell in cells where !reached.contains(cell.name) && !cell.isInput {
        if cell.reads.contains(where: reached.contains) {
          reached.insert(cell.name)
          isGrowing = true
        }
      }
    }
    return cells.map(\.name).filter { $0 != name && reached.contains($0) }
  }

  // MARK: Names

  /// For each address that formulas read, the cell it belongs to; nothing for what never changes in a session.
  private static func cellNames(bySlotOf form: Form) -> [Int: String] {
    var names: [Int: String] = [:]
    func assign(_ slot: Int32, _ name: String) {
      if slot >= 0 { names[Int(slot)] = name }
    }
    let slots = form.slots
    for (index, field) in form.fields.enumerated() {
      for addresses in [slots.values, slots.fieldIsEmpty, slots.fieldIsDirty, slots.fieldIsTouched] {
        assign(addresses[index], field.valueName)
      }
      for addresses in [slots.fieldIsValid, slots.fieldIsPending, slots.messages] {
        assign(addresses[index], field.statusName)
      }
    }
    for slot in [slots.formIsValid, slots.formIsPending, slots.formIsDirty] { assign(slot, "form") }
    for (index, step) in form.steps.enumerated() {
      if step.visible != nil { assign(slots.stepIsVisible[index], step.visibleName) }
      for addresses in [slots.stepIsValid, slots.stepIsPending, slots.stepIsTouched] {
        assign(addresses[index], step.statusName)
      }
    }
    for (index, action) in form.actions.enumerated() {
      assign(slots.actionIsEnabled[index], "actions.\(action.name).isEnabled")
      for addresses in [
        slots.actionIsLoading, slots.actionResult, slots.actionError, slots.actionMessage, slots.actionAttempts,
      ] {
        assign(addresses[index], "actions.\(action.name).result")
      }
    }
    for (index, output) in form.outputs.enumerated() { assign(slots.outputs[index], "outputs.\(output.name)") }
    return names
  }

  // MARK: Words

  private static func facts(of field: Field) -> [String] {
    var facts = ["shown: \(field.show.rawValue)"]
    if field.isSecret { facts.append("secret") }
    if field.isRequiredBySchema { facts.append("required") }
    if !field.normalize.isEmpty { facts.append(field.normalize.map(\.rawValue).joined(separator: ", ")) }
    switch field.timing {
    case .throttle(let interval)?: facts.append("throttle \(interval)")
    case .debounce(let interval)?: facts.append("debounce \(interval)")
    case nil: break
    }
    return [facts.joined(separator: "; ")]
  }

  private static func run(of action: Action) -> (descriptions: [String], formulas: [Formula]) {
    var descriptions: [String] = []
    var formulas: [Formula] = []
    if let run = action.run {
      descriptions.append("\(target(of: run)); flight: \(action.flight); timeout \(action.timeout)")
      formulas += run.formulas
    }
    for outcome in action.outcomes {
      let condition = outcome.when.map { "when \($0.source)" } ?? "otherwise"
      let value = outcome.value.map { " \($0.source)" } ?? ""
      descriptions.append("\(condition): \(outcome.isFailure ? "failure" : "success")\(value)")
      formulas += [outcome.when, outcome.value].compactMap(\.self)
    }
    return (descriptions, formulas)
  }

  private static func target(of run: Run) -> String {
    switch run {
    case .http(let http):
      let path = http.path.map { part in
        switch part {
        case .literal(let text): text
        case .formula(let formula): "{\(formula.source)}"
        }
      }
      return "http \(http.method) \(http.service)\(path.joined())"
    case .sql(let database, let query, _): return "sql \(database): \(query)"
    case .provider(let name, _, _): return "provider \(name)"
    }
  }
}

extension Step {
  /// How formulas name its status.
  fileprivate var statusName: String { FieldAddress.spelling(ofStep: id) }

  /// How formulas name whether it is shown.
  fileprivate var visibleName: String { "\(statusName).isVisible" }
}

extension Field {
  /// How formulas name its value.
  fileprivate var valueName: String { FieldAddress.spelling(of: path, among: "values") }

  /// How formulas name its status.
  fileprivate var statusName: String { FieldAddress.spelling(of: path, among: "fields") }
}
