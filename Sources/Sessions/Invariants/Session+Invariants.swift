internal import Budgets
internal import DocumentProperties
internal import Forms
internal import JSON
internal import JSONSchema

/// The invariants of a session between turns. The engine updates sums and flags step by step, and this code counts them
/// again.
extension Session {
  /// One sentence for each violation. It is empty when the session is consistent. For tests: it reads every cell.
  package func checkInvariants() -> [String] {
    let checker = InvariantChecker(session: self)
    forEachInstance { instance in
      checker.checkFields(of: instance)
      checker.checkLists(of: instance)
      checker.checkObjectKeywords(of: instance)
      checker.checkGroupRules(of: instance)
      checker.checkSlots(of: instance)
      checker.checkChecks(of: instance)
      checker.checkLookups(of: instance)
      checker.checkTimings(of: instance)
    }
    checker.checkRowTable()
    checker.checkSteps()
    checker.checkForm()
    checker.checkSlotsOfForm()
    checker.checkEffects()
    checker.checkActions()
    checker.checkValueBytes()
    checker.checkTimers()
    checker.checkInputTexts()
    checker.checkPresences()
    checker.checkEdits()
    return checker.problems
  }
}

/// Collects the violations of one session.
final class InvariantChecker {
  let session: Session
  var problems: [String] = []

  var form: Form { session.form }

  init(session: Session) {
    self.session = session
  }

  func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
    if !condition { problems.append(problem()) }
  }

  // MARK: Fields and counters

  func checkFields(of instance: Instance) {
    for index in instance.ownFields {
      let field = form.fields[index]
      let state = instance.fields[index]
      let flags = state.flags
      let name = instance.address(of: index)
      let hasFieldsBelow = field.unit != nil
      let below = instance.fieldsBelow(index)
      func any(_ flag: FieldFlags) -> Bool { below.contains { $0.state.pointee.flags.contains(flag) } }
      let isVisible = flags.contains(.isVisible)
      let isPending =
        any(.isPending)
        || isVisible
          && (instance.loadsOptions(of: index)
            || field.checks.contains { instance.instanceExtras?.checks[$0].machine.isPending ?? false })
      let blocks =
        state.errors.contains { form.blocks($0) } || below.contains { !$0.state.pointee.flags.contains(.isValid) }
      expect(
        flags.contains(.isPending) == isPending,
        "\(name): isPending is \(!isPending), its checks say \(isPending)"
      )
      expect(
        flags.contains(.isValid) == (!isPending && !blocks),
        "\(name): isValid is \(flags.contains(.isValid)), pending \(isPending), blocked \(blocks)"
      )
      let hasValue = state.value != nil || below.contains { !$0.state.pointee.flags.contains(.isEmpty) }
      let isEmpty = !hasValue || !isVisible
      expect(flags.contains(.isEmpty) == isEmpty, "\(name): isEmpty is \(!isEmpty)")
      expect(!isEmpty || flags.contains(.readsAsAbsent), "\(name): empty, and formulas still read it")
      expect(!isEmpty || state.schemaErrors.isEmpty, "\(name): empty, with errors of its schema")
      expect(isVisible || state.errors.isEmpty, "\(name): hidden, with errors")
      let hasOwnDifference =
        flags.contains(.beganFollowing)
        ? !flags.contains(.follows)
        : differs(
          beside(state.value, index, instance),
          from: beside(instance.initialValue(of: index), index, instance),
          isUnordered: field.isUnordered
        )
      let isDirtyItself = instance.isList(index) && instance.list(of: index).differs || hasOwnDifference
      expect(
        flags.isDisjoint(with: [.follows, .beganFollowing]) || field.mayFollow,
        "\(name): follows a formula or a default, and has none"
      )
      expect(
        !field.isComputed || flags.isSuperset(of: [.follows, .beganFollowing]),
        "\(name): is computed, and does not follow its formula"
      )
      expect(
        !flags.contains(.follows) || flags.contains(.beganFollowing),
        "\(name): follows its formula, and did not in the beginning"
      )
      let isDirty = isDirtyItself || !field.isUnordered && any(.isDirty)
      expect(flags.contains(.isDirty) == isDirty, "\(name): isDirty is \(!isDirty)")
      expect(!any(.isTouched) || flags.contains(.isTouched), "\(name): something below is touched, and it is not")
      expect(!any(.isEdited) || flags.contains(.isEdited), "\(name): something below is edited, and it is not")
      expect(!any(.isFocused) || flags.contains(.isFocused), "\(name): is not being edited, and something below is")
      expect(!flags.contains(.revealsNow), "\(name): revealsNow outlives the turn")
      let isOffered = !instance.knowsOptions(of: index) || instance.isOffered(index)
      expect(flags.contains(.isNotOffered) == !isOffered, "\(name): isNotOffered is \(isOffered)")
      if let displayed = state.displayed {
        expect(state.errors.contains { $0 == displayed }, "\(name): shows a message of no current error")
      }
      if let around = LiveField(index, in: instance).around {
        let flagsAround = around.state.pointee.flags
        expect(!isVisible || flagsAround.contains(.isVisible), "\(name): shown inside of a hidden field")
        expect(
          !flags.contains(.isEnabled) || flagsAround.contains(.isEnabled),
          "\(name): enabled inside of a disabled field"
        )
        expect(
          state.value == nil || !around.instance.isNoObject(around.field),
          "\(name): has a value, but the value around it is not an object"
        )
      }
      expect(
        instance.reason(of: index) == nil || !flags.contains(.isEnabled),
        "\(name): is enabled, and has a reason why not"
      )
      if hasFieldsBelow { checkSums(index, below, of: instance) }
    }
  }

  /// The part of a field's value that is not in the fields below it. An empty object counts as nothing, and so does the
  /// empty list of a list field.
  func beside(_ value: JSON?, _ field: Int, _ instance: Instance) -> JSON? {
    switch value {
    case .object(let members)? where members.isEmpty && form.fields[field].unit != nil && !instance.isList(field): nil
    case .array(let elements)? where elements.isEmpty && instance.isList(field): nil
    default: value
    }
  }

  private func checkSums(_ field: Int, _ below: [LiveField], of instance: Instance) {
    let sums = instance.sums[Int(instance.tables.pointee.fields[field].sums)]
    let name = instance.address(of: field)
    func count(_ isCounted: (FieldFlags) -> Bool) -> Int { below.filter { isCounted($0.state.pointee.flags) }.count }
    let counts: [(name: String, kept: Int32, counted: Int)] = [
      ("empty", sums.empty, instance.isList(field) ? 0 : count { $0.contains(.isEmpty) }),
      ("invalid", sums.invalid, count { !$0.contains(.isValid) }),
      ("pending", sums.pending, count { $0.contains(.isPending) }),
      ("dirty", sums.dirty, count { $0.contains(.isDirty) }),
      ("focused", sums.focused, count { $0.contains(.isFocused) }),
    ]
    for (what, kept, counted) in counts where Int(kept) != counted {
      problems.append("\(name): \(what) is \(kept), counted \(counted)")
    }
    let flags = instance.fields[field].flags
    let parent = form.fields[field].parent
    let isJudgedAround = parent.map { instance.fields[$0].flags.contains(.isJudged) } ?? (instance.template == 0)
    let isDueByFormula = flags.contains(.isRequiredByFormula) && instance.isReachable(field)
    let isDue = flags.contains(.isRequired) && (isJudgedAround || isDueByFormula)
    let isNoObject = instance.isNoObject(field) || instance.fields[field].value == .null
    let isJudged = flags.contains(.isVisible) && !isNoObject && (!flags.contains(.isEmpty) || isDue)
    expect(flags.contains(.isJudged) == isJudged, "\(name): isJudged is \(!isJudged)")
  }

  // MARK: Rows

  func checkLists(of instance: Instance) {
    for list in instance.lists {
      let name = instance.address(of: list.field)
      if !list.rows.isEmpty { expect(instance.fields[list.field].value == [], "\(name): has rows, but is not a list") }
      var index = 0
      for (position, row) in list.rows.enumerated() {
        // To ask for the position would look for the row, and hide an old one from the next input.
        expect(row.lastPosition >= 0, "\(name): the row \(row.id) at \(position) is not found")
        expect(
          !row.counts || list.countsAll || row.storedIndex == index,
          "\(name): the row \(row.id) has the index \(index), and says \(row.storedIndex)"
        )
        let isIgnored = form.fields[list.field].ignoresBlankRows && !row.hasContent
        expect(row.isBlank == isIgnored, "\(name): the row \(row.id) says that isBlank is \(row.isBlank)")
        expect(row.list === list && row.list.owner === instance, "\(name): the row \(row.id) is elsewhere")
        expect(!row.isGone && !row.isNew, "\(name): the row \(row.id) is gone or new")
        expect(row.before == nil, "\(name): what row \(row.id) held outlives the turn")
        if row.counts { index += 1 }
      }
      expect(list.ids == list.rows.map(\.id), "\(name): the rows have the identities \(list.ids)")
      let countsAll = index == list.rows.count
      expect(list.countsAll == countsAll, "\(name): countsAll is \(!countsAll)")
      expect(list.notes == nil, "\(name): what the list held outlives the turn")
      let isInitial = list.rows.map(\.id) == list.initial.map(\.id)
      expect(list.hasInitialRows == isInitial, "\(name): hasInitialRows is \(!isInitial)")
    }
  }

  func checkRowTable() {
    var rows: Set<Int> = []
    session.forEachInstance { instance in
      guard let row = instance.row else { return }
      expect(rows.insert(row.id).inserted, "two rows are \(row.id)")
      expect(session.extras?.rows[row.id] === row, "the row \(row.id) is not found")
    }
    expect(session.rowCount == rows.count, "\(session.rowCount) rows are found, and there are \(rows.count)")
  }

  func checkSteps() {
    for (number, step) in form.steps.enumerated() {
      let state = session.steps[number]
      func count(_ isCounted: (FieldFlags) -> Bool) -> Int {
        step.fields.count { isCounted(session.fields[$0].flags) }
      }
      let counts: [(name: String, kept: Int32, counted: Int)] = [
        ("invalid", state.invalid, count { !$0.contains(.isValid) }),
        ("pending", state.pending, count { $0.contains(.isPending) }),
        ("touched", state.touched, count { $0.contains(.isTouched) }),
      ]
      for (name, kept, counted) in counts where Int(kept) != counted {
        problems.append("step \(step.id): \(name) is \(kept), counted \(counted)")
      }
      let isTouched = state.flags.contains(.isTouched)
      expect(isTouched == (state.touched > 0), "step \(step.id): isTouched is \(isTouched)")
      expect(state.isPending == (state.pending > 0), "step \(step.id): isPending is \(state.isPending)")
      expect(
        state.isValid == (state.invalid == 0 && state.pending == 0),
        "step \(step.id): isValid is \(state.isValid)"
      )
      if !state.flags.contains(.isVisible) {
        for field in step.fields where session.fields[field].flags.contains(.isVisible) {
          problems.append("\(form.fields[field].address): shown in the hidden step \(step.id)")
        }
      }
    }
    let chosen = form.steps.indices.count { session.steps[$0].flags.contains(.isChosen) }
    expect(chosen <= 1, "the user is at \(chosen) steps")
  }

  /// Compares with the initial value as the engine does: texts by UTF-8, other values as JSON.
  func differs(_ value: JSON?, from initial: JSON?, isUnordered: Bool) -> Bool {
    switch (value, initial) {
    case (nil, nil): false
    case (.array(let elements)?, .array(let others)?) where isUnordered: elements.sortedTexts != others.sortedTexts
    case (let value?, let initial?): value != initial
    default: true
    }
  }

  func checkForm() {
    func count(without flag: FieldFlags) -> Int {
      form.children(of: nil).filter { !session.fields[$0].flags.contains(flag) }.count
    }
    let invalid = count(without: .isValid)
    let pending = form.topLevelCount - count(without: .isPending)
    let dirty = form.topLevelCount - count(without: .isDirty)
    expect(Int(session.invalidCount) == invalid, "invalidCount is \(session.invalidCount), counted \(invalid)")
    expect(Int(session.pendingCount) == pending, "pendingCount is \(session.pendingCount), counted \(pending)")
    expect(Int(session.dirtyCount) == dirty, "dirtyCount is \(session.dirtyCount), counted \(dirty)")
    let isValid = invalid == 0 && pending == 0 && !session.formErrors.contains { form.blocks($0) }
    expect(session.flags.contains(.isValid) == isValid, "the form's isValid is \(!isValid)")
    expect(session.flags.contains(.isPending) == (pending > 0), "the form's isPending is \(pending == 0)")
    let isDirty = dirty > 0 || session.extras?.otherMembers.now != session.extras?.otherMembers.initial
    expect(session.flags.contains(.isDirty) == isDirty, "the form's isDirty is \(!isDirty)")
  }

  /// A group of fields has an error at the object around them, and at each that has a value, or at all. It has none
  /// while all fields are hidden.
  private func errorCount(ofGroup keyword: ObjectKeyword, in instance: Instance) -> Int {
    let given = keyword.fields.count { instance.value(of: $0, .judged) != nil }
    return keyword.fields.contains { instance.fields[$0].flags.contains(.isVisible) }
      ? 1 + (given == 0 ? keyword.fields.count : given) : 0
  }

  /// An object-level keyword sees only the values that it reads. With all values of its object it must find as many
  /// errors.
  func checkObjectKeywords(of instance: Instance) {
    for (index, keyword) in form.objectKeywords.enumerated() {
      let unit = form.units[keyword.unit]
      guard unit.field.map({ form.fields[$0].template }) ?? 0 == instance.template else { continue }
      let kept = (instance.instanceExtras?.objectKeywordTargets[index] ?? []).compactMap(session.instance)
        .flatMap { $0.instanceExtras?.objectKeywordErrors[index] ?? [] }
      // An incomplete list gives the count of all errors, which has a test of its own.
      if kept.contains(where: { form.code(of: $0.error) == "more" }) { continue }
      var failures = 0
      if unit.field.map({ instance.fields[$0].flags.contains(.isJudged) }) ?? true {
        let value =
          unit.field.map { instance.value(of: $0, .judged) ?? (instance.isList($0) ? [] : [:]) }
          ?? .object(session.rootValue(.judged))
        var budget = WorkBudget(units: Engine.turnBudget)
        failures =
          unit.object.failures(
            of: value,
            keyword: keyword.number,
            limit: Engine.errorsCountedMaxUsual,
            budget: &budget
          ).count
      }
      if keyword.group != nil, failures > 0 { failures = errorCount(ofGroup: keyword, in: instance) }
      expect(failures == kept.count, "schema\(keyword.location): \(kept.count) errors, counted \(failures)")
    }
  }

  /// A rule about a group of fields is judged by the fields as they are now, and its error stands where they say.
  func checkGroupRules(of instance: Instance) {
    for index in form.templates[instance.template].rules {
      let rule = form.rules[index]
      guard let group = rule.group, rule.when == nil else { continue }
      func has(_ flag: FieldFlags, _ field: Int) -> Bool { instance.fields[field].flags.contains(flag) }
      let given = group.fields.count { !has(.isEmpty, $0) }
      let isRight = instance.satisfies(group)
      expect((instance.rules[index] == .passed) == isRight, "rule \(rule.id): \(given) fields have values")
      for field in group.fields where has(.isVisible, field) && !instance.isIgnored {
        let isExpected = !isRight && group.kind.concerns(isEmpty: has(.isEmpty, field), isAnyGiven: given > 0)
        let isThere = instance.fields[field].errors.contains { form.isError($0, of: group, at: field) }
        expect(isThere == isExpected, "\(instance.address(of: field)): its error of the rule \(rule.id)")
      }
    }
  }

  func checkValueBytes() {
    var values = session.context.map { JSON.object($0) }.bytes
    var computed = session.formErrors.bytes
    computed += form.actions.indices.reduce(0) { $0 + (session.actions[$1].outcome?.bytes ?? 0) }
    for answers in session.extras?.answers.values ?? [:].values { computed += answers.bytes }
    for (_, error) in session.extras?.formServerErrors ?? [] { computed += error.ownBytes }
    computed += session.extras?.faults.bytes ?? 0
    computed += (session.extras?.setAside).map { JSON.object($0) }.bytes
    computed += session.extras?.presences.bytes ?? 0
    computed += session.extras?.edits?.bytes ?? 0
    computed += session.extras?.reasons.values.reduce(0) { $0 + String?($1).bytesOfReason } ?? 0
    for others in [session.extras?.otherMembers.now, session.extras?.otherMembers.initial] {
      values += others.map { JSON.object($0) }.bytes
    }
    session.forEachInstance { instance in
      for field in instance.ownFields {
        let bytes = instance.fields[field].value.bytes
        if instance.fields[field].flags.contains(.follows) { computed += bytes } else { values += bytes }
        computed += instance.fields[field].errors.bytes
      }
      values += instance.initialValueBytes
      for delay in instance.instanceExtras?.delays.values ?? [:].values {
        values += delay.held?.all.reduce(0) { $0 + session.heldBytes(of: $1.change) } ?? 0
      }
      for output in instance.ownOutputs { computed += instance.outputs[output].bytes }
      for list in instance.lists { values += list.initialBytes }
      if let instanceExtras = instance.instanceExtras {
        computed +=
          instanceExtras.checks.reduce(0) { $0 + $1.bytes } + instanceExtras.lookups.reduce(0) { $0 + $1.bytes }
        computed += instanceExtras.serverErrorBytes + instanceExtras.ownBytes
      }
      computed += instance.row?.structureBytes ?? 0
    }
    expect(session.valueBytes == values, "valueBytes is \(session.valueBytes), counted \(values)")
    expect(session.computedBytes == computed, "computedBytes is \(session.computedBytes), counted \(computed)")
  }

  /// The edits are in order, their bytes are counted, and each row that can come back is in one of them.
  func checkEdits() {
    guard let edits = session.extras?.edits else { return }
    let all = edits.undo + edits.redo
    for numbers in [edits.undo.map(\.number), edits.redo.map(\.number)] {
      expect(zip(numbers, numbers.dropFirst()).allSatisfy(<), "the edits have the numbers \(numbers)")
    }
    expect(!all.contains(where: \.isEmpty), "an edit has nothing to take back")
    let bytes = all.reduce(0) { $0 + $1.bytes }
    expect(edits.bytes == bytes, "the edits have \(edits.bytes) bytes, counted \(bytes)")
    var rows: [Int] = []
    for row in all.flatMap(\.lists).flatMap(\.gone) {
      row.forEachInstance { if let row = $0.row { rows.append(row.id) } }
    }
    expect(
      rows.sorted() == edits.rows.keys.sorted(),
      "the rows \(edits.rows.keys.sorted()) can come back, counted \(rows)"
    )
    expect(edits.rows.values.allSatisfy(\.isGone), "a row that can come back is there")
    expect(edits.rows.keys.allSatisfy { session.instance(of: $0) == nil }, "a row is there twice")
    for old in all.flatMap(\.values) {
      expect(
        session.instance(of: old.row) != nil || edits.rows[old.row] != nil,
        "an edit names a row that is gone for good"
      )
    }
    expect(session.flags.contains(SessionFlags(.canUndo)) == !edits.undo.isEmpty, "canUndo is wrong")
    expect(session.flags.contains(SessionFlags(.canRedo)) == !edits.redo.isEmpty, "canRedo is wrong")
  }

  /// Inputs show the text that was typed, or the value.
  func checkInputTexts() {
    guard session.form.readsTyped else { return }
    session.forEachField { live in
      guard live.instance.form.fields[live.field].tellsText else { return }
      let (shown, current) = (live.instance.inputText(of: live.field), live.instance.currentText(of: live.field))
      expect(
        shown == current,
        "\(live.instance.address(of: live.field)): text is \(shown ?? "absent"), and should be \(current ?? "absent")"
      )
    }
  }

  func checkPresences() {
    var known = 0
    session.forEachField { live in
      let clients = session.extras?.presences.clients(in: live) ?? []
      known += clients.isEmpty ? 0 : 1
      let isFocused = live.state.pointee.flags.contains(.isFocused)
      expect(
        clients.isEmpty || isFocused,
        "\(live.instance.address(of: live.field)): a client is in it, but it is not being edited"
      )
      guard let around = live.around else { return }
      let outer = session.extras?.presences.clients(in: around) ?? []
      expect(
        outer.isSuperset(of: clients),
        "\(live.instance.address(of: live.field)): a client is in it, but not in the field around it"
      )
    }
    expect(known == session.extras?.presences.fieldCount ?? 0, "a client is in a field that is gone")
  }
}

extension Instance {
  /// The fields right below a field. For a list, they are the fields that represent its rows.
  fileprivate func fieldsBelow(_ field: Int) -> [LiveField] {
    if isList(field) { return list(of: field).rows.map { LiveField($0.element, in: $0) } }
    guard tables.pointee.fields.at(field).hasFieldsBelow else { return [] }
    return form.children(of: field).map { LiveField($0, in: self) }
  }
}

extension RowList {
  /// Whether the rows together differ from the beginning: see ``differsFromInitial``.
  fileprivate var differs: Bool {
    if isUnordered {
      return rows.map { owner.value(of: $0, .given) }.sortedTexts != initial.map(\.value).sortedTexts
    }
    return rows.map(\.id) != initial.map(\.id) && rows.map { owner.value(of: $0, .given) } != initial.map(\.value)
  }
}

extension [JSON] {
  /// The elements as texts, in the order of the texts. Equal numbers have equal texts.
  fileprivate var sortedTexts: [String] {
    map { "\($0.canonical)" }.sorted()
  }
}

extension JSON {
  /// The value with whole numbers as integers, and with sorted members.
  fileprivate var canonical: JSON {
    switch self {
    case .real(let number): Int64(exactly: number).map { .integer($0) } ?? self
    case .array(let elements): .array(elements.map(\.canonical))
    case .object(let members):
      .object(
        JSONObject(
          uncheckedMembers: members.map { JSONObject.Member(name: $0.name, value: $0.value.canonical) }
            .sorted { $0.name < $1.name }
        )
      )
    case .null, .bool, .integer, .decimal, .string: self
    }
  }
}
