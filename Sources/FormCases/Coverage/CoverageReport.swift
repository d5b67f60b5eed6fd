package import Forms
package import JSON
internal import Sessions

/// The parts of a form that no case reaches.
package struct CoverageReport: Sendable {
  /// A behaviour of the form that no case shows.
  package struct Gap: Hashable, Sendable {
    /// The part and the missing behaviour: `rules['email.shape'].check never fails`.
    package var text: String
    /// The part's location in the definition.
    package var pointer: JSONPointer
  }

  /// The gaps, in the order of the definition's parts.
  package let gaps: [Gap]
  /// The number of behaviours that cases can reach.
  package let count: Int

  /// The number of behaviours that cases reached.
  package var reachedCount: Int { count - gaps.count }

  /// The share that is reached, in whole percent, rounded down; 100 if there is nothing to reach.
  package var percent: Int { count == 0 ? 100 : reachedCount * 100 / count }

  /// Compares a form with the records of an observer.
  package init(of form: Form, _ observer: CoverageObserver) {
    var list = Checklist(observer)
    for rule in form.rules { list.add(.ruleFailed(rule.id), rule) }
    for field in form.fields {
      list.add(field.visible, false: "never hides its field", true: "never shows its field")
      list.add(field.enabled, false: "never disables its field", true: "never enables its field")
      list.add(field.required, false: "never lets its field be empty", true: "never requires its field")
      if let formula = field.valueFormula { list.add(.value(formula.name), formula, "never gives a value") }
    }
    for (position, check) in form.checks.enumerated() {
      let pointer = JSONPointer(tokens: ["checks", String(position)])
      for (branch, outcome) in check.outcomes.enumerated() {
        list.add(OutcomeTaken(.check(check.id), branch), "check \(check.id)", outcome.when, pointer)
      }
      list.add(OutcomeTaken(.check(check.id), nil), "check \(check.id)", nil, pointer)
    }
    for lookup in form.lookups {
      let pointer = JSONPointer(tokens: ["lookups", lookup.address])
      list.add(.lookupFound(lookup.address), "lookup \(lookup.address) never finds anything", pointer)
      list.add(.lookupFailed(lookup.address), "lookup \(lookup.address) never fails", pointer)
    }
    for step in form.steps { list.add(step.visible, false: "never hides its step", true: "never shows its step") }
    for action in form.actions {
      let pointer = JSONPointer(tokens: ["actions", action.name])
      if !action.isEnabledByDefault {
        list.add(action.enabled, false: "never disables its action", true: "never enables its action")
      }
      if action.outcomes.isEmpty {
        list.add(.actionDone(action.name), "action \(action.name) is never done", pointer)
      }
      for (branch, outcome) in action.outcomes.enumerated() {
        list.add(OutcomeTaken(.action(action.name), branch), "action \(action.name)", outcome.when, pointer)
      }
    }
    for output in form.outputs { list.add(.value(output.formula.name), output.formula, "never has a value") }
    gaps = list.gaps
    count = list.count
  }
}

/// The possible behaviours of a form, and those that were not observed.
private struct Checklist {
  private let observer: CoverageObserver
  private(set) var gaps: [CoverageReport.Gap] = []
  private(set) var count = 0

  init(_ observer: CoverageObserver) { self.observer = observer }

  mutating func add(_ item: CoverageObserver.Reached, _ text: String, _ pointer: JSONPointer) {
    count += 1
    if !observer.reached.contains(item) { gaps.append(.init(text: text, pointer: pointer)) }
  }

  mutating func add(_ item: CoverageObserver.Reached, _ rule: Rule) {
    let name = rule.check?.name ?? "rule \(rule.id)"
    add(item, "\(name) never fails: \(rule.source)", JSONPointer(rule.pointer) ?? .root)
  }

  mutating func add(_ item: CoverageObserver.Reached, _ formula: Formula, _ never: String) {
    add(item, "\(formula.name) \(never): \(formula.source)", JSONPointer(formula.pointer) ?? .root)
  }

  /// Adds a condition that may be true or false. A constant condition has only one result.
  mutating func add(_ formula: Formula?, false unmet: String, true met: String) {
    guard let formula else { return }
    if formula.source != "true" { add(.condition(formula.name, false), formula, unmet) }
    if formula.source != "false" { add(.condition(formula.name, true), formula, met) }
  }

  /// Adds one branch of the outcomes of an answer. A branch without a position is for answers that match no branch.
  mutating func add(_ outcome: OutcomeTaken, _ owner: String, _ when: Formula?, _ pointer: JSONPointer) {
    count += 1
    if observer.outcomes.contains(outcome) { return }
    guard let position = outcome.position else {
      gaps.append(.init(text: "\(owner): its service never fails", pointer: pointer))
      return
    }
    let condition = when.map { ": \($0.source)" } ?? " (for all other answers)"
    gaps.append(
      .init(
        text: "\(owner): outcome \(position) is never taken\(condition)",
        pointer: pointer.appending("outcomes").appending(position)
      )
    )
  }
}
