import Forms
import JSON
import Testing

@testable import Sessions

@Suite struct `The life of a lookup` {
  /// A state by its name. What the machine asks is question 1, under effect 7; before, it has found `old`.
  enum Place: CaseIterable {
    case idle, waiting, running, retrying, settled, failed, faulted

    var machine: LookupMachine {
      var machine = LookupMachine()
      func ask(_ known: LookupMachine.Answer? = nil, isDebounced: Bool = false) {
        _ = machine.asked(question(1), known: known, isDebounced: isDebounced, effect: EffectID(rawValue: 7))
      }
      if self != .idle { _ = machine.asked(question(9), known: .value("old"), isDebounced: false, effect: effect(0)) }
      switch self {
      case .idle: break
      case .waiting: ask(isDebounced: true)
      case .running: ask()
      case .retrying:
        ask()
        _ = machine.answered(.failed("gone"), by: effect(7)) { _ in .milliseconds(5) }
      case .settled: ask(.value("new"))
      case .failed: ask(.failed("gone"))
      case .faulted: _ = machine.faulted()
      }
      return machine
    }
  }

  static func effect(_ number: UInt64) -> EffectID { EffectID(rawValue: number) }

  static func question(_ number: Int) -> EffectQuestion {
    EffectQuestion(.provider(.init(name: "p", arguments: ["n": .integer(Int64(number))], readsSecrets: false)))
  }

  /// A state in short: `running 1 #7 old` asks question 1 under effect 7, and `old` stands.
  private func name(_ machine: LookupMachine) -> String {
    func number(_ question: EffectQuestion) -> Int {
      (1...9).first { question.key == Self.question($0).key } ?? 0
    }
    let state =
      switch machine.state {
      case .idle: "idle"
      case .waiting(let question): "waiting \(number(question))"
      case .running(let question, let id, let tries): "running \(number(question)) #\(id) try \(tries)"
      case .retrying(let question, let tries): "retrying \(number(question)) try \(tries)"
      case .settled(let question): "settled \(number(question))"
      case .faulted: "faulted"
      }
    #expect(machine.error == nil || machine.value == nil)
    return [state, machine.value?.stringValue, machine.error.map { "(\($0))" }].compactMap(\.self)
      .joined(separator: " ")
  }

  /// What is to be done in short: `-` for what ends, `+` for what begins.
  private func name(_ steps: LookupMachine.Steps?) -> String {
    guard let steps else { return "as before" }
    var names: [String] = []
    switch steps.ends {
    case .nothing: break
    case .debounce: names.append("-timer")
    case .pause: names.append("-pause")
    case .effect(let id): names.append("-#\(id)")
    }
    switch steps.begins {
    case .nothing: break
    case .debounce: names.append("+timer")
    case .pause(let pause): names.append("+pause \(pause)")
    case .effect: names.append("+effect")
    }
    return names.joined(separator: " ")
  }

  private func expect(
    _ place: Place,
    _ event: (inout LookupMachine) -> LookupMachine.Steps?,
    _ state: String,
    _ steps: String
  ) {
    var machine = place.machine
    let found = event(&machine)
    #expect(name(machine) == state && name(found) == steps, "\(place): \(name(machine)), \(name(found))")
  }

  @Test(arguments: [
    (Place.idle, "running 2 #8 try 1", "+effect"), (.waiting, "running 2 #8 try 1 old", "-timer +effect"),
    (.running, "running 2 #8 try 1 old", "-#7 +effect"), (.retrying, "running 2 #8 try 1 old", "-pause +effect"),
    (.settled, "running 2 #8 try 1 new", "+effect"), (.failed, "running 2 #8 try 1", "+effect"),
    (.faulted, "running 2 #8 try 1", "+effect"),
  ])
  func `another question begins anew, and what was found stays meanwhile`(
    _ place: Place,
    _ state: String,
    _ steps: String
  ) {
    expect(
      place,
      { $0.asked(Self.question(2), known: nil, isDebounced: false, effect: Self.effect(8)) },
      state,
      steps
    )
  }

  @Test(arguments: [
    (Place.idle, "waiting 2", "+timer"), (.waiting, "waiting 2 old", "-timer +timer"),
    (.running, "waiting 2 old", "-#7 +timer"), (.retrying, "waiting 2 old", "-pause +timer"),
    (.settled, "waiting 2 new", "+timer"), (.failed, "waiting 2", "+timer"), (.faulted, "waiting 2", "+timer"),
  ])
  func `with a debounce it waits first`(_ place: Place, _ state: String, _ steps: String) {
    expect(place, { $0.asked(Self.question(2), known: nil, isDebounced: true, effect: Self.effect(8)) }, state, steps)
  }

  @Test(arguments: [
    (Place.idle, ""), (.waiting, "-timer"), (.running, "-#7"), (.retrying, "-pause"), (.settled, ""), (.failed, ""),
    (.faulted, ""),
  ])
  func `an answer that is known settles it at once`(_ place: Place, _ steps: String) {
    expect(
      place,
      { $0.asked(Self.question(2), known: .value("kept"), isDebounced: true, effect: Self.effect(8)) },
      "settled 2 kept",
      steps
    )
  }

  @Test(arguments: [Place.waiting, .running, .retrying, .settled, .failed])
  func `the same question changes nothing`(_ place: Place) {
    expect(
      place,
      { $0.asked(Self.question(1), known: .value("other"), isDebounced: false, effect: Self.effect(8)) },
      name(place.machine),
      "as before"
    )
  }

  @Test(arguments: [
    (Place.idle, "as before"), (.waiting, "-timer"), (.running, "-#7"), (.retrying, "-pause"), (.settled, ""),
    (.failed, ""), (.faulted, ""),
  ])
  func `one that does not apply has nothing, and nothing of it goes on`(_ place: Place, _ steps: String) {
    expect(place, { $0.stopped() }, "idle", steps)
  }

  @Test(arguments: [
    (Place.idle, ""), (.waiting, "-timer"), (.running, "-#7"), (.retrying, "-pause"), (.settled, ""), (.failed, ""),
    (.faulted, "as before"),
  ])
  func `one whose question cannot be made says so`(_ place: Place, _ steps: String) {
    expect(place, { $0.faulted() }, "faulted (fault)", steps)
  }

  @Test(arguments: Place.allCases)
  func `the end of a debounce concerns one that waits for it`(_ place: Place) {
    expect(
      place,
      { $0.debounceEnded(effect: Self.effect(8)) },
      place == .waiting ? "running 1 #8 try 1 old" : name(place.machine),
      place == .waiting ? "+effect" : "as before"
    )
  }

  @Test(arguments: Place.allCases)
  func `the end of a pause concerns one that waits for it`(_ place: Place) {
    expect(
      place,
      { $0.pauseEnded(effect: Self.effect(8)) },
      place == .retrying ? "running 1 #8 try 2 old" : name(place.machine),
      place == .retrying ? "+effect" : "as before"
    )
  }

  @Test(arguments: Place.allCases)
  func `a tap asks one that has failed once more`(_ place: Place) {
    expect(
      place,
      { $0.askedAgain(effect: Self.effect(8)) },
      place == .failed ? "running 1 #8 try 1" : name(place.machine),
      place == .failed ? "+effect" : "as before"
    )
  }

  @Test(arguments: Place.allCases)
  func `an answer concerns one that waits for that effect`(_ place: Place) {
    let isRunning = place == .running
    expect(
      place,
      { $0.answered(.value("new"), by: Self.effect(7)) { _ in nil } },
      isRunning ? "settled 1 new" : name(place.machine),
      isRunning ? "" : "as before"
    )
    expect(
      place,
      { $0.answered(.failed("gone"), by: Self.effect(7)) { _ in nil } },
      isRunning ? "settled 1 (gone)" : name(place.machine),
      isRunning ? "" : "as before"
    )
    expect(place, { $0.answered(.value("new"), by: Self.effect(6)) { _ in nil } }, name(place.machine), "as before")
  }

  @Test func `it asks again after a pause, as often as it may`() {
    var machine = Place.running.machine
    var pauses: [Int] = []
    for number in 7..<9 {
      let steps = machine.answered(.failed("gone"), by: Self.effect(UInt64(number))) { tries in
        pauses.append(tries)
        return .milliseconds(5)
      }
      #expect(name(steps) == "+pause \(Duration.milliseconds(5))" && machine.isLoading)
      _ = machine.pauseEnded(effect: Self.effect(UInt64(number) + 1))
    }
    _ = machine.answered(.failed("gone"), by: Self.effect(9)) { tries in
      pauses.append(tries)
      return nil
    }
    #expect(pauses == [1, 2, 3])
    #expect(name(machine) == "settled 1 (gone)" && !machine.isLoading)
  }

  @Test func `what a snapshot says stands until there is an answer`() {
    var machine = LookupMachine()
    machine.restored("old")
    _ = machine.asked(Self.question(1), known: nil, isDebounced: false, effect: Self.effect(7))
    #expect(name(machine) == "running 1 #7 try 1 old")
    machine = LookupMachine()
    machine.restored("old")
    #expect(name(machine.stopped()) == "" && name(machine) == "idle")
  }
}
