import Forms
import JSON
import Testing

@testable import Sessions

/// An answer that is only itself.
private enum Said: InquiryAnswer {
  case yes, failure

  var isGiven: Bool { self == .yes }
}

@Suite struct `The life of an inquiry` {
  private typealias Machine = InquiryMachine<Said>

  /// A state by its name. The machine's inquiry is inquiry 1, under effect 7.
  enum Stage: CaseIterable {
    case idle, waiting, running, retrying, settled, failed, faulted

    fileprivate var machine: InquiryMachine<Said> {
      var machine = InquiryMachine<Said>()
      func ask(_ known: Said? = nil, isDebounced: Bool = false) {
        _ = machine.asked(inquiry(1), known: known, isDebounced: isDebounced, effect: effect(7))
      }
      switch self {
      case .idle: break
      case .waiting: ask(isDebounced: true)
      case .running: ask()
      case .retrying:
        ask()
        _ = machine.answered(.failure, by: effect(7)) { _ in .milliseconds(5) }
      case .settled: ask(.yes)
      case .failed: ask(.failure)
      case .faulted: _ = machine.faulted(.failure)
      }
      return machine
    }
  }

  /// A state in short: `running 1 #7 try 1` makes inquiry 1 under effect 7 for the first time.
  private func name(_ machine: Machine) -> String {
    func number(_ asked: Inquiry) -> Int { (1...9).first { asked.key == inquiry($0).key } ?? 0 }
    return switch machine.state {
    case .idle: "idle"
    case .waiting(let inquiry): "waiting \(number(inquiry))"
    case .running(let inquiry, let id, let tries): "running \(number(inquiry)) #\(id) try \(tries)"
    case .retrying(let inquiry, let tries): "retrying \(number(inquiry)) try \(tries)"
    case .settled(let inquiry, let answer): "\(answer) \(number(inquiry))"
    case .faulted(let answer): "faulted \(answer)"
    }
  }

  private func expect(_ stage: Stage, _ event: (inout Machine) -> InquirySteps?, _ state: String, _ steps: String) {
    var machine = stage.machine
    let found = event(&machine)
    #expect(name(machine) == state && shortName(found) == steps, "\(stage): \(name(machine)), \(shortName(found))")
  }

  @Test(arguments: [
    (Stage.idle, "+effect"), (.waiting, "-timer +effect"), (.running, "-#7 +effect"), (.retrying, "-pause +effect"),
    (.settled, "+effect"), (.failed, "+effect"), (.faulted, "+effect"),
  ])
  func `another inquiry begins anew from any state`(_ stage: Stage, _ steps: String) {
    expect(
      stage,
      { $0.asked(inquiry(2), known: nil, isDebounced: false, effect: effect(9)) },
      "running 2 #9 try 1",
      steps
    )
  }

  @Test(arguments: [
    (Stage.idle, "+timer"), (.waiting, "-timer +timer"), (.running, "-#7 +timer"), (.retrying, "-pause +timer"),
    (.settled, "+timer"), (.failed, "+timer"), (.faulted, "+timer"),
  ])
  func `with a debounce it waits first`(_ stage: Stage, _ steps: String) {
    expect(stage, { $0.asked(inquiry(2), known: nil, isDebounced: true, effect: effect(9)) }, "waiting 2", steps)
  }

  @Test(arguments: [
    (Stage.idle, ""), (.waiting, "-timer"), (.running, "-#7"), (.retrying, "-pause"), (.settled, ""), (.failed, ""),
    (.faulted, ""),
  ])
  func `an answer that is known settles it at once`(_ stage: Stage, _ steps: String) {
    expect(stage, { $0.asked(inquiry(2), known: .yes, isDebounced: true, effect: effect(9)) }, "yes 2", steps)
  }

  @Test(arguments: [Stage.waiting, .running, .retrying, .settled, .failed])
  func `the same inquiry changes nothing`(_ stage: Stage) {
    expect(
      stage,
      { $0.asked(inquiry(1), known: .yes, isDebounced: false, effect: effect(9)) },
      name(stage.machine),
      "as before"
    )
  }

  @Test(arguments: [
    (Stage.idle, "as before"), (.waiting, "-timer"), (.running, "-#7"), (.retrying, "-pause"), (.settled, ""),
    (.failed, ""), (.faulted, ""),
  ])
  func `it is idle when there is nothing to ask`(_ stage: Stage, _ steps: String) {
    expect(stage, { $0.stopped() }, "idle", steps)
  }

  @Test(arguments: [
    (Stage.idle, ""), (.waiting, "-timer"), (.running, "-#7"), (.retrying, "-pause"), (.settled, ""), (.failed, ""),
    (.faulted, "as before"),
  ])
  func `it is faulted when its inquiry cannot be made`(_ stage: Stage, _ steps: String) {
    expect(stage, { $0.faulted(.failure) }, "faulted failure", steps)
  }

  @Test(arguments: Stage.allCases)
  func `the end of a debounce concerns one that waits for it`(_ stage: Stage) {
    expect(
      stage,
      { $0.debounceEnded(effect: effect(9)) },
      stage == .waiting ? "running 1 #9 try 1" : name(stage.machine),
      stage == .waiting ? "+effect" : "as before"
    )
  }

  @Test(arguments: Stage.allCases)
  func `the end of a pause concerns one that waits for it`(_ stage: Stage) {
    expect(
      stage,
      { $0.pauseEnded(effect: effect(9)) },
      stage == .retrying ? "running 1 #9 try 2" : name(stage.machine),
      stage == .retrying ? "+effect" : "as before"
    )
  }

  @Test(arguments: Stage.allCases)
  func `it asks once more where its service has failed, and nowhere else`(_ stage: Stage) {
    #expect(stage.machine.hasFailed == (stage == .failed))
    expect(
      stage,
      { $0.askedAgain(effect: effect(9)) },
      stage == .failed ? "running 1 #9 try 1" : name(stage.machine),
      stage == .failed ? "+effect" : "as before"
    )
  }

  @Test(arguments: Stage.allCases)
  func `only the answer that it waits for settles it`(_ stage: Stage) {
    let isRunning = stage == .running
    for answer in [Said.yes, .failure] {
      expect(
        stage,
        { $0.answered(answer, by: effect(7)) },
        isRunning ? "\(answer) 1" : name(stage.machine),
        isRunning ? "" : "as before"
      )
    }
    expect(stage, { $0.answered(.yes, by: effect(6)) }, name(stage.machine), "as before")
  }

  @Test func `it asks again after a pause, as often as it may`() {
    var machine = Stage.running.machine
    var pauses: [Int] = []
    for number: UInt64 in 7..<9 {
      let steps = machine.answered(.failure, by: effect(number)) { tries in
        pauses.append(tries)
        return .milliseconds(5)
      }
      #expect(shortName(steps) == "+pause \(Duration.milliseconds(5))" && machine.isPending)
      _ = machine.pauseEnded(effect: effect(number + 1))
    }
    _ = machine.answered(.failure, by: effect(9)) { tries in
      pauses.append(tries)
      return nil
    }
    #expect(pauses == [1, 2, 3] && name(machine) == "failure 1")
  }

  @Test func `it has an answer when it waits for none and has asked`() {
    #expect(Stage.allCases.filter(\.machine.isPending) == [.waiting, .running, .retrying])
    #expect(Stage.allCases.filter { $0.machine.answer != nil } == [.settled, .failed, .faulted])
  }

  @Test(arguments: [(1, true), (2, false)])
  func `the answer from a snapshot is good for the first inquiry alone`(_ asked: Int, _ isKnown: Bool) {
    var machine = Machine()
    machine.restore(.yes, to: inquiry(1).key)
    let first = machine.restoredAnswer(to: inquiry(asked))
    let second = machine.restoredAnswer(to: inquiry(1))
    #expect((first != nil) == isKnown && second == nil)
  }
}

/// The steps in short: `-` for an effect that ends, `+` for an effect that begins.
private func shortName(_ steps: InquirySteps?) -> String {
  guard let steps else { return "as before" }
  let ends: String? =
    switch steps.ends {
    case nil: nil
    case .debounce: "-timer"
    case .pause: "-pause"
    case .answer(let id): "-#\(id)"
    }
  let begins: String? =
    switch steps.begins {
    case .nothing: nil
    case .debounce: "+timer"
    case .pause(let pause): "+pause \(pause)"
    case .effect: "+effect"
    }
  return [ends, begins].compactMap(\.self).joined(separator: " ")
}

/// The effect of that name.
func effect(_ number: UInt64) -> EffectID { EffectID(rawValue: number) }

/// An inquiry that differs from the inquiries with other numbers.
func inquiry(_ number: Int) -> Inquiry {
  Inquiry(.provider(.init(name: "p", arguments: ["n": .integer(Int64(number))], readsSecrets: false)))
}
