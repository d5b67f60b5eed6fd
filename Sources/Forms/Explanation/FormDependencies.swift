internal import DocumentProperties
internal import JSON
internal import JSONSchema
internal import LocaleFormats
internal import Texts

/// The dependencies of a form, by the names that authors know.
package struct FormDependencies {
  /// A part of a form: a computation, or a value that changes from outside.
  package struct Part: Equatable {
    /// For example `values.email`, `rule email.shape`, `fields.email`, `form`, `actions.login`, `outputs.buttonColor`.
    package var name: String
    /// The formulas and other rules that decide it, in words.
    package var definitions: [String] = []
    /// Names of the parts that it is computed from.
    package var reads: [String] = []
    /// Whether it changes from outside: by a user's input, or by an action's result.
    package var isInput = false
  }

  /// Inputs first, then in the order of the definition.
  package private(set) var parts: [Part] = []
  private let form: Form

  /// Reads a form's dependencies off its graph.
  package init(of form: Form) {
    self.form = form
    let names = PartNames(of: form)
    func add(_ name: String, _ definitions: [String], _ reads: [String], isInput: Bool = false) {
      var seen: Set<String> = []
      let unique = reads.filter { $0 != name && seen.insert($0).inserted }
      parts.append(Part(name: name, definitions: definitions, reads: unique, isInput: isInput))
    }

    for (number, field) in form.fields.enumerated() {
      let isInput = field.unit == nil && field.valueFormula == nil
      add(
        field.valueName,
        facts(of: field),
        names.read(by: [.computed(number), .trigger(number), .value(number)], [field.computed, field.suggested]),
        isInput: isInput
      )
    }
    let clock = form.clock.map { ["set at taps, and every \($0)"] } ?? ["set at taps"]
    if form.slots.today >= 0 { add("today", ["the date in the session's zone"], [], isInput: true) }
    if form.slots.now >= 0 { add("now", clock, [], isInput: true) }
    if !(form.context?.members ?? []).isEmpty { add("context", ["set by the program"], [], isInput: true) }
    if form.initialsRead.contains(where: { !$0.isEmpty }) {
      add("initial", ["the values in the beginning"], [], isInput: true)
    }
    for action in form.actions where action.request != nil || !action.outcomes.isEmpty {
      let (description, formulas) = run(of: action)
      add("actions.\(action.name).result", description, formulas.flatMap(names.read), isInput: true)
    }
    for (number, keyword) in form.objectKeywords.enumerated() {
      add("schema \(keyword.location)", [], names.read(by: [.objectKeyword(number)]))
    }
    for (number, rule) in form.rules.enumerated() {
      add("rule \(rule.id)", definitions(of: rule), names.read(by: [.rule(number)], [rule.when, rule.check]))
    }
    for (number, check) in form.checks.enumerated() {
      add("check \(check.id)", definitions(of: check), names.read(by: [.check(number)]))
    }
    for (number, lookup) in form.lookups.enumerated() {
      add(lookup.nameInFormulas, definitions(of: lookup), names.read(by: [.lookup(number)]))
    }
    for (number, step) in form.steps.enumerated() {
      guard let visible = step.visible else { continue }
      add(step.visibleName, ["visible: \(visible.source)"], names.read(by: [.stepVisible(number)], [visible]))
    }
    for (number, field) in form.fields.enumerated() {
      let formulas = [
        ("visible", field.visible), ("enabled", field.enabled), ("required", field.required),
        ("options", field.computedOptions?.formula),
      ]
      let definitions = formulas.compactMap { name, formula in formula.map { "\(name): \($0.source)" } }
      let nodes: [Graph.Node] = [
        .field(number), .visible(number), .enabled(number), .required(number), .options(number),
      ]
      add(field.statusName, definitions, names.read(by: nodes, formulas.map(\.1)))
    }
    add("form", ["isValid, isPending, errors"], names.read(by: [.form, .formErrors]))
    for (number, step) in form.steps.enumerated() { add(step.statusName, [], names.read(by: [.step(number)])) }
    for (number, action) in form.actions.enumerated() {
      let definition = action.enabled?.source ?? "form.isValid"
      let reads = names.read(by: [.action(number)], [action.enabled])
      add("actions.\(action.name).isEnabled", ["enabled: \(definition)"], reads)
    }
    for (number, output) in form.outputs.enumerated() {
      add(output.nameInFormulas, [output.formula.source], names.read(by: [.output(number)], [output.formula]))
    }
  }

  /// The most similar name of a part to an unknown name; nil when none is close. A field's address means its value.
  package func closestName(to name: String) -> String? {
    if let field = form.field(at: name) { return form.fields[field].valueName }
    if let closest = Texts.closestName(to: name, among: parts.map(\.name)) { return closest }
    // The text before the first dot or space gives the kind of a part, and authors leave it out most often.
    let ends = [".\(name)", " \(name)"].map(\.utf8)
    if let whole = parts.map(\.name).first(where: { part in
      ends.contains { part.utf8.suffix($0.count).elementsEqual($0) }
    }) {
      return whole
    }
    return form.closestAddress(to: name).flatMap(form.field(at:)).map { form.fields[$0].valueName }
  }

  /// The parts that a change of that part can change, directly or through others; in the order of `parts`.
  package func dependents(of name: String) -> [String] {
    // A value given as a whole changes the values of the fields inside it, in rows and objects.
    let around = form.fields.first { $0.valueName == name }?.path
    let inside = form.fields.filter { field in around.map { field.path.starts(with: $0) } ?? false }
    var reached = Set([name] + inside.map(\.valueName))
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for part in parts where !reached.contains(part.name) && !part.isInput {
        if part.reads.contains(where: reached.contains) {
          reached.insert(part.name)
          isGrowing = true
        }
      }
    }
    return parts.map(\.name).filter { $0 != name && reached.contains($0) }
  }

  // MARK: Words

  // The words are the keys of a definition, so that authors find them there.

  private func facts(of field: Field) -> [String] {
    var facts = ["show: \(field.show.rawValue)"]
    if field.isSecret { facts.append("secret: true") }
    if field.isRequiredBySchema { facts.append("required by the schema") }
    if let read = field.read { facts.append("read: \(read.kind.rawValue)") }
    if !field.normalize.isEmpty {
      facts.append("normalize: " + field.normalize.map(\.name).joined(separator: ", "))
    }
    switch field.timing {
    case .throttle(let interval)?: facts.append("throttle: \(Self.written(interval))")
    case .debounce(let interval)?: facts.append("debounce: \(Self.written(interval))")
    case nil: break
    }
    let formulas =
      [("computed", field.computed), ("suggested", field.suggested)]
      + field.trigger.map { ($0.pointer.contains("/resetOn") ? "resetOn" : "resetWhen", $0) }
    return [facts.joined(separator: "; ")]
      + formulas.compactMap { name, formula in formula.map { "\(name): \($0.source)" } }
  }

  private func definitions(of rule: Rule) -> [String] {
    Self.when(rule.when) + [rule.check == nil ? rule.source : "check: \(rule.source)"]
      + Self.messageExpression(rule.messageFormula)
  }

  private func definitions(of check: Check) -> [String] {
    let debounce = check.debounce.map { ["debounce: \(Self.written($0))"] } ?? []
    let facts = ["ask: \(check.ask.rawValue)"] + debounce
    let waits = ["timeout: \(Self.written(check.timeout))", "onFailure: \(check.onFailure.rawValue)"]
    let outcomes = check.outcomes.map { outcome in
      if outcome.isValid { return Self.outcome(outcome.when, "valid") }
      let error = form.errors[outcome.error]
      let text = JSON.string(error.message[0]).description
      let says = outcome.messageFormula.map { "messageExpression \($0.source)" } ?? text
      return Self.outcome(outcome.when, "\(error.severity.rawValue) \(error.code), \(says)")
    }
    return Self.when(check.when) + ["run: \(Self.target(of: check.request))"] + [
      (facts + waits).joined(separator: "; ")
    ]
      + outcomes
  }

  private func definitions(of lookup: Lookup) -> [String] {
    let debounce = lookup.debounce.map { "debounce: \(Self.written($0)); " } ?? ""
    return Self.when(lookup.when) + ["run: \(Self.target(of: lookup.request))"]
      + ["\(debounce)timeout: \(Self.written(lookup.timeout))"]
      + (lookup.value.map { ["value: \($0.source)"] } ?? [])
  }

  private func run(of action: Action) -> (descriptions: [String], formulas: [Formula]) {
    var descriptions: [String] = []
    var formulas: [Formula] = []
    if let request = action.request {
      descriptions.append("run: \(Self.target(of: request))")
      descriptions.append("flight: \(action.flight.rawValue); timeout: \(Self.written(action.timeout))")
      formulas += request.formulas
    }
    for outcome in action.outcomes {
      var parts = [outcome.isFailure ? "failure" : "success"]
      if let value = outcome.value { parts[0] += " \(value.source)" }
      switch outcome.message {
      case .none: break
      case .text(let text): parts.append("message \(JSON.string(text[0]))")
      case .formula(let formula):
        parts.append("messageExpression \(formula.source)")
        formulas.append(formula)
      }
      descriptions.append(Self.outcome(outcome.when, parts.joined(separator: ", ")))
      formulas += [outcome.when, outcome.value].compactMap(\.self)
    }
    return (descriptions, formulas)
  }

  private static func when(_ formula: Formula?) -> [String] { formula.map { ["when: \($0.source)"] } ?? [] }

  private static func messageExpression(_ formula: Formula?) -> [String] {
    formula.map { ["messageExpression: \($0.source)"] } ?? []
  }

  private static func outcome(_ when: Formula?, _ meaning: String) -> String {
    "outcome\(when.map { " when \($0.source)" } ?? ""): \(meaning)"
  }

  /// A duration as definitions write it: `300ms`, `10s`.
  private static func written(_ duration: Duration) -> String {
    let milliseconds = Int64(duration / .milliseconds(1))
    return milliseconds % 1_000 == 0 ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
  }

  private static func target(of request: RequestPlan) -> String {
    switch request {
    case .http(let http):
      let path = http.path.map { piece in
        switch piece {
        case .literal(let text): text
        case .formula(let formula): "{\(formula.source)}"
        }
      }
      return "http \(http.method) \(http.service) \(path.joined())"
    case .sql(let database, let query, _): return "sql \(database): \(query)"
    case .provider(let name, _, _): return "provider \(name)"
    }
  }
}

extension Step {
  /// The name of its status in formulas.
  package var statusName: String { FieldAddress.spelling(ofStep: id) }

  /// The name in formulas of whether it is shown.
  package var visibleName: String { "\(statusName).isVisible" }
}

/// The names by which authors know the facts of a form's graph.
private struct PartNames {
  private let form: Form
  private let nodes: [Graph.Node: Int]

  init(of form: Form) {
    self.form = form
    nodes = Dictionary(uniqueKeysWithValues: form.graph.nodes.enumerated().map { ($0.element, $0.offset) })
  }

  /// The parts that those nodes read, as far as the form has them, and the parts that their formulas name.
  func read(by readers: [Graph.Node], _ formulas: [Formula?] = []) -> [String] {
    readers.compactMap { nodes[$0] }.flatMap { form.graph.reads[$0] }.flatMap { names(of: Int($0)) }
      + formulas.compactMap(\.self).flatMap(read)
  }

  /// The parts that a formula names.
  func read(by formula: Formula) -> [String] {
    formula.reads.compactMap { form.graph.factsOfSlots[$0] }.flatMap { names(of: $0, isNamed: true) }
  }

  /// - Parameter isNamed: whether a formula names the fact.
  private func names(of fact: Int, isNamed: Bool = false) -> [String] {
    let (owner, kind) = form.graph.facts.fact(fact)
    // Each node of a field reads whether the field and the fields around it are shown, and so on. Authors want to know
    // it only where a formula says so.
    if case .field(let field) = owner, [.isVisible, .isEnabled, .isRequired, .isJudged].contains(kind) {
      return isNamed ? [form.fields[field].statusName] : []
    }
    let writers = form.graph.writers[fact]
    if !writers.isEmpty { return writers.map { name(of: form.graph.nodes[Int($0)]) } }
    return nameOfInput(owner, kind).map { [$0] } ?? []
  }

  private func name(of node: Graph.Node) -> String {
    switch node {
    case .computed(let field), .value(let field), .judged(let field), .blank(let field), .trigger(let field):
      form.fields[field].valueName
    case .visible(let field), .enabled(let field), .required(let field), .field(let field):
      form.fields[field].statusName
    case .objectKeyword(let keyword): "schema \(form.objectKeywords[keyword].location)"
    case .rule(let rule): "rule \(form.rules[rule].id)"
    case .stepVisible(let step): form.steps[step].visibleName
    case .step(let step): form.steps[step].statusName
    case .check(let check): "check \(form.checks[check].id)"
    case .formErrors, .form: "form"
    case .lookup(let lookup): form.lookups[lookup].nameInFormulas
    case .action(let action): "actions.\(form.actions[action].name).isEnabled"
    case .output(let output): form.outputs[output].nameInFormulas
    case .column(let column): form.outputs[form.slots.columns[column].output].nameInFormulas
    case .above(let above): form.fields[form.slots.aboves[above].field].valueName
    case .unique(let field), .options(let field), .offered(let field): form.fields[field].statusName
    }
  }

  /// The name of a fact that changes from outside; nil for a fact that never changes in a session, and for a fact that
  /// every tap changes.
  private func nameOfInput(_ owner: Graph.Owner, _ fact: FactSet) -> String? {
    switch owner {
    case .field(let field): form.fields[field].valueName
    case .step(let step): fact == FactSet(step: .isTouched) ? form.steps[step].statusName : nil
    case .action(let action): "actions.\(form.actions[action].name).result"
    case .form:
      switch fact {
      case FactSet(form: .isDirty): "form"
      case .today: "today"
      case .now: "now"
      case .context: "context"
      case .initials: "initial"
      default: nil
      }
    case .row(let template): form.templates[template].list.map { form.fields[$0].valueName }
    case .rule, .check, .lookup, .output, .column, .above: nil
    }
  }
}

extension Lookup {
  /// The beginning of its names in formulas.
  package var nameInFormulas: String { template == 0 ? "lookups.\(name)" : "lookups['\(address)']" }
}

extension Output {
  /// Its name in formulas; an output that each row has is named by its address.
  package var nameInFormulas: String { template == 0 ? "outputs.\(name)" : "outputs['\(address)']" }
}

extension Field {
  /// The name of its value in formulas. A value in rows has the name `row` there, and has its address here.
  package var valueName: String { template == 0 ? FieldAddress.spelling(of: path, among: "values") : address }

  /// The name of its status in formulas.
  package var statusName: String { FieldAddress.spelling(of: path, among: "fields") }
}
