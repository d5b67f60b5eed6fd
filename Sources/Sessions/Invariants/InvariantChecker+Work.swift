internal import Budgets
internal import DocumentProperties
internal import Forms
internal import JSON

/// The invariants of what is under way: checks, lookups, runs, and the timers for them.
extension InvariantChecker {
  func checkChecks(of instance: Instance) {
    guard instance.instanceExtras != nil else { return }
    for index in instance.ownChecks { checkInquiry(of: .check(index), in: instance) }
  }

  /// The effect or timer that a check or a lookup waits for is under way, and it keeps no more answers than allowed.
  private func checkInquiry(of inquirer: Inquirer, in instance: Instance) {
    let (extras, row) = (session.extras, instance.rowID)
    switch wait(of: inquirer, in: instance) {
    case nil: break
    case .debounce:
      let debounce = TimerList.Kind.debounce(row: row, of: inquirer)
      let isComposed = extras?.compositions.waiting.contains(debounce) ?? false
      expect(isComposed || extras?.timers.deadline(of: debounce) != nil, "\(inquirer): waits for no timer")
    case .pause:
      expect(extras?.timers.deadline(of: .pause(row: row, of: inquirer)) != nil, "\(inquirer): pauses for ever")
    case .answer(let id):
      let isAsked =
        instance.template == 0
        ? extras?.effects.all.contains { $0.id == id && $0.owner == .inquiry(inquirer) } ?? false
        : extras?.sharedInquiries.byEffect[id]?.rows.contains(row) ?? false
      expect(isAsked, "\(inquirer): waits for an answer to nothing")
    }
    let kept = extras?.answers[inquirer]?.count ?? 0
    expect(kept <= form.terms(of: inquirer).cacheCount, "\(inquirer): keeps \(kept) answers")
  }

  /// The wait of a check or a lookup.
  func wait(of inquirer: Inquirer, in instance: Instance?) -> InquiryWait? {
    switch inquirer {
    case .check(let index): instance?.instanceExtras?.checks[index].machine.wait
    case .lookup(let index): instance?.lookup(index)?.machine.wait
    }
  }

  func checkEffects() {
    guard let extras = session.extras else { return }
    for (id, owner) in extras.effects.all {
      expect(extras.timers.deadline(of: .effect(id)) != nil, "effect \(id): in flight without an end")
      switch owner {
      case .inquiry(let inquirer):
        expect(wait(of: inquirer, in: session) == .answer(id), "effect \(id): \(inquirer) does not wait for it")
      case .rows:
        expect(extras.sharedInquiries.byEffect[id]?.isUnderWay ?? false, "effect \(id): in flight for no row")
      case .run(let action, let token):
        if case .running(_, id) = extras.actions[action].stage(of: token) { continue }
        problems.append("effect \(id): in flight for no run")
      }
    }
    expect(Set(extras.effects.all.map(\.id)).count == extras.effects.all.count, "an effect is in flight twice")
    checkSharedInquiries(extras)
  }

  private func checkSharedInquiries(_ extras: SessionExtras) {
    let shared = extras.sharedInquiries.byEffect
    for (id, inquiry) in shared {
      expect(!inquiry.rows.isEmpty, "effect \(id): no row waits for it")
      for row in inquiry.rows {
        expect(
          wait(of: inquiry.inquirer, in: extras.rows[row]) == .answer(id),
          "effect \(id): the row \(row) does not wait for it"
        )
      }
      guard inquiry.isUnderWay else { continue }
      expect(extras.effects.all.contains { $0.id == id }, "effect \(id): under way, and not in flight")
    }
    let underWay = shared.values.count(where: \.isUnderWay)
    expect(
      underWay == extras.sharedInquiries.underWay,
      "\(extras.sharedInquiries.underWay) questions of rows are under way, counted \(underWay)"
    )
    expect(
      underWay == min(shared.count, SharedInquiries.underWayMax),
      "\(underWay) of \(shared.count) questions of rows are under way"
    )
  }

  func checkLookups(of instance: Instance) {
    guard let instanceExtras = instance.instanceExtras else { return }
    for index in instance.ownLookups {
      let lookup = form.lookups[index]
      let state = instanceExtras.lookups[index]
      let name = "lookup \(lookup.address)"
      checkInquiry(of: .lookup(index), in: instance)
      expect(state.error == nil || state.value == nil, "\(name): has a value and an error")
      if case .idle = state.machine.state { expect(state.value == nil, "\(name): does not apply, and has a value") }
    }
  }

  func checkActions() {
    for (number, action) in form.actions.enumerated() {
      if action.isEnabledByDefault {
        let isEnabled =
          !session.isPending(in: action.scope) && (isValid(action.scope) || session.hasOnlyFailures(in: action.scope))
        expect(session.actions[number].isEnabled == isEnabled, "\(action.name): isEnabled is \(!isEnabled)")
      }
      guard let extras = session.extras else {
        expect(!session.actions[number].isLoading, "\(action.name): loading without a run")
        continue
      }
      let machine = extras.actions[number]
      expect(
        session.actions[number].isLoading == machine.isLoading,
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
          let owner = EffectsUnderWay.Owner.run(action: number, token: tap.token)
          expect(
            extras.effects.all.contains { $0.id == id && $0.owner == owner },
            "\(action.name): a run with nothing in flight"
          )
        case .retrying:
          expect(
            extras.timers.deadline(of: .retry(action: number, token: tap.token)) != nil,
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

  func isValid(_ scope: ActionScope) -> Bool {
    switch scope {
    case .none: true
    case .form: session.flags.contains(.isValid)
    case .fields(let fields): fields.allSatisfy { session.fields[$0].flags.contains(.isValid) }
    }
  }

  // MARK: Deadlines

  func checkTimings(of instance: Instance) {
    for (field, delay) in instance.instanceExtras?.delays ?? [:] where delay.held != nil {
      let name = instance.address(of: field)
      expect(delay.deadline != nil, "\(name): holds back a value for nothing")
      let timer = session.extras?.timers.deadline(of: .field(row: instance.rowID, field: field))
      expect(timer == delay.deadline, "\(name): its timer is not set")
    }
  }

  func checkTimers() {
    guard let extras = session.extras else { return }
    for kind in extras.timers.kinds {
      switch kind {
      case .field(let row, let field):
        let delay = session.instance(of: row)?.instanceExtras?.delays[field]
        expect(delay?.deadline != nil, "a timer of field \(field) that nothing wants")
      case .debounce(let row, let inquirer):
        expect(
          wait(of: inquirer, in: session.instance(of: row)) == .debounce,
          "a debounce of \(inquirer) that nothing waits for"
        )
      case .pause(let row, let inquirer):
        expect(
          wait(of: inquirer, in: session.instance(of: row)) == .pause,
          "a pause of \(inquirer) that nothing waits for"
        )
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
