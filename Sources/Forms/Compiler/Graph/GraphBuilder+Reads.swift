internal import Budgets
internal import CEL
internal import DocumentProperties
internal import JSON

/// The facts that each node reads.
extension GraphBuilder {
  /// The facts that a node reads, some of them more than once: first the reads of the engine for it, then the reads of
  /// its formulas. A fact that never changes is not read.
  func readFacts(of node: Graph.Node) -> [Int] {
    var wanted: [Int] = []
    func read(_ owner: Graph.Owner, _ facts: FactSet) {
      for fact in facts.all { wanted.append(self.facts.number(owner, fact)) }
    }
    func readAllValues(of run: Run) {
      let facts: FactSet = run.sendsChanges ? .content | .isDirty : .content
      for (field, definition) in fields.enumerated() where definition.around == nil { read(.field(field), facts) }
      read(.form, .formOthers)
    }
    // A field inside a value that is not an object cannot have a value, and so need not.
    func readValuesAround(_ field: Int) {
      var around = fields[field].around
      while let outer = around {
        read(.field(outer), .ownValue)
        around = fields[outer].around
      }
    }
    // An error in a blank row does not count.
    func readBlankRows(around field: Int) {
      for around in sequence(first: field, next: { fields[$0].around }) where mayBeBlank(around) {
        read(.field(around), .isBlank)
      }
    }
    // The rows that a reader goes through, from the inside out. There are none if the reader is in such a row.
    func readRows(between inner: Int, and outer: Int) {
      var inner = inner
      while templates[inner].depth > templates[outer].depth, let list = templates[inner].list,
        let next = templates[inner].parent
      {
        read(.field(list), .rows)
        inner = next
      }
    }
    switch node {
    case .required, .output, .stepVisible, .options, .trigger: break
    case .visible(let field):
      if let around = fields[field].around { read(.field(around), .isVisible) }
      if let step = fields[field].step { read(.step(step), FactSet(step: .isVisible)) }
    case .blank(let element):
      // It reads no result of a formula, so any formula may read which rows count.
      for field in [element] + inside(element) where !fields[field].isComputed { read(.field(field), .given) }
    case .enabled(let field): if let around = fields[field].around { read(.field(around), .isEnabled) }
    case .computed(let field):
      if !fields[field].isComputed { read(.field(field), .follows) }
      for branch in fields[field].conditionalDefaults.flatMap(\.branches) {
        for member in branch.members { read(.field(member), .content) }
        if branch.readsOthers { branch.field.map { read(.field($0), .ownValue) } ?? read(.form, .formOthers) }
      }
      readValuesAround(field)
    case .value(let field):
      read(.field(field), mayBeHidden(field) ? .ownValue | .isVisible : .ownValue)
      if fields[field].element != nil { read(.field(field), .rows) }
      for child in children[field] { read(.field(child), .content) }
    case .judged(let field):
      read(.field(field), fields[field].required == nil ? .content : .content | .isRequired)
      if let parent = fields[field].parent { read(.field(parent), .isJudged) }
      if fields[field].required != nil { readValuesAround(field) }
    case .part(let part):
      for field in parts[part].fields {
        // While all fields of a group are hidden, nothing is asked.
        if parts[part].group != nil, mayBeHidden(field) { read(.field(field), .isVisible) }
        if parts[part].readsPresenceAlone {
          // The list has the number of rows.
          guard fields[field].list == nil else { continue }
          read(.field(field), fields[field].unit == nil ? .isEmpty : .isEmpty | .isJudged)
          continue
        }
        read(.field(field), .content)
        // An empty object that must be present is part of the values of all objects around it.
        guard fields[field].unit != nil else { continue }
        for inner in [field] + inside(field) where fields[inner].unit != nil { read(.field(inner), .isJudged) }
      }
      if let field = unitFields[parts[part].unit], fields[field].element != nil { read(.field(field), .rows) }
      if let field = unitFields[parts[part].unit] {
        read(.field(field), parts[part].readsOthers ? .isJudged | .ownValue : .isJudged)
      } else if parts[part].readsOthers {
        read(.form, .formOthers)
      }
    case .rule(let rule):
      if rules[rule].namesRow, let field = rules[rule].field { read(.row(fields[field].template), .index) }
      if let group = rules[rule].group {
        for field in group.fields {
          read(.field(field), mayBeHidden(field) ? .isEmpty | .isVisible : .isEmpty)
          readValuesAround(field)
        }
        break
      }
      guard let field = rules[rule].field else { break }
      // A list with rows that must be present is judged as an empty one while it is absent.
      read(.field(field), fields[field].element == nil ? .isEmpty : .isEmpty | .isJudged)
    case .check(let check):
      let field = checks[check].field
      read(.field(field), .content | .isDirty | .isTouched | .isEdited)
      read(.check(check), .isWanted)
      readBlankRows(around: field)
      if checks[check].run.sendsAllValues { readAllValues(of: checks[check].run) }
      if !parts.isEmpty { read(.field(field), .objectErrors) }
      if fields[field].duplicateError != nil { read(.field(field), .isDuplicate) }
      if fields[field].judgesChoices { read(.field(field), .isNotOffered) }
      // A field with many rules and many checks has many pairs of them.
      guard budget.spend(fields[field].rules.count) else { break }
      for rule in fields[field].rules { read(.rule(rule), .outcome) }
      // An error inside an object is an error of the object.
      for inner in inside(field) {
        read(.field(inner), .schemaErrors | .objectErrors | .isRequired)
        if fields[inner].unit != nil { read(.field(inner), .isJudged) }
        if fields[inner].duplicateError != nil { read(.field(inner), .isDuplicate) }
        if fields[inner].judgesChoices { read(.field(inner), .isNotOffered) }
        guard budget.spend(fields[inner].rules.count) else { break }
        for rule in fields[inner].rules { read(.rule(rule), .outcome) }
      }
    case .field(let field):
      read(.field(field), .isEmpty | .isTouched | .isEdited | .attention)
      if fields[field].trustsInitial { read(.field(field), .isDirty | .follows) }
      readBlankRows(around: field)
      if fields[field].property != nil { read(.field(field), .schemaErrors) }
      if !parts.isEmpty { read(.field(field), .objectErrors) }
      if mayBeHidden(field) { read(.field(field), .isVisible) }
      if fields[field].required != nil {
        read(.field(field), .isRequired)
        readValuesAround(field)
      }
      // The members that an object requires are required only if the object itself is present.
      if let parent = fields[field].parent, fields[field].unit == nil { read(.field(parent), .isJudged) }
      for rule in fields[field].rules { read(.rule(rule), .outcome) }
      for other in fields[field].groups.flatMap(\.fields) {
        read(.field(other), mayBeHidden(other) ? .isTouched | .isVisible : .isTouched)
      }
      for check in fields[field].checks { read(.check(check), .progress) }
      for lookup in fields[field].lookups {
        read(.lookup(lookup), FactSet(lookup: .isLoading))
        readRows(between: lookups[lookup].template, and: fields[field].template)
      }
      for child in children[field] { readStatus(of: child, read) }
      if fields[field].element != nil { read(.field(field), .rows) }
      if fields[field].duplicateError != nil { read(.field(field), .isDuplicate) }
      if fields[field].judgesChoices { read(.field(field), .isNotOffered | .options) }
    case .formErrors:
      for (rule, definition) in rules.enumerated() where definition.field == nil { read(.rule(rule), .outcome) }
      read(.form, .formObjectErrors)
    case .form:
      for (field, definition) in fields.enumerated() where definition.around == nil { readStatus(of: field, read) }
      read(.form, FactSet(form: .errors))
      if hasBlockingFailures {
        for field in fields.indices { read(.field(field), fields[field].element == nil ? .errors : .errors | .rows) }
      }
    case .step(let step): for field in steps[step].fields { readStatus(of: field, read) }
    case .lookup(let lookup):
      if lookups[lookup].run.sendsAllValues { readAllValues(of: lookups[lookup].run) }
      // An argument that reads a field without a value, or a hidden field, is absent whatever its formula gives.
      for field in lookups[lookup].run.formulas.flatMap(\.readFields) {
        read(.field(field), mayBeHidden(field) ? .isEmpty | .isVisible : .isEmpty)
      }
    case .action(let action):
      if actions[action].enabled == nil { read(.form, FactSet(form: .isValid)) }
      // A check whose service failed does not disable it; every other error does.
      guard actions[action].isEnabledByDefault, hasBlockingFailures else { break }
      switch actions[action].scope {
      case .none: break
      case .form: read(.form, .formHasOnlyFailures)
      case .fields(let outmost):
        for field in outmost.flatMap({ [$0] + inside($0) }) { read(.field(field), .errors | .isPending | .rows) }
      }
    case .offered(let field):
      read(.field(field), .content | .isEmpty | .schemaErrors | .options | .isDirty)
      for lookup in fields[field].lookups {
        read(.lookup(lookup), FactSet(lookup: .isLoading) | FactSet(lookup: .error))
        readRows(between: lookups[lookup].template, and: fields[field].template)
      }
    case .unique(let field):
      read(.field(field), .content)
      // Blank rows of the list change its rows, too.
      if let list = templates[fields[field].template].list { read(.field(list), .rows) }
    case .column(let column):
      let (output, template, _) = slots.columns[column]
      read(.output(output), .output)
      readRows(between: outputs[output].template, and: template)
    case .above(let above):
      let field = slots.aboves[above].field
      read(.field(field), .value)
      read(.row(fields[field].template), .index)
    }
    for formula in formulas(of: node) {
      for slot in formula.reads { if let fact = factsOfSlots[slot] { wanted.append(fact) } }
    }
    return wanted
  }

  private func readStatus(of field: Int, _ read: (Graph.Owner, FactSet) -> Void) {
    read(.field(field), canBePending[field] ? .isValid | .isPending : .isValid)
  }
}
