internal import CEL
internal import DocumentProperties
internal import Formats
internal import Forms
internal import JSON
internal import JSONSchema

/// Recomputation: each stale node is computed once, in topological order. A computation returns the facts that differ
/// from before, and the nodes that read these facts become stale.
extension Engine {
  /// Computes everything that is stale.
  func propagate(_ session: Session) {
    if _slowPath(session.tables.pointee.hasRows) {
      propagateAcrossRows(session)
    } else if _slowPath(session.flags.contains(.hasFaults)) {
      propagateForgetting(session)
    } else {
      // This pass finds its errors for the first time, so old errors need not be removed.
      while let node = dirty.popLowest() {
        let (changed, first) = compute(session.tables.pointee.nodes[node], session, session)
        // Marked by one call, so that the code exists once.
        markWithoutRows(changed, from: first, session.tables)
      }
    }
    if allValues != nil || allPresence != nil { forgetAllValues() }
  }

  /// The pass for a session in which a formula goes wrong already.
  @inline(never)
  private func propagateForgetting(_ session: Session) {
    while let node = dirty.popLowest() {
      forgetFaults(of: node, in: session)
      computeOnce(session.tables.pointee.nodes[node], session, session)
    }
  }

  /// The pass for a form with rows: a node of a row is computed in each row in which it is stale.
  @inline(never)
  private func propagateAcrossRows(_ session: Session) {
    if !rowWork.staleLists.isEmpty { updateStaleLists() }
    while let node = dirty.popLowest() {
      let kind = session.tables.pointee.nodes[node]
      if session.tables.pointee.nodeTemplates[node] == 0 {
        if session.flags.contains(.hasFaults) { forgetFaults(of: node, in: session) }
        computeOnce(kind, session, session)
        continue
      }
      let rows = takeStaleRows(node)
      for row in rows where !row.isGone {
        if session.flags.contains(.hasFaults) { forgetFaults(of: node, in: row) }
        computeOnce(kind, row, session)
      }
      guard case .visible = kind else { continue }
      for row in rows where !row.isGone && row.list.isIndexStale { updateIndex(of: row.list) }
    }
  }

  /// ``compute(_:_:_:)`` as a separate call.
  @inline(never)
  private func computeOnce(_ node: Graph.Node, _ instance: Instance, _ session: Session) {
    let (changed, first) = compute(node, instance, session)
    mark(changed, from: first, instance)
  }

  /// Computes a node.
  ///
  /// - Returns: the facts that have changed, and the number of the first fact of their owner.
  @inline(__always)
  private func compute(
    _ node: Graph.Node,
    _ instance: Instance,
    _ session: Session
  ) -> (changed: FactSet, first: Int) {
    let tables = session.tables
    return switch node {
    case .value(let field): (computeValue(field, instance), tables.pointee.facts.first(ofField: field))
    case .rule(let rule): (computeRule(rule, instance), tables.pointee.facts.first(ofRule: rule))
    case .field(let field): (computeField(field, instance), tables.pointee.facts.first(ofField: field))
    case .form: (computeForm(session), tables.pointee.facts.firstOfForm)
    case .action(let action): (computeAction(action, session), 0)
    case .output(let output): (computeOutput(output, instance), tables.pointee.facts.first(ofOutput: output))
    default: (computeOther(node, instance, session), 0)
    }
  }

  /// Computes the nodes that few inputs need. They are separate, so that their code does not slow down the common
  /// nodes.
  ///
  /// - Returns: no facts, because they are marked already.
  @inline(never)
  private func computeOther(_ node: Graph.Node, _ instance: Instance, _ session: Session) -> FactSet {
    switch node {
    case .value, .rule, .field, .form, .action, .output: preconditionFailure("\(node) is computed with the others")
    case .visible(let field): computeVisible(field, instance)
    case .stepVisible(let step): computeStepVisible(step, session)
    case .enabled(let field): computeEnabled(field, instance)
    case .required(let field): computeRequired(field, instance)
    case .computed(let field): changed(computeFormulaValue(field, instance), ofField: field, in: instance)
    case .judged(let field): changed(computeJudged(field, instance), ofField: field, in: instance)
    case .part(let part): computePart(part, instance)
    case .check(let check): changed(computeCheck(check, instance), ofCheck: check, in: instance)
    case .formErrors: formChanged(computeFormErrors(session), in: session)
    case .step(let step): computeStep(step, session)
    case .lookup(let lookup): changed(computeLookup(lookup, instance), ofLookup: lookup, in: instance)
    case .column(let column): changed(computeColumn(column, instance), ofColumn: column, in: instance)
    case .unique(let field): computeDuplicates(of: field, instance)
    case .options(let field): changed(computeOptions(of: field, instance), ofField: field, in: instance)
    case .offered(let field): changed(computeOffered(field, instance), ofField: field, in: instance)
    }
    return .none
  }

  /// Computes a node again and reports its errors again. Not inlined, because hardly any session needs it.
  @inline(never)
  private func forgetFaults(of node: Int, in instance: Instance) {
    instance.session.extras?.faults.forget(Int32(truncatingIfNeeded: node), in: instance.rowID)
  }

  /// Not inlined, because ``propagate(_:)`` rarely needs it.
  @inline(never)
  private func forgetAllValues() {
    allValues = nil
    allPresence = nil
  }

  // MARK: A field's own formulas

  private func computeVisible(_ field: Int, _ instance: Instance) {
    let isVisible =
      isShown(around: LiveField(field, in: instance)) && isInShownStep(field, instance)
      && instance.form.fields[field].visible.map { isTrue($0, in: instance) } ?? true
    guard set(.isVisible, of: field, to: isVisible, in: instance) else { return }
    forgetAllValues()
    if let row = instance.row, field == row.element {
      row.list.isIndexStale = true
      row.list.gatheredColumns = []
      changed(.rows, ofField: row.list.field, in: row.list.owner)
    }
  }

  /// Whether everything around a field is shown.
  private func isShown(around live: LiveField) -> Bool {
    live.around.map { $0.state.pointee.flags.contains(.isVisible) } ?? true
  }

  private func computeEnabled(_ field: Int, _ instance: Instance) {
    let isOpen = LiveField(field, in: instance).around.map { $0.state.pointee.flags.contains(.isEnabled) } ?? true
    let definition = instance.form.fields[field]
    let isEnabled =
      isOpen && !definition.isReadOnly && definition.enabled.map { isTrue($0, in: instance) } ?? true
    set(.isEnabled, of: field, to: isEnabled, in: instance)
  }

  private func computeRequired(_ field: Int, _ instance: Instance) {
    let definition = instance.form.fields[field]
    let state = instance.fields + field
    let isRequiredByFormula = definition.required.map { isTrue($0, in: instance) } ?? false
    let before = state.pointee.flags
    if isRequiredByFormula {
      state.pointee.flags.insert(.isRequiredByFormula)
    } else {
      state.pointee.flags.remove(.isRequiredByFormula)
    }
    let isOther = state.pointee.flags != before
    let isRequired = definition.isRequiredBySchema || isRequiredByFormula
    // Errors depend on what requires the value, too.
    if !set(.isRequired, of: field, to: isRequired, in: instance), isOther {
      changed(.isRequired, ofField: field, in: instance)
    }
  }

  // MARK: Values

  @inline(__always)
  private func computeValue(_ field: Int, _ instance: Instance) -> FactSet {
    let tables = instance.tables
    let entry = tables.pointee.fields + field
    let state = instance.fields + field
    let before = state.pointee.flags
    let value = instance.storage(ofValue: field)
    // A field with fields below it has a value while a field below it has one.
    let isEmpty =
      value.borrowed.pointee.isNil()
      && (entry.pointee.group < 0 || instance.groups[Int(entry.pointee.group)].absent == entry.pointee.childCount)
    let isAbsent = !before.contains(.isVisible) || isEmpty
    // It is computed only when its own value, a value below it, or its visibility has changed.
    var changed: FactSet = entry.pointee.isContentRead ? .content : .none

    var hasWrongType = false
    if !isAbsent, entry.pointee.property >= 0, _slowPath(!isValidBySchema(field, entry, instance)) {
      let hasOthers: Bool
      (hasOthers, hasWrongType) = judgeBySchema(field, instance)
      if hasOthers { changed |= .schemaErrors }
    } else if _slowPath(!state.pointee.schemaErrors.isEmpty) {
      state.pointee.schemaErrors = .none
      changed |= .schemaErrors
    }
    let readsAsAbsent = isAbsent || hasWrongType
    if readsAsAbsent != before.contains(.readsAsAbsent) {
      state.pointee.flags.formSymmetricDifference(.readsAsAbsent)
      changed |= .presence
    }
    if set(.isEmpty, of: field, to: isAbsent, in: instance), entry.pointee.parent >= 0 {
      countAbsent(isAbsent, in: Int(entry.pointee.parent), instance)
    }
    if entry.pointee.valueSlot >= 0, storeValue(of: field, entry, isAbsent: readsAsAbsent, instance) {
      changed |= .value
    }
    return changed
  }

  /// Stores a field's value for formulas. Returns whether it differs from before.
  @inline(__always)
  private func storeValue(
    of field: Int,
    _ entry: UnsafePointer<FormTables.FieldEntry>,
    isAbsent: Bool,
    _ instance: Instance
  ) -> Bool {
    let slot = entry.pointee.valueSlot
    if isAbsent { return store(.null, in: slot, of: instance) }
    if _slowPath(entry.pointee.group >= 0) { return storeWhole(of: field, in: slot, instance) }
    let value = instance.storage(ofValue: field)
    if let differs = value.borrowed.pointee.withText({ store($0, in: slot, of: instance) }) { return differs }
    return storeOther(value, entry, instance)
  }

  /// Stores the value of a field with fields below it.
  @inline(never)
  private func storeWhole(of field: Int, in slot: Int32, _ instance: Instance) -> Bool {
    let whole = instance.value(of: field, .shown).map { Value($0) } ?? .null
    return store(whole, in: slot, of: instance)
  }

  /// Stores a value that is not a text.
  @inline(never)
  private func storeOther(
    _ value: UnsafePointer<JSON?>,
    _ entry: UnsafePointer<FormTables.FieldEntry>,
    _ instance: Instance
  ) -> Bool {
    store(value.pointee.map { entry.pointee.type.value(of: $0) } ?? .null, in: entry.pointee.valueSlot, of: instance)
  }

  private func countAbsent(_ isAbsent: Bool, in parent: Int, _ instance: Instance) {
    instance.groups[Int(instance.tables.pointee.fields[parent].group)].absent &+= isAbsent ? 1 : -1
  }

  /// Whether a value meets the schema's demands on the field alone. Keywords of an object with fields below it are
  /// judged one by one elsewhere.
  @inline(__always)
  private func isValidBySchema(_ field: Int, _ entry: UnsafePointer<FormTables.FieldEntry>, _ instance: Instance)
    -> Bool
  {
    let value = instance.storage(ofValue: field)
    // Most texts need no evaluation: the schema only bounds their length, and they are far shorter.
    let count = value.borrowed.pointee.withText { $0.utf8.count }
    if let count, count <= Int(entry.pointee.textBytesMax) { return true }
    return isValidByEvaluation(field, entry, instance)
  }

  @inline(never)
  private func isValidByEvaluation(
    _ field: Int,
    _ entry: UnsafePointer<FormTables.FieldEntry>,
    _ instance: Instance
  ) -> Bool {
    guard let value = instance.fields[field].value else { return true }
    if entry.pointee.group >= 0, !instance.isNoObject(field) { return true }
    return instance.form.units[Int(entry.pointee.owner)].object.isValid(
      value,
      property: Int(entry.pointee.property),
      budget: &budget
    )
  }

  /// Whether an object with fields below it exists for the schema. It has a value, or it is required and judged as
  /// empty, so that its members get the errors.
  private func computeJudged(_ field: Int, _ instance: Instance) -> FactSet {
    let entry = instance.tables.pointee.fields + field
    let isJudged = isJudged(field, entry, instance)
    guard isJudged != instance.fields[field].flags.contains(.isJudged) else { return .none }
    instance.fields[field].flags.formSymmetricDifference(.isJudged)
    // The keywords of every object around it see its appearance and disappearance.
    forgetAllValues()
    return .isJudged
  }

  private func isJudged(_ field: Int, _ entry: UnsafePointer<FormTables.FieldEntry>, _ instance: Instance) -> Bool {
    let flags = instance.fields[field].flags
    if instance.isNoObject(field) || instance.fields[field].value == .null { return false }
    return flags.contains(.isVisible) && (!flags.contains(.isAbsent) || mustHaveValue(field, entry, instance))
  }

  /// Whether a missing value is an error. The schema's `required` applies only to members of an object that exists. A
  /// formula's `required` applies whenever the field can have a value.
  @inline(__always)
  func mustHaveValue(_ field: Int, _ entry: UnsafePointer<FormTables.FieldEntry>, _ instance: Instance) -> Bool {
    let flags = instance.fields[field].flags
    guard flags.contains(.isRequired) else { return false }
    if entry.pointee.parent < 0 { return instance.template == 0 || instance.isReachable(field) }
    if flags.contains(.isRequiredByFormula) { return instance.isReachable(field) }
    return instance.fields[Int(entry.pointee.parent)].flags.contains(.isJudged)
  }

  /// Finds the errors of a value that the schema refuses.
  ///
  /// - Returns: whether they differ from the errors before, and whether the value's type is wrong.
  @inline(never)
  private func judgeBySchema(_ field: Int, _ instance: Instance) -> (hasOthers: Bool, hasWrongType: Bool) {
    let (errors, hasWrongType) = schemaErrors(of: field, instance)
    guard errors != instance.fields[field].schemaErrors else { return (false, hasWrongType) }
    instance.fields[field].schemaErrors = errors
    return (true, hasWrongType)
  }

  // MARK: Rules

  @inline(__always)
  private func computeRule(_ index: Int, _ instance: Instance) -> FactSet {
    let entry = instance.tables.pointee.rules + index
    let before = instance.rules[index]
    let state = evaluateRule(at: index, entry, instance)
    // The message may be another one.
    if state == before, state != .failedWithMessage, state != .failed || !instance.form.rules[index].namesRow {
      return .none
    }
    instance.rules[index] = state
    return .outcome
  }

  @inline(__always)
  private func evaluateRule(
    at index: Int,
    _ entry: UnsafePointer<FormTables.RuleEntry>,
    _ instance: Instance
  ) -> RuleState {
    if entry.pointee.field >= 0, instance.fields[Int(entry.pointee.field)].flags.contains(.readsAsAbsent),
      !instance.isJudgedAsEmptyList(Int(entry.pointee.field))
    {
      return .passed
    }
    if let when = entry.pointee.when, !when._withUnsafeGuaranteedRef({ isTrue($0, in: instance) }) { return .passed }
    switch entry.pointee.check._withUnsafeGuaranteedRef({ condition($0, in: instance) }) {
    case .yes, .absent: return .passed
    case .no: break
    case .noTruth(let value):
      report(instance.form.rules[index].check, value, in: instance)
      return .faulted
    }
    return entry.pointee.messageFormula == nil ? .failed : failWithMessage(index, instance)
  }

  @inline(never)
  private func failWithMessage(_ index: Int, _ instance: Instance) -> RuleState {
    guard let formula = instance.form.rules[index].messageFormula else { return .failed }
    let text = evaluate(formula, in: instance)
    guard case .string(let message) = text else {
      if !text.isNull { report(formula, text, in: instance) }
      return .failed
    }
    instance.madeOwn.ruleMessages[index] = message
    return .failedWithMessage
  }

  // MARK: Object-level keywords of the schema

  /// Of the facts that a keyword may write, only the facts of fields with new or removed errors change. These fields
  /// may be in rows.
  private func computePart(_ index: Int, _ instance: Instance) {
    let errors = partErrors(of: index, instance)
    let before = instance.own?.partTargets[index] ?? []
    if errors.isEmpty && before.isEmpty { return }
    for target in before.compactMap(instance.session.instance) {
      for (field, _) in target.own?.partErrors.removeValue(forKey: index) ?? [] { partErrorsChanged(field, target) }
    }
    var targets: Set<Int> = []
    for (target, field, error) in errors {
      targets.insert(target.rowID)
      target.madeOwn.partErrors[index, default: []].append((field, error))
      partErrorsChanged(field, target)
    }
    instance.madeOwn.partTargets[index] = targets.isEmpty ? nil : targets.sorted()
  }

  /// - Parameter field: -1 means the form.
  private func partErrorsChanged(_ field: Int, _ instance: Instance) {
    if field < 0 {
      formChanged(.formObjectErrors, in: instance.session)
    } else {
      changed(.objectErrors, ofField: field, in: instance)
    }
  }

  // MARK: The form as a whole

  private func computeFormErrors(_ session: Session) -> FactSet {
    let form = session.form
    var errors = ErrorList.none
    if let parts = session.own?.partErrors, !parts.isEmpty {
      for part in parts.keys.sorted() {
        for (field, error) in parts[part] ?? [] where field < 0 { errors.append(error) }
      }
    }
    for rule in form.formRules {
      if let error = error(ofRule: rule, session) { errors.append(error) }
    }
    for (_, error) in session.extras?.formServerErrors ?? [] { errors.append(error) }
    if session.flags.contains(.hasFaults) {
      for cell in session.extras?.faults.all ?? [] where !cell.formula.isJudgment {
        errors.append(.detailed(ErrorDetail(faultOf: cell.formula.cell, in: session)))
      }
    }
    guard errors != session.formErrors else { return .none }
    note(DocumentLayout.form(.errors), .errors(session.formErrors), in: session)
    session.formErrors = errors
    return FactSet(form: .errors)
  }

  private func computeForm(_ session: Session) -> FactSet {
    let isValid =
      session.invalidCount == 0 && session.pendingCount == 0 && !session.formErrors.contains { session.blocks($0) }
    set(.isValid, to: isValid, in: session)
    set(.isPending, to: session.pendingCount > 0, in: session)
    guard session.tables.pointee.hasBlockingFailures,
      session.hasOnlyFailures(in: .form) != session.flags.contains(.hasOnlyFailures)
    else { return .none }
    session.flags.formSymmetricDifference(.hasOnlyFailures)
    return .formHasOnlyFailures
  }

  private func computeAction(_ index: Int, _ session: Session) -> FactSet {
    let entry = session.tables.pointee.actions + index
    var isEnabled =
      if let formula = entry.pointee.enabled {
        formula._withUnsafeGuaranteedRef { isTrue($0, in: session) }
      } else {
        session.flags.contains(.isValid)
      }
    if !isEnabled, entry.pointee.isEnabledDespiteFailures { isEnabled = session.isStoppedByFailuresAlone(index) }
    set(.isEnabled, ofAction: index, to: isEnabled, in: session)
    return .none
  }

  /// Notes an output before it changes.
  @inline(__always)
  private func noteOutput(_ index: Int, _ old: consuming JSON?, in instance: Instance) {
    if _slowPath(instance.template != 0) { return noteOutputInRow(index, old, instance) }
    note(Int(instance.tables.pointee.firstOutputCell) &+ index, DocumentValue(old), in: instance.asSession)
  }

  @inline(never)
  private func noteOutputInRow(_ index: Int, _ old: JSON?, _ instance: Instance) {
    guard let row = instance.row else { return }
    note(row.cell(ofOutput: index), of: row, DocumentValue(old))
  }

  @inline(never)
  private func markRowOutput(_ index: Int, _ instance: Instance) {
    if let row = instance.row { rowWork.outputChanged(index, in: row) }
  }

  /// Gathers the values of an output in all rows that are shown.
  private func computeColumn(_ index: Int, _ instance: Instance) -> FactSet {
    let output = instance.form.slots.columns[index].output
    let template = instance.tables.pointee.templates[instance.form.outputs[output].template]
    let list = Int(template.parent) == instance.template ? instance.list(of: Int(template.list)) : nil
    if let list, list.gatheredColumns.contains(index) { return updateColumn(index, of: list, output) }
    list?.gatheredColumns.append(index)
    let slot = Int(instance.tables.pointee.outputs[output].slot)
    var values: [Value] = []
    if let list {
      values = [Value](unsafeUninitializedCapacity: list.rows.count) { memory, count in
        list.forEachRow { row in
          guard row.isShown else { return }
          memory.initializeElement(at: count, to: row.slots[slot])
          count += 1
        }
      }
    } else {
      instance.forEachRow(of: instance.form.outputs[output].template) { row in
        if row.isShown { values.append(row.slots[slot]) }
      }
    }
    return store(.list(values), in: instance.tables.pointee.columnSlots[index], of: instance) ? .column : .none
  }

  /// Updates a column when only values in some rows of the list have changed.
  private func updateColumn(_ index: Int, of list: RowList, _ output: Int) -> FactSet {
    let slot = Int(list.owner.tables.pointee.outputs[output].slot)
    let column = list.owner.slots + Int(list.owner.tables.pointee.columnSlots[index])
    // The values are taken out, so that they are not copied.
    var values = ListValue()
    if case .list(let all) = column.move() { values = all }
    var changed = FactSet.none
    for row in rowWork.changedOutputs[output] where row.list === list && !row.isGone && row.isShown {
      if values[row.index] == row.slots[slot] { continue }
      values[row.index] = row.slots[slot]
      changed = .column
    }
    column.initialize(to: .list(values))
    return changed
  }

  /// Finds the rows of a list in which a field's value is equal to the value in an earlier row.
  private func computeDuplicates(of field: Int, _ instance: Instance) {
    let template = instance.tables.pointee.templates[Int(instance.tables.pointee.fields[field].template)]
    let list = instance.list(of: Int(template.list))
    var seen: Set<JSON> = []
    for row in list.rows {
      let value = row.fields[field].flags.contains(.isAbsent) ? nil : row.value(of: field, .shown)
      let isDuplicate = value.map { !seen.insert($0).inserted } ?? false
      guard isDuplicate != row.fields[field].flags.contains(.isDuplicate) else { continue }
      row.fields[field].flags.formSymmetricDifference(.isDuplicate)
      changed(.isDuplicate, ofField: field, in: row)
    }
  }

  private func computeOutput(_ index: Int, _ instance: Instance) -> FactSet {
    let formula = instance.tables.pointee.outputs[index].formula
    // Most outputs are texts of the form, which are read in place.
    if let storage = formula._withUnsafeGuaranteedRef({ storage(of: $0, in: instance) }) {
      counters.evaluated()
      return setOutput(storage, index, instance)
    }
    return evaluateOutput(index, instance)
  }

  /// Stores an output whose value has to be made.
  @inline(never)
  private func evaluateOutput(_ index: Int, _ instance: Instance) -> FactSet {
    var value = evaluate(instance.tables.pointee.outputs[index].formula, in: instance)
    return withUnsafePointer(to: &value) { setOutput($0, index, instance) }
  }

  @inline(__always)
  private func setOutput(_ storage: UnsafePointer<Value>, _ index: Int, _ instance: Instance) -> FactSet {
    let slot = instance.tables.pointee.outputs[index].slot
    var changed = FactSet.none
    if slot >= 0, store(storage.pointee.isError ? .null : storage.pointee, in: slot, of: instance) {
      changed = .output
      if _slowPath(instance.template != 0) { markRowOutput(index, instance) }
    }
    // Texts need no conversion.
    let isText: Void? = storage.borrowed.pointee.withText { setOutput($0, index, instance) }
    if isText == nil { setOutput(storage.pointee, index, instance) }
    return changed
  }

  @inline(__always)
  private func setOutput(_ text: borrowing String, _ index: Int, _ instance: Instance) {
    let output = instance.outputs + index
    if output.borrowed.pointee.isText(text) { return }
    let countBefore = output.borrowed.pointee.withText { $0.utf8.count }
    let difference = countBefore.map { text.utf8.count &- $0 } ?? textBytes(text) &- output.pointee.bytes
    instance.withSession { $0.computedBytes &+= difference }
    let old = output.move()
    output.initialize(to: .string(copy text))
    noteOutput(index, old, in: instance)
  }

  @inline(never)
  private func textBytes(_ text: borrowing String) -> Int { JSON.string(copy text).approximateBytes }

  /// Stores an output that is not a text.
  @inline(never)
  private func setOutput(_ value: Value, _ index: Int, _ instance: Instance) {
    let json: JSON?
    if value.isError {
      report(instance.form.outputs[index].formula, value, in: instance)
      json = nil
    } else {
      json = value.json?.withoutNullMembers
    }
    switch (json, instance.outputs[index]) {
    case (nil, nil): return
    case (let new?, let old?) where new == old: return
    default: break
    }
    noteOutput(index, instance.outputs[index], in: instance)
    let difference = json.bytes &- instance.outputs[index].bytes
    instance.withSession { $0.computedBytes &+= difference }
    instance.outputs[index] = json
  }
}

extension FieldType {
  /// The value for formulas that a JSON value gives. It fits the schema's type.
  @inline(__always)
  func value(of json: JSON) -> Value {
    switch (self, json) {
    case (_, .string(let text)): .string(text)
    case (.number, .integer(let number)): .double(Double(number))
    case (.integer, .real(let number)): Int64(exactly: number).map { .int($0) } ?? .double(number)
    default: Value(json)
    }
  }
}
