internal import Budgets
internal import CEL
internal import DocumentProperties
internal import JSON

/// The facts that each node reads.
extension GraphBuilder {
  /// The facts that a node reads, some of them more than once: first the reads of the engine for it, then the reads of
  /// its formulas. A fact that never changes is not read.
  func readFacts(of node: Graph.Node) -> [Int] {
    var reads = NodeReads(numbers: facts)
    addReadsOfEngine(for: node, to: &reads)
    for formula in formulas(of: node) {
      for slot in formula.reads { if let fact = factsOfSlots[slot] { reads.facts.append(fact) } }
    }
    return reads.facts
  }

  private func addReadsOfEngine(for node: Graph.Node, to reads: inout NodeReads) {
    switch node {
    case .required, .output, .stepVisible, .options, .trigger: break
    case .visible(let field): addReads(ofVisible: field, to: &reads)
    case .blank(let element): addReads(ofBlank: element, to: &reads)
    case .enabled(let field): if let around = fields[field].around { reads.add(.field(around), .isEnabled) }
    case .computed(let field): addReads(ofComputed: field, to: &reads)
    case .value(let field): addReads(ofValue: field, to: &reads)
    case .judged(let field): addReads(ofJudged: field, to: &reads)
    case .objectKeyword(let index): addReads(ofObjectKeyword: index, to: &reads)
    case .rule(let rule): addReads(ofRule: rule, to: &reads)
    case .check(let check): addReads(ofCheck: check, to: &reads)
    case .field(let field): addReads(ofStatus: field, to: &reads)
    case .formErrors: addReadsOfFormErrors(to: &reads)
    case .form: addReadsOfForm(to: &reads)
    case .step(let step): for field in steps[step].fields { addStatus(of: field, to: &reads) }
    case .lookup(let lookup): addReads(ofLookup: lookup, to: &reads)
    case .action(let action): addReads(ofAction: action, to: &reads)
    case .offered(let field): addReads(ofOffered: field, to: &reads)
    case .unique(let field): addReads(ofUnique: field, to: &reads)
    case .column(let column): addReads(ofColumn: column, to: &reads)
    case .above(let above): addReads(ofAbove: above, to: &reads)
    }
  }

  // MARK: Values

  private func addReads(ofVisible field: Int, to reads: inout NodeReads) {
    if let around = fields[field].around { reads.add(.field(around), .isVisible) }
    if let step = fields[field].step { reads.add(.step(step), FactSet(step: .isVisible)) }
  }

  private func addReads(ofBlank element: Int, to reads: inout NodeReads) {
    // It reads no result of a formula, so any formula may read which rows count.
    for field in [element] + inside(element) where !fields[field].isComputed { reads.add(.field(field), .given) }
  }

  private func addReads(ofComputed field: Int, to reads: inout NodeReads) {
    if !fields[field].isComputed { reads.add(.field(field), .follows) }
    for branch in fields[field].conditionalDefaults.flatMap(\.branches) {
      for member in branch.members { reads.add(.field(member), .content) }
      if branch.readsOtherMembers {
        branch.field.map { reads.add(.field($0), .ownValue) } ?? reads.add(.form, .otherMembers)
      }
    }
    addValues(around: field, to: &reads)
  }

  private func addReads(ofValue field: Int, to reads: inout NodeReads) {
    reads.add(.field(field), mayBeHidden(field) ? .ownValue | .isVisible : .ownValue)
    if fields[field].element != nil { reads.add(.field(field), .rows) }
    for child in children[field] { reads.add(.field(child), .content) }
  }

  private func addReads(ofUnique field: Int, to reads: inout NodeReads) {
    reads.add(.field(field), .content)
    // Blank rows of the list change its rows, too.
    if let list = templates[fields[field].template].list { reads.add(.field(list), .rows) }
  }

  private func addReads(ofColumn column: Int, to reads: inout NodeReads) {
    let (output, template, _) = slots.columns[column]
    reads.add(.output(output), .output)
    addRows(between: outputs[output].template, and: template, to: &reads)
  }

  private func addReads(ofAbove above: Int, to reads: inout NodeReads) {
    let field = slots.aboves[above].field
    reads.add(.field(field), .value)
    reads.add(.row(fields[field].template), .index)
  }

  // MARK: The schema and rules

  private func addReads(ofJudged field: Int, to reads: inout NodeReads) {
    reads.add(.field(field), fields[field].required == nil ? .content : .content | .isRequired)
    if let parent = fields[field].parent { reads.add(.field(parent), .isJudged) }
    if fields[field].required != nil { addValues(around: field, to: &reads) }
  }

  private func addReads(ofObjectKeyword number: Int, to reads: inout NodeReads) {
    let keyword = objectKeywords[number]
    for field in keyword.fields { addMember(field, of: keyword, to: &reads) }
    let field = unitFields[keyword.unit]
    if let field, fields[field].element != nil { reads.add(.field(field), .rows) }
    if let field {
      reads.add(.field(field), keyword.readsOtherMembers ? .isJudged | .ownValue : .isJudged)
    } else if keyword.readsOtherMembers {
      reads.add(.form, .otherMembers)
    }
  }

  /// A keyword of an object reads a member.
  private func addMember(_ field: Int, of keyword: ObjectKeyword, to reads: inout NodeReads) {
    // While all fields of a group are hidden, nothing is asked.
    if keyword.group != nil, mayBeHidden(field) { reads.add(.field(field), .isVisible) }
    if keyword.readsPresenceAlone {
      // The list has the number of rows.
      guard fields[field].list == nil else { return }
      reads.add(.field(field), fields[field].unit == nil ? .isEmpty : .isEmpty | .isJudged)
      return
    }
    reads.add(.field(field), .content)
    // An empty object that must be present is part of the values of all objects around it.
    guard fields[field].unit != nil else { return }
    for inner in [field] + inside(field) where fields[inner].unit != nil { reads.add(.field(inner), .isJudged) }
  }

  private func addReads(ofRule rule: Int, to reads: inout NodeReads) {
    if rules[rule].namesRow, let field = rules[rule].field { reads.add(.row(fields[field].template), .index) }
    if let group = rules[rule].group {
      for field in group.fields {
        reads.add(.field(field), mayBeHidden(field) ? .isEmpty | .isVisible : .isEmpty)
        addValues(around: field, to: &reads)
      }
      return
    }
    guard let field = rules[rule].field else { return }
    // A list with rows that must be present is judged as an empty one while it is absent.
    reads.add(.field(field), fields[field].element == nil ? .isEmpty : .isEmpty | .isJudged)
  }

  // MARK: Checks, lookups and actions

  private func addReads(ofCheck check: Int, to reads: inout NodeReads) {
    let field = checks[check].field
    reads.add(.field(field), .content | .isDirty | .isTouched | .isEdited)
    reads.add(.check(check), .isWanted)
    addBlankRows(around: field, to: &reads)
    if checks[check].request.sendsAllValues { addAllValues(of: checks[check].request, to: &reads) }
    if !objectKeywords.isEmpty { reads.add(.field(field), .objectErrors) }
    guard addDuplicatesChoicesAndRules(of: field, to: &reads) else { return }
    // An error inside an object is an error of the object.
    for inner in inside(field) {
      reads.add(.field(inner), .schemaErrors | .objectErrors | .isRequired)
      if fields[inner].unit != nil { reads.add(.field(inner), .isJudged) }
      guard addDuplicatesChoicesAndRules(of: inner, to: &reads) else { return }
    }
  }

  /// A check reads whether a value is a duplicate or is not offered, and the results of the field's rules. A field with
  /// many rules and many checks has many pairs of them, so the budget pays for the rules.
  ///
  /// - Returns: false if the budget is spent.
  private func addDuplicatesChoicesAndRules(of field: Int, to reads: inout NodeReads) -> Bool {
    if fields[field].duplicateError != nil { reads.add(.field(field), .isDuplicate) }
    if fields[field].judgesChoices { reads.add(.field(field), .isNotOffered) }
    guard budget.spend(fields[field].rules.count) else { return false }
    for rule in fields[field].rules { reads.add(.rule(rule), .ruleResult) }
    return true
  }

  private func addReads(ofLookup lookup: Int, to reads: inout NodeReads) {
    let request = lookups[lookup].request
    if request.sendsAllValues { addAllValues(of: request, to: &reads) }
    // An argument that reads a field without a value, or a hidden field, is absent whatever its formula gives.
    for field in request.formulas.flatMap(\.readFields) {
      reads.add(.field(field), mayBeHidden(field) ? .isEmpty | .isVisible : .isEmpty)
    }
  }

  private func addReads(ofAction action: Int, to reads: inout NodeReads) {
    if actions[action].enabled == nil { reads.add(.form, FactSet(form: .isValid)) }
    // A check whose service failed does not disable it; every other error does.
    guard actions[action].isEnabledByDefault, hasBlockingFailures else { return }
    switch actions[action].scope {
    case .none: break
    case .form: reads.add(.form, .formHasOnlyFailures)
    case .fields(let outmost):
      for field in outmost.flatMap({ [$0] + inside($0) }) { reads.add(.field(field), .errors | .isPending | .rows) }
    }
  }

  private func addReads(ofOffered field: Int, to reads: inout NodeReads) {
    reads.add(.field(field), .content | .isEmpty | .schemaErrors | .options | .isDirty)
    addLookups(of: field, FactSet(lookup: .isLoading) | FactSet(lookup: .error), to: &reads)
  }

  // MARK: Status

  /// The errors, the validity and the message of a field.
  private func addReads(ofStatus field: Int, to reads: inout NodeReads) {
    reads.add(.field(field), .isEmpty | .isTouched | .isEdited | .attention)
    if fields[field].trustsInitial { reads.add(.field(field), .isDirty | .follows) }
    addBlankRows(around: field, to: &reads)
    if fields[field].property != nil { reads.add(.field(field), .schemaErrors) }
    if !objectKeywords.isEmpty { reads.add(.field(field), .objectErrors) }
    if mayBeHidden(field) { reads.add(.field(field), .isVisible) }
    if fields[field].required != nil {
      reads.add(.field(field), .isRequired)
      addValues(around: field, to: &reads)
    }
    // The members that an object requires are required only if the object itself is present.
    if let parent = fields[field].parent, fields[field].unit == nil { reads.add(.field(parent), .isJudged) }
    for rule in fields[field].rules { reads.add(.rule(rule), .ruleResult) }
    for other in fields[field].groups.flatMap(\.fields) {
      reads.add(.field(other), mayBeHidden(other) ? .isTouched | .isVisible : .isTouched)
    }
    for check in fields[field].checks { reads.add(.check(check), .progress) }
    addLookups(of: field, FactSet(lookup: .isLoading), to: &reads)
    for child in children[field] { addStatus(of: child, to: &reads) }
    if fields[field].element != nil { reads.add(.field(field), .rows) }
    if fields[field].duplicateError != nil { reads.add(.field(field), .isDuplicate) }
    if fields[field].judgesChoices { reads.add(.field(field), .isNotOffered | .options) }
  }

  private func addReadsOfFormErrors(to reads: inout NodeReads) {
    for (rule, definition) in rules.enumerated() where definition.field == nil { reads.add(.rule(rule), .ruleResult) }
    reads.add(.form, .formObjectErrors)
  }

  private func addReadsOfForm(to reads: inout NodeReads) {
    for (field, definition) in fields.enumerated() where definition.around == nil { addStatus(of: field, to: &reads) }
    reads.add(.form, FactSet(form: .errors))
    guard hasBlockingFailures else { return }
    for field in fields.indices {
      reads.add(.field(field), fields[field].element == nil ? .errors : .errors | .rows)
    }
  }

  // MARK: Reads that several nodes have

  private func addStatus(of field: Int, to reads: inout NodeReads) {
    reads.add(.field(field), canBePending[field] ? .isValid | .isPending : .isValid)
  }

  private func addAllValues(of request: RequestPlan, to reads: inout NodeReads) {
    let facts: FactSet = request.sendsChanges ? .content | .isDirty : .content
    for (field, definition) in fields.enumerated() where definition.around == nil { reads.add(.field(field), facts) }
    reads.add(.form, .otherMembers)
  }

  /// A field inside a value that is not an object cannot have a value, and so need not.
  private func addValues(around field: Int, to reads: inout NodeReads) {
    var around = fields[field].around
    while let outer = around {
      reads.add(.field(outer), .ownValue)
      around = fields[outer].around
    }
  }

  /// An error in a blank row does not count.
  private func addBlankRows(around field: Int, to reads: inout NodeReads) {
    var around: Int? = field
    while let outer = around {
      if mayBeBlank(outer) { reads.add(.field(outer), .isBlank) }
      around = fields[outer].around
    }
  }

  private func addLookups(of field: Int, _ facts: FactSet, to reads: inout NodeReads) {
    for lookup in fields[field].lookups {
      reads.add(.lookup(lookup), facts)
      addRows(between: lookups[lookup].template, and: fields[field].template, to: &reads)
    }
  }

  /// The rows that a reader goes through, from the inside out. There are none if the reader is in such a row.
  private func addRows(between inner: Int, and outer: Int, to reads: inout NodeReads) {
    var inner = inner
    while templates[inner].depth > templates[outer].depth, let list = templates[inner].list,
      let next = templates[inner].parent
    {
      reads.add(.field(list), .rows)
      inner = next
    }
  }
}

/// The facts that one node reads, in the order in which they were found, with repetitions.
private struct NodeReads {
  let numbers: FactNumbers
  var facts: [Int] = []

  mutating func add(_ owner: Graph.Owner, _ facts: FactSet) {
    for fact in facts.all { self.facts.append(numbers.number(owner, fact)) }
  }
}
