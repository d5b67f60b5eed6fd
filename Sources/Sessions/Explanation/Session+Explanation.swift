internal import CEL
package import Forms
public import JSON
internal import Texts

extension InquiryMachine {
  /// The machine's state as one word.
  fileprivate var phase: String {
    switch state {
    case .idle: "idle"
    case .waiting: "debounce"
    case .running: "running"
    case .retrying: "retrying"
    case .settled: hasFailed ? "failed" : "settled"
    case .faulted: "faulted"
    }
  }
}

extension Session {
  /// The reasons for the state of the session's document. For each action: its formula, the values that the formula
  /// reads, and the errors that block it. For each field: its errors, each with the rule's text and the values that the
  /// rule reads.
  ///
  /// For a secret, it only says whether there is one, and never its value.
  public func explanation() -> JSON {
    var actions = JSONObject()
    for (number, action) in form.actions.enumerated() {
      actions[action.name] = .object(explain(action, number: number))
    }
    var fields = JSONObject()
    forEachField { live in
      let explanation = explain(live)
      if !explanation.isEmpty { fields[live.instance.address(of: live.field)] = .object(explanation) }
    }
    var steps = JSONObject()
    for (number, step) in form.steps.enumerated() { steps[step.id] = .object(explain(step, number: number)) }
    var form: JSONObject = ["isValid": .bool(flags.contains(.isValid)), "isPending": .bool(flags.contains(.isPending))]
    let errors = formErrors.all.map { explain($0, rules: self.form.formRules, in: self) }
    if !errors.isEmpty { form["errors"] = .array(errors) }
    let faults = flags.contains(.hasFaults) ? (extras?.faults.all ?? []).map { explain($0.formula, $0.reason) } : []
    let ofRuns = (extras?.runFaults ?? []).map { explain($0.formula, $0.reason) }
    if !faults.isEmpty || !ofRuns.isEmpty { form["faults"] = .array(faults + ofRuns) }
    var explanation: JSONObject = ["form": .object(form), "actions": .object(actions), "fields": .object(fields)]
    if !steps.isEmpty { explanation["steps"] = .object(steps) }
    var lookups = JSONObject()
    forEachInstance { instance in
      for lookup in instance.ownLookups {
        lookups[instance.address(ofLookup: lookup)] = .object(explain(lookup: lookup, in: instance))
      }
    }
    if !lookups.isEmpty { explanation["lookups"] = .object(lookups) }
    return .object(explanation)
  }

  /// The reason for the value of an output: its formula. If the form has the output, and not each row, it includes the
  /// values that the formula reads.
  package func explanation(of output: Output) -> JSON {
    var explanation: JSONObject = ["formula": .string(output.formula.source)]
    if output.template == 0 { explanation["reads"] = reads(of: output.formula, in: self) }
    return .object(explanation)
  }

  // MARK: Actions

  private func explain(_ action: Action, number: Int) -> JSONObject {
    var explanation: JSONObject = ["isEnabled": .bool(actions[number].isEnabled)]
    if let formula = action.enabled {
      explanation["enabled"] = .string(formula.source)
      explanation["reads"] = reads(of: formula, in: self)
    } else {
      explanation["enabled"] = "form.isValid"
      explanation["reads"] = ["form.isValid": .bool(flags.contains(.isValid))]
    }
    if !actions[number].isEnabled { explanation["because"] = .array(blocking(in: action.scope)) }
    if let machine = extras?.actions[number] {
      let counts = [
        ("running", machine.flight.running.count), ("queued", machine.flight.waiting.count),
        ("heldForChecks", machine.heldTokens.count),
      ]
      for (name, count) in counts where count > 0 { explanation[name] = .integer(Int64(count)) }
      if machine.delay?.held != nil { explanation["heldForTime"] = true }
    }
    return explanation
  }

  /// All reasons why a scope is not valid, down to the rule.
  private func blocking(in scope: ActionScope) -> [JSON] {
    var reasons: [JSON] = []
    if scope == .form {
      reasons = formErrors.all.filter { form.blocks($0) }.map { explain($0, rules: form.formRules, in: self) }
    }
    forEachFieldByStep(in: scope) { live in
      let address = JSON.string(live.instance.address(of: live.field))
      for error in live.state.pointee.errors.all where form.blocks(error) {
        let explained = explain(error, rules: form.fields[live.field].rules, in: live.instance)
        var reason = explained.objectValue ?? JSONObject()
        reason["field"] = address
        reasons.append(.object(reason))
      }
      let pending = pending(at: live)
      if !pending.isEmpty { reasons.append(["field": address, "code": "pending", "checks": .array(pending)]) }
    }
    return reasons
  }

  // MARK: Lookups

  private func explain(lookup number: Int, in instance: Instance) -> JSONObject {
    let lookup = form.lookups[number]
    let state = instance.lookup(number) ?? LookupState()
    var explanation: JSONObject = ["phase": .string(state.machine.phase)]
    if let when = lookup.when { explanation["when"] = .string(when.source) }
    explanation["error"] = state.error.map { .string($0) }
    var values = JSONObject()
    for formula in lookup.formulas {
      for value in reads(of: formula, in: instance).objectValue ?? [:] { values[value.name] = value.value }
    }
    explanation["reads"] = .object(values)
    return explanation
  }

  // MARK: Steps

  private func explain(_ step: Step, number: Int) -> JSONObject {
    var explanation: JSONObject = ["isValid": .bool(steps[number].isValid)]
    if !isVisible(step: number), let formula = step.visible {
      explanation["hiddenBy"] = .string(formula.source)
      explanation["reads"] = reads(of: formula, in: self)
    }
    let reasons = blocking(in: .fields(step.fields))
    if !reasons.isEmpty { explanation["because"] = .array(reasons) }
    return explanation
  }

  // MARK: Fields

  private func explain(_ live: LiveField) -> JSONObject {
    let field = form.fields[live.field]
    let state = live.state.pointee
    var explanation = JSONObject()
    if !state.errors.isEmpty {
      explanation["errors"] = .array(state.errors.all.map { explain($0, rules: field.rules, in: live.instance) })
      explanation["message"] = state.displayed == nil ? .string(whyHidden(field, state)) : "shown"
    }
    if !state.flags.contains(.isVisible), let formula = field.visible {
      explanation["hiddenBy"] = .string(formula.source)
      explanation["reads"] = reads(of: formula, in: live.instance)
    }
    if let step = field.step, !isVisible(step: step) {
      explanation["hiddenBy"] = .string("\(FieldAddress.spelling(ofStep: form.steps[step].id)).isVisible")
    }
    if state.flags.contains(.follows), let formula = field.valueFormula {
      explanation["value"] = [
        field.isComputed ? "computed" : "suggested": .string(formula.source),
        "reads": reads(of: formula, in: live.instance),
      ]
    }
    let pending = pending(at: live)
    if !pending.isEmpty { explanation["pending"] = .array(pending) }
    return explanation
  }

  private func whyHidden(_ field: Field, _ state: FieldState) -> String {
    if state.flags.contains(.isComposing) { return "waits for the end of the composition" }
    if state.flags.contains(.isFocused) && field.show == .blur { return "waits for the end of the editing" }
    switch field.show {
    case .always: return "shown"
    case .edit: return "waits for the first edit"
    case .blur: return "waits for the end of the first editing"
    case .submit: return "waits for the first tap"
    }
  }

  /// The checks and lookups that a field waits for.
  private func pending(at live: LiveField) -> [JSON] {
    let field = form.fields[live.field]
    let checks: [JSON] = field.checks.compactMap { index in
      guard let machine = live.instance.instanceExtras?.checks[index].machine, machine.isPending else { return nil }
      return ["check": .string(form.checks[index].id), "phase": .string(machine.phase)]
    }
    let lookups: [JSON] = field.lookups.compactMap { index in
      guard let machine = live.instance.pendingLookup(index)?.machine else { return nil }
      return ["lookup": .string(form.lookups[index].address), "phase": .string(machine.phase)]
    }
    return checks + lookups
  }

  // MARK: Errors and formulas

  private func explain(_ error: FieldError, rules: [Int], in instance: Instance) -> JSON {
    var explanation: JSONObject = [
      "code": .string(form.code(of: error)), "message": .string(form.message(of: error, locale: localeIndex)),
    ]
    let code = form.code(of: error)
    for rule in rules {
      guard form.rules[rule].id.hasSameUTF8(as: code) else {
        continue
      }
      explanation["rule"] = .string(form.rules[rule].source)
      explanation["at"] = .string(form.rules[rule].pointer)
      explanation["reads"] = reads(of: form.rules[rule], in: instance)
      if let when = form.rules[rule].when { explanation["when"] = .string(when.source) }
      break
    }
    if case .detailed(let detail) = error, !detail.parameters.isEmpty {
      explanation["params"] = .object(detail.parameters)
    }
    return .object(explanation)
  }

  /// A formula that goes wrong.
  private func explain(_ fault: Formula, _ reason: String) -> JSON {
    [
      "cell": .string(fault.name), "at": .string(fault.pointer), "formula": .string(fault.source),
      "reason": .string(reason),
    ]
  }

  /// The values that the condition of a rule reads, by name; of a group, whether each field has one.
  private func reads(of rule: Rule, in instance: Instance) -> JSON {
    switch rule.condition {
    case .formula(let check): return reads(of: check, in: instance)
    case .group(let group, let names, _):
      let isGiven = zip(names, group.fields).map { name, field in
        ("isEmpty of \(name)", JSON.bool(instance.fields[field].flags.contains(.isEmpty)))
      }
      return .object(JSONObject(isGiven))
    }
  }

  /// The values that a formula reads, by name. For a secret it has only whether there is one.
  private func reads(of formula: Formula, in instance: Instance) -> JSON {
    var values = JSONObject()
    for slot in formula.reads {
      let (name, isSecret) = form.slots.names[slot]
      let owner = instance.instance(of: Int(tables.pointee.slotTemplates[slot]))
      let value = owner.slots[Int(tables.pointee.slotOffsets[slot])]
      if isSecret {
        let isEmpty = value == .string("") || value == .null
        values[name] = .string(isEmpty ? "(secret, empty)" : "(secret)")
      } else {
        values[name] = value.json ?? .null
      }
    }
    return .object(values)
  }
}
