internal import CEL
internal import Forms
internal import JSON
internal import JSONSchema
internal import TextFormats

/// What is always true of a session between turns. The engine keeps sums and flags up step by step; this counts them again.
extension Session {
  /// One sentence for everything that is wrong; empty when the session is consistent. For tests: it looks at every cell.
  package func checkInvariants() -> [String] {
    let checker = InvariantChecker(session: self)
    checker.checkFields()
    checker.checkSteps()
    checker.checkForm()
    checker.checkParts()
    checker.checkSlots()
    checker.checkChecks()
    checker.checkActions()
    checker.checkTimings()
    checker.checkValueBytes()
    checker.checkTimers()
    return checker.problems
  }
}

/// Collects what is wrong with one session.
private final class InvariantChecker {
  private let session: Session
  private(set) var problems: [String] = []

  private var form: Form { session.form }

  init(session: Session) {
    self.session = session
  }

  private func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
    if !condition { problems.append(problem()) }
  }

  // MARK: Fields and counters

  func checkFields() {
    for (index, field) in form.fields.enumerated() {
      let state = session.fields[index]
      let flags = state.flags
      let name = field.address
      let isGroup = field.unit != nil
      let below = isGroup ? Array(form.children(of: index)) : []
      func any(_ flag: FieldFlags) -> Bool { below.contains { session.fields[$0].flags.contains(flag) } }
      let isVisible = flags.contains(.isVisible)
      let isPending =
        any(.isPending) || isVisible && field.checks.contains { session.extras?.checks[$0].machine.isPending ?? false }
      let blocks =
        state.errors.contains { form.blocks($0) } || below.contains { !session.fields[$0].flags.contains(.isValid) }
      expect(
        flags.contains(.isPending) == isPending,
        "\(name): isPending is \(!isPending), its checks say \(isPending)"
      )
      expect(
        flags.contains(.isValid) == (!isPending && !blocks),
        "\(name): isValid is \(flags.contains(.isValid)), pending \(isPending), blocked \(blocks)"
      )
      let hasValue = state.value != nil || below.contains { !session.fields[$0].flags.contains(.isAbsent) }
      let isAbsent = !hasValue || !isVisible
      expect(flags.contains(.isAbsent) == isAbsent, "\(name): isAbsent is \(!isAbsent)")
      expect(!isAbsent || flags.contains(.readsAsAbsent), "\(name): absent, and formulas still read it")
      expect(!isAbsent || state.schemaErrors.isEmpty, "\(name): absent, with errors of its schema")
      expect(isVisible || state.errors.isEmpty, "\(name): hidden, with errors")
      let isDirtyItself = differs(beside(state.value, isGroup), from: beside(session.initialValue(of: index), isGroup))
      let isDirty = isDirtyItself || any(.isDirty)
      expect(flags.contains(.isDirty) == isDirty, "\(name): isDirty is \(!isDirty)")
      expect(!any(.isTouched) || flags.contains(.isTouched), "\(name): something below is touched, and it is not")
      expect(!any(.isEdited) || flags.contains(.isEdited), "\(name): something below is edited, and it is not")
      expect(!any(.isEditing) || flags.contains(.isEditing), "\(name): is not being edited, and something below is")
      expect(!flags.contains(.revealsNow), "\(name): revealsNow outlives the turn")
      if let displayed = state.displayed {
        expect(state.errors.contains { $0 == displayed }, "\(name): shows a message of no current error")
      }
      if let parent = field.parent {
        expect(
          !isVisible || session.fields[parent].flags.contains(.isVisible),
          "\(name): shown inside of what is hidden"
        )
        expect(
          !flags.contains(.isEnabled) || session.fields[parent].flags.contains(.isEnabled),
          "\(name): enabled inside of what is not"
        )
        expect(
          state.value == nil || !session.isNoObject(parent),
          "\(name): has a value, and what is around it is no object"
        )
      }
      if isGroup { checkGroup(index, below) }
    }
  }

  /// What a field has beside the fields below it; an empty object is nothing.
  private func beside(_ value: JSON?, _ isGroup: Bool) -> JSON? {
    isGroup && value?.objectValue?.isEmpty ?? false ? nil : value
  }

  private func checkGroup(_ field: Int, _ below: [Int]) {
    let group = session.groups[Int(session.tables.pointee.fields[field].group)]
    func count(_ isCounted: (FieldFlags) -> Bool) -> Int { below.filter { isCounted(session.fields[$0].flags) }.count }
    let counts: [(name: String, kept: Int32, counted: Int)] = [
      ("absent", group.absent, count { $0.contains(.isAbsent) }),
      ("invalid", group.invalid, count { !$0.contains(.isValid) }),
      ("pending", group.pending, count { $0.contains(.isPending) }),
      ("dirty", group.dirty, count { $0.contains(.isDirty) }),
      ("editing", group.editing, count { $0.contains(.isEditing) }),
    ]
    for (name, kept, counted) in counts where Int(kept) != counted {
      problems.append("\(form.fields[field].address): \(name) is \(kept), counted \(counted)")
    }
    let flags = session.fields[field].flags
    let parent = form.fields[field].parent
    let isDue =
      flags.contains(.isRequired)
      && (parent.map { session.fields[$0].flags.contains(.isJudged) } ?? true || flags.contains(.isRequiredByFormula))
    let isObject = session.fields[field].value.map { $0.objectValue != nil } ?? true
    let isJudged = flags.contains(.isVisible) && isObject && (!flags.contains(.isAbsent) || isDue)
    expect(flags.contains(.isJudged) == isJudged, "\(form.fields[field].address): isJudged is \(!isJudged)")
  }

  func checkSteps() {
    for (index, step) in form.steps.enumerated() {
      let state = session.steps[index]
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

  /// As the engine compares with the initial value: texts by UTF-8, the rest as JSON.
  private func differs(_ value: JSON?, from initial: JSON?) -> Bool {
    switch (value, initial) {
    case (nil, nil): false
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
    let isDirty = dirty > 0 || session.extras?.others.now != session.extras?.others.initial
    expect(session.flags.contains(.isDirty) == isDirty, "the form's isDirty is \(!isDirty)")
    expect(!session.flags.contains(.isOpening), "isOpening outlives the first turn")
  }

  /// An object-level keyword sees only the values that it reads. With all values of its object it must find as many errors.
  func checkParts() {
    for (index, part) in form.parts.enumerated() {
      let unit = form.units[part.unit]
      let kept = session.extras?.partErrors[index] ?? []
      // A list that leaves some out tells how many there are, and its own test looks at that.
      if kept.contains(where: { form.code(of: $0.error) == "more" }) { continue }
      var failures = 0
      if unit.field.map({ session.fields[$0].flags.contains(.isJudged) }) ?? true {
        let values = unit.field.map { session.value(of: $0, .judged)?.objectValue ?? [:] } ?? session.rootValue(.judged)
        var budget = WorkBudget(units: Engine.turnBudget)
        failures =
          unit.object.failures(
            of: .object(values),
            part: part.index,
            limit: Engine.errorsCountedMaxUsual,
            budget: &budget
          ).count
      }
      expect(failures == kept.count, "schema\(part.location): \(kept.count) errors, counted \(failures)")
    }
  }

  // MARK: What formulas read

  func checkSlots() {
    let slots = form.slots
    func check(_ slot: Int32, _ name: @autoclosure () -> String, _ expected: @autoclosure () -> Value) {
      guard slot >= 0 else { return }
      let found = session.slots[Int(slot)]
      let wanted = expected()
      if found != wanted { problems.append("formulas read \(found) of \(name()), and it is \(wanted)") }
    }
    for (index, field) in form.fields.enumerated() {
      let flags = session.fields[index].flags
      let value = session.value(of: index, .shown)
      let seen: Value =
        if let value, !flags.contains(.readsAsAbsent) { field.type.value(of: value) } else { field.type.absentValue }
      check(slots.values[index], "values.\(field.address)", seen)
      check(slots.fieldIsValid[index], "fields.\(field.address).isValid", .bool(flags.contains(.isValid)))
      check(slots.fieldIsPending[index], "fields.\(field.address).isPending", .bool(flags.contains(.isPending)))
      check(slots.fieldIsDirty[index], "fields.\(field.address).isDirty", .bool(flags.contains(.isDirty)))
      check(slots.fieldIsTouched[index], "fields.\(field.address).isTouched", .bool(flags.contains(.isTouched)))
      check(slots.fieldIsEmpty[index], "fields.\(field.address).isEmpty", .bool(flags.contains(.isAbsent)))
      let message = session.fields[index].displayed.map { form.message(of: $0, locale: session.localeIndex) } ?? ""
      check(slots.messages[index], "messages.\(field.address)", .string(message))
    }
    for (index, step) in form.steps.enumerated() {
      let state = session.steps[index]
      check(slots.stepIsVisible[index], "steps.\(step.id).isVisible", .bool(state.flags.contains(.isVisible)))
      check(slots.stepIsValid[index], "steps.\(step.id).isValid", .bool(state.isValid))
      check(slots.stepIsPending[index], "steps.\(step.id).isPending", .bool(state.isPending))
      check(slots.stepIsTouched[index], "steps.\(step.id).isTouched", .bool(state.touched > 0))
    }
    check(slots.formIsValid, "form.isValid", .bool(session.flags.contains(.isValid)))
    check(slots.formIsPending, "form.isPending", .bool(session.flags.contains(.isPending)))
    check(slots.formIsDirty, "form.isDirty", .bool(session.flags.contains(.isDirty)))
    for (index, action) in form.actions.enumerated() {
      let state = session.actions[index]
      check(slots.actionIsEnabled[index], "actions.\(action.name).isEnabled", .bool(state.isEnabled))
      check(slots.actionIsLoading[index], "actions.\(action.name).isLoading", .bool(state.isLoading))
      check(slots.actionAttempts[index], "actions.\(action.name).attempts", .int(Int64(state.attempts)))
      check(slots.actionResult[index], "actions.\(action.name).result", state.outcome?.result.map(Value.init) ?? .null)
      check(slots.actionError[index], "actions.\(action.name).error", state.outcome?.error.map(Value.init) ?? .null)
      check(slots.actionMessage[index], "actions.\(action.name).message", .string(state.outcome?.message ?? ""))
    }
    for (index, output) in form.outputs.enumerated() where slots.outputs[index] >= 0 {
      let found = session.slots[Int(slots.outputs[index])].json?.withoutNullMembers
      expect(
        found == session.outputs[index] || session.outputs[index] == nil,
        "formulas read an old outputs.\(output.name)"
      )
    }
  }

  // MARK: What is under way

  func checkChecks() {
    guard let extras = session.extras else { return }
    for (index, check) in form.checks.enumerated() {
      let state = extras.checks[index]
      switch state.machine.state {
      case .idle, .settled, .faulted: break
      case .waiting:
        expect(extras.timers.deadline(of: .checkDebounce(index)) != nil, "check \(check.id): waits for no timer")
      case .running(_, let id):
        expect(
          extras.effects.all.contains { $0.id == id && $0.owner == .check(index) },
          "check \(check.id): pending with nothing in flight"
        )
      }
      expect(
        state.answers.kept.count <= check.cacheCount,
        "check \(check.id): keeps \(state.answers.kept.count) answers"
      )
    }
    for (id, owner) in extras.effects.all {
      expect(extras.timers.deadline(of: .effect(id)) != nil, "effect \(id): in flight without an end")
      switch owner {
      case .check(let index):
        if case .running(_, id) = extras.checks[index].machine.state { continue }
        problems.append("effect \(id): in flight for a check that does not wait for it")
      case .run(let action, let token):
        if case .running(_, id) = extras.actions[action].stage(of: token) { continue }
        problems.append("effect \(id): in flight for no run")
      }
    }
    expect(Set(extras.effects.all.map(\.id)).count == extras.effects.all.count, "an effect is in flight twice")
  }

  func checkActions() {
    for (index, action) in form.actions.enumerated() {
      if action.isEnabledByDefault {
        let isEnabled =
          !session.isPending(in: action.scope) && (isValid(action.scope) || session.hasOnlyFailures(in: action.scope))
        expect(session.actions[index].isEnabled == isEnabled, "\(action.name): isEnabled is \(!isEnabled)")
      }
      guard let extras = session.extras else {
        expect(!session.actions[index].isLoading, "\(action.name): loading without a run")
        continue
      }
      let machine = extras.actions[index]
      expect(
        session.actions[index].isLoading == machine.isLoading,
        "\(action.name): isLoading is \(!machine.isLoading)"
      )
      let flight = machine.flight
      expect(
        flight.policy == .merge || flight.running.count <= 1,
        "\(action.name): \(flight.running.count) runs at once"
      )
      expect(flight.waiting.isEmpty || !flight.running.isEmpty, "\(action.name): a queue that nothing moves")
      func tokens(_ isWanted: (ActionMachine.Stage) -> Bool) -> Set<UInt64> {
        Set(machine.taps.filter { isWanted($0.stage) }.map(\.token))
      }
      expect(tokens { $0.run != nil } == Set(flight.running), "\(action.name): runs and flight differ")
      expect(
        tokens { $0.run == nil && !$0.isHeld } == Set(flight.waiting),
        "\(action.name): the queue and the flight differ"
      )
      for tap in machine.taps {
        switch tap.stage {
        case .queued: break
        case .held:
          expect(session.isPending(in: action.scope), "\(action.name): holds a tap, and no check is pending")
        case .running(_, let id):
          let owner = EffectsUnderWay.Owner.run(action: index, token: tap.token)
          expect(
            extras.effects.all.contains { $0.id == id && $0.owner == owner },
            "\(action.name): a run with nothing in flight"
          )
        case .retrying:
          expect(
            extras.timers.deadline(of: .retry(action: index, token: tap.token)) != nil,
            "\(action.name): a run waits for nothing"
          )
        case .ending: problems.append("\(action.name): a run that is ending outlives the turn")
        }
      }
      expect(
        machine.delay?.held == nil || machine.delay?.deadline != nil,
        "\(action.name): delays a tap for nothing"
      )
    }
  }

  private func isValid(_ scope: ActionScope) -> Bool {
    switch scope {
    case .none: true
    case .form: session.flags.contains(.isValid)
    case .fields(let fields): fields.allSatisfy { session.fields[$0].flags.contains(.isValid) }
    }
  }

  // MARK: Deadlines

  func checkTimings() {
    for (field, delay) in session.extras?.delays ?? [:] where delay.held != nil {
      let name = form.fields[field].address
      expect(delay.deadline != nil, "\(name): holds back a value for nothing")
      expect(session.extras?.timers.deadline(of: .field(field)) == delay.deadline, "\(name): its timer is not set")
    }
  }

  func checkValueBytes() {
    var bytes = form.fields.indices.reduce(0) { $0 + session.fields[$1].value.bytes }
    for others in [session.extras?.others.now, session.extras?.others.initial] {
      bytes += others.map { JSON.object($0) }.bytes
    }
    for initial in session.extras?.initialValues.values ?? [:].values { bytes += initial.bytes }
    for delay in session.extras?.delays.values ?? [:].values {
      bytes += delay.held?.all.reduce(0) { $0 + session.heldBytes(of: $1.change) } ?? 0
    }
    expect(session.valueBytes == bytes, "valueBytes is \(session.valueBytes), counted \(bytes)")
    let computed =
      form.outputs.indices.reduce(0) { $0 + session.outputs[$1].bytes }
      + form.actions.indices.reduce(0) { $0 + (session.actions[$1].outcome?.bytes ?? 0) }
      + (session.extras?.checks ?? []).reduce(0) { $0 + $1.answers.bytes }
    expect(session.computedBytes == computed, "computedBytes is \(session.computedBytes), counted \(computed)")
  }

  func checkTimers() {
    guard let extras = session.extras else { return }
    for kind in extras.timers.kinds {
      switch kind {
      case .field(let field):
        expect(extras.delays[field]?.deadline != nil, "a timer of field \(field) that nothing wants")
      case .checkDebounce(let check):
        if case .waiting = extras.checks[check].machine.state { continue }
        problems.append("a debounce of check \(check) that nothing waits for")
      case .actionDelay(let action):
        expect(
          extras.timers.deadline(of: kind) == extras.actions[action].delay?.deadline,
          "the delay of action \(action) and its timer differ"
        )
      case .effect(let id):
        expect(extras.effects.all.contains { $0.id == id }, "a timeout of effect \(id), which is over")
      case .heldTap(let action, let token):
        if case .held(.some) = extras.actions[action].stage(of: token) { continue }
        problems.append("the patience of a tap that waits for no check")
      case .retry(let action, let token):
        if case .retrying = extras.actions[action].stage(of: token) { continue }
        problems.append("a retry of a run that waits for none")
      }
    }
  }
}
