import Forms
import JSON
import Testing

@testable import Sessions

@Suite struct `The life of a check` {
  private typealias Answer = CheckMachine.Answer

  /// A state by its name. What the machine asks is question 1, under effect 7.
  enum Place: CaseIterable {
    case idle, waiting, running, valid, invalid, failed, faulted

    var machine: CheckMachine {
      var machine = CheckMachine()
      switch self {
      case .idle: break
      case .waiting: _ = machine.asked(question(1), known: nil, isDebounced: true, effect: EffectID(rawValue: 7))
      case .running: _ = machine.asked(question(1), known: nil, isDebounced: false, effect: EffectID(rawValue: 7))
      case .valid:
        _ = machine.asked(
          question(1),
          known: Answer(verdict: .valid),
          isDebounced: false,
          effect: EffectID(rawValue: 7)
        )
      case .invalid:
        _ = machine.asked(
          question(1),
          known: Answer(verdict: .invalid(error)),
          isDebounced: false,
          effect: EffectID(rawValue: 7)
        )
      case .failed:
        _ = machine.asked(
          question(1),
          known: Answer(verdict: .failed(nil)),
          isDebounced: false,
          effect: EffectID(rawValue: 7)
        )
      case .faulted: _ = machine.faulted(leaving: error)
      }
      return machine
    }
  }

  static let error = FieldError.detailed(
    ErrorDetail(code: "taken", severity: .error, source: .check, message: "It is taken.")
  )

  static func question(_ number: Int) -> EffectQuestion {
    EffectQuestion(.provider(.init(name: "p", arguments: ["n": .integer(Int64(number))], readsSecrets: false)))
  }

  /// A state in short: `running 1 #7` asks question 1 under effect 7.
  private func name(_ machine: CheckMachine) -> String {
    func number(_ question: EffectQuestion) -> Int {
      (1...9).first { question.key == Self.question($0).key } ?? 0
    }
    switch machine.state {
    case .idle: return "idle"
    case .waiting(let question): return "waiting \(number(question))"
    case .running(let question, let id): return "running \(number(question)) #\(id)"
    case .settled(let question, let answer):
      switch answer.verdict {
      case .valid: return "valid \(number(question))"
      case .invalid: return "invalid \(number(question))"
      case .failed: return "failed \(number(question))"
      }
    case .faulted: return "faulted"
    }
  }

  /// What is to be done in short: `-` for what ends, `+` for what begins.
  private func name(_ steps: CheckMachine.Steps?) -> String {
    guard let steps else { return "as before" }
    var names: [String] = []
    switch steps.ends {
    case .nothing: break
    case .debounce: names.append("-timer")
    case .effect(let id): names.append("-#\(id)")
    }
    switch steps.begins {
    case .nothing: break
    case .debounce: names.append("+timer")
    case .effect: names.append("+effect")
    }
    return names.joined(separator: " ")
  }

  private func expect(
    _ place: Place,
    _ event: (inout CheckMachine) -> CheckMachine.Steps?,
    _ state: String,
    _ steps: String
  ) {
    var machine = place.machine
    let found = event(&machine)
    #expect(name(machine) == state && name(found) == steps, "\(place): \(name(machine)), \(name(found))")
  }

  @Test(arguments: [
    (Place.idle, "running 2 #9", "+effect"), (.waiting, "running 2 #9", "-timer +effect"),
    (.running, "running 2 #9", "-#7 +effect"), (.valid, "running 2 #9", "+effect"),
    (.invalid, "running 2 #9", "+effect"), (.failed, "running 2 #9", "+effect"), (.faulted, "running 2 #9", "+effect"),
  ])
  func `another question begins anew from any state`(_ place: Place, _ state: String, _ steps: String) {
    expect(
      place,
      { $0.asked(Self.question(2), known: nil, isDebounced: false, effect: EffectID(rawValue: 9)) },
      state,
      steps
    )
  }

  @Test(arguments: [
    (Place.idle, "waiting 2", "+timer"), (.waiting, "waiting 2", "-timer +timer"),
    (.running, "waiting 2", "-#7 +timer"),
    (.valid, "waiting 2", "+timer"), (.invalid, "waiting 2", "+timer"), (.failed, "waiting 2", "+timer"),
    (.faulted, "waiting 2", "+timer"),
  ])
  func `with a debounce it waits first`(_ place: Place, _ state: String, _ steps: String) {
    expect(
      place,
      { $0.asked(Self.question(2), known: nil, isDebounced: true, effect: EffectID(rawValue: 9)) },
      state,
      steps
    )
  }

  @Test(arguments: [
    (Place.idle, "valid 2", ""), (.waiting, "valid 2", "-timer"), (.running, "valid 2", "-#7"), (.valid, "valid 2", ""),
    (.invalid, "valid 2", ""), (.failed, "valid 2", ""), (.faulted, "valid 2", ""),
  ])
  func `a verdict that is known settles it at once`(_ place: Place, _ state: String, _ steps: String) {
    expect(
      place,
      { $0.asked(Self.question(2), known: Answer(verdict: .valid), isDebounced: true, effect: EffectID(rawValue: 9)) },
      state,
      steps
    )
  }

  @Test(arguments: [
    (Place.waiting, "waiting 1"), (.running, "running 1 #7"), (.valid, "valid 1"), (.invalid, "invalid 1"),
    (.failed, "failed 1"),
  ])
  func `the same question changes nothing`(_ place: Place, _ state: String) {
    expect(
      place,
      { $0.asked(Self.question(1), known: Answer(verdict: .valid), isDebounced: false, effect: EffectID(rawValue: 9)) },
      state,
      "as before"
    )
  }

  @Test(arguments: [
    (Place.idle, "idle", "as before"), (.waiting, "idle", "-timer"), (.running, "idle", "-#7"), (.valid, "idle", ""),
    (.invalid, "idle", ""), (.failed, "idle", ""), (.faulted, "idle", ""),
  ])
  func `it is idle when it does not apply`(_ place: Place, _ state: String, _ steps: String) {
    expect(place, { $0.stopped() }, state, steps)
  }

  @Test(arguments: [
    (Place.idle, "faulted", ""), (.waiting, "faulted", "-timer"), (.running, "faulted", "-#7"), (.valid, "faulted", ""),
    (.invalid, "faulted", ""), (.failed, "faulted", ""), (.faulted, "faulted", "as before"),
  ])
  func `it is faulted when its question cannot be made`(_ place: Place, _ state: String, _ steps: String) {
    expect(place, { $0.faulted(leaving: Self.error) }, state, steps)
  }

  @Test(arguments: [
    (Place.idle, "idle", "as before"), (.waiting, "running 1 #9", "+effect"), (.running, "running 1 #7", "as before"),
    (.valid, "valid 1", "as before"), (.invalid, "invalid 1", "as before"), (.failed, "failed 1", "as before"),
    (.faulted, "faulted", "as before"),
  ])
  func `the end of a debounce begins the run that waited for it, and no other`(
    _ place: Place,
    _ state: String,
    _ steps: String
  ) {
    expect(place, { $0.debounceEnded(effect: EffectID(rawValue: 9)) }, state, steps)
  }

  @Test(arguments: [
    (Place.idle, "idle", "as before"), (.waiting, "waiting 1", "as before"), (.running, "running 1 #7", "as before"),
    (.valid, "valid 1", "as before"), (.invalid, "invalid 1", "as before"), (.failed, "running 1 #9", "+effect"),
    (.faulted, "faulted", "as before"),
  ])
  func `a tap asks once more where the service has failed, and nowhere else`(
    _ place: Place,
    _ state: String,
    _ steps: String
  ) {
    expect(place, { $0.retried(effect: EffectID(rawValue: 9)) }, state, steps)
  }

  @Test(arguments: Place.allCases)
  func `only the answer that it waits for settles it`(_ place: Place) {
    var machine = place.machine
    let before = name(machine)
    let late = machine.answered(Answer(verdict: .valid), by: EffectID(rawValue: 6))
    #expect(late == nil && name(machine) == before)
    let question = machine.answered(Answer(verdict: .valid), by: EffectID(rawValue: 7))
    #expect((question != nil) == (place == .running))
    #expect(name(machine) == (place == .running ? "valid 1" : before))
  }

  @Test func `its field is pending while it waits or runs, and has the error of its end`() {
    let pending = Place.allCases.filter(\.machine.isPending)
    let withError = Place.allCases.filter { $0.machine.error != nil }
    #expect(pending == [.waiting, .running])
    #expect(withError == [.invalid, .faulted])
  }

  // MARK: Answers

  @Test(arguments: [(1, true), (2, false)])
  func `the answer from a snapshot is good for the first question alone`(_ asked: Int, _ isKnown: Bool) {
    var state = CheckState()
    state.restored = (Self.question(1).key, Answer(verdict: .valid))
    let first = state.restoredAnswer(to: Self.question(asked))
    let second = state.restoredAnswer(to: Self.question(1))
    #expect((first != nil) == isKnown && second == nil)
  }
}
