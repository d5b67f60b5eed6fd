import Forms
import JSON
import Testing

@testable import Sessions

/// An answer that is only itself.
private enum Said: QuestionAnswer {
  case yes, failure

  var isGiven: Bool { self == .yes }
}

@Suite struct `The life of a question` {
  private typealias Machine = QuestionMachine<Said>

  /// A state by its name. The machine's question is question 1, under effect 7.
  enum Place: CaseIterable {
    case idle, waiting, running, retrying, settled, failed, faulted

    fileprivate var machine: QuestionMachine<Said> {
      var machine = QuestionMachine<Said>()
      func ask(_ known: Said? = nil, isDebounced: Bool = false) {
        _ = machine.asked(question(1), known: known, isDebounced: isDebounced, effect: effect(7))
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

  /// A state in short: `running 1 #7 try 1` asks question 1 under effect 7 for the first time.
  private func name(_ machine: Machine) -> String {
    func number(_ asked: EffectQuestion) -> Int { (1...9).first { asked.key == question($0).key } ?? 0 }
    return switch machine.state {
    case .idle: "idle"
    case .waiting(let question): "waiting \(number(question))"
    case .running(let question, let id, let tries): "running \(number(question)) #\(id) try \(tries)"
    case .retrying(let question, let tries): "retrying \(number(question)) try \(tries)"
    case .settled(let question, let answer): "\(answer) \(number(question))"
    case .faulted(let answer): "faulted \(answer)"
    }
  }

  private func expect(_ place: Place, _ event: (inout Machine) -> QuestionSteps?, _ state: String, _ steps: String) {
    var machine = place.machine
    let found = event(&machine)
    #expect(name(machine) == state && shortName(found) == steps, "\(place): \(name(machine)), \(shortName(found))")
  }

  @Test(arguments: [
    (Place.idle, "+effect"), (.waiting, "-timer +effect"), (.running, "-#7 +effect"), (.retrying, "-pause +effect"),
    (.settled, "+effect"), (.failed, "+effect"), (.faulted, "+effect"),
  ])
  func `another question begins anew from any state`(_ place: Place, _ steps: String) {
    expect(
      place,
      { $0.asked(question(2), known: nil, isDebounced: false, effect: effect(9)) },
      "running 2 #9 try 1",
      steps
    )
  }

  @Test(arguments: [
    (Place.idle, "+timer"), (.waiting, "-timer +timer"), (.running, "-#7 +timer"), (.retrying, "-pause +timer"),
    (.settled, "+timer"), (.failed, "+timer"), (.faulted, "+timer"),
  ])
  func `with a debounce it waits first`(_ place: Place, _ steps: String) {
    expect(place, { $0.asked(question(2), known: nil, isDebounced: true, effect: effect(9)) }, "waiting 2", steps)
  }

  @Test(arguments: [
    (Place.idle, ""), (.waiting, "-timer"), (.running, "-#7"), (.retrying, "-pause"), (.settled, ""), (.failed, ""),
    (.faulted, ""),
  ])
  func `an answer that is known settles it at once`(_ place: Place, _ steps: String) {
    expect(place, { $0.asked(question(2), known: .yes, isDebounced: true, effect: effect(9)) }, "yes 2", steps)
  }

  @Test(arguments: [Place.waiting, .running, .retrying, .settled, .failed])
  func `the same question changes nothing`(_ place: Place) {
    expect(
      place,
      { $0.asked(question(1), known: .yes, isDebounced: false, effect: effect(9)) },
      name(place.machine),
      "as before"
    )
  }

  @Test(arguments: [
    (Place.idle, "as before"), (.waiting, "-timer"), (.running, "-#7"), (.retrying, "-pause"), (.settled, ""),
    (.failed, ""), (.faulted, ""),
  ])
  func `it is idle when there is nothing to ask`(_ place: Place, _ steps: String) {
    expect(place, { $0.stopped() }, "idle", steps)
  }

  @Test(arguments: [
    (Place.idle, ""), (.waiting, "-timer"), (.running, "-#7"), (.retrying, "-pause"), (.settled, ""), (.failed, ""),
    (.faulted, "as before"),
  ])
  func `it is faulted when its question cannot be made`(_ place: Place, _ steps: String) {
    expect(place, { $0.faulted(.failure) }, "faulted failure", steps)
  }

  @Test(arguments: Place.allCases)
  func `the end of a debounce concerns one that waits for it`(_ place: Place) {
    expect(
      place,
      { $0.debounceEnded(effect: effect(9)) },
      place == .waiting ? "running 1 #9 try 1" : name(place.machine),
      place == .waiting ? "+effect" : "as before"
    )
  }

  @Test(arguments: Place.allCases)
  func `the end of a pause concerns one that waits for it`(_ place: Place) {
    expect(
      place,
      { $0.pauseEnded(effect: effect(9)) },
      place == .retrying ? "running 1 #9 try 2" : name(place.machine),
      place == .retrying ? "+effect" : "as before"
    )
  }

  @Test(arguments: Place.allCases)
  func `it asks once more where its service has failed, and nowhere else`(_ place: Place) {
    #expect(place.machine.hasFailed == (place == .failed))
    expect(
      place,
      { $0.askedAgain(effect: effect(9)) },
      place == .failed ? "running 1 #9 try 1" : name(place.machine),
      place == .failed ? "+effect" : "as before"
    )
  }

  @Test(arguments: Place.allCases)
  func `only the answer that it waits for settles it`(_ place: Place) {
    let isRunning = place == .running
    for answer in [Said.yes, .failure] {
      expect(
        place,
        { $0.answered(answer, by: effect(7)) },
        isRunning ? "\(answer) 1" : name(place.machine),
        isRunning ? "" : "as before"
      )
    }
    expect(place, { $0.answered(.yes, by: effect(6)) }, name(place.machine), "as before")
  }

  @Test func `it asks again after a pause, as often as it may`() {
    var machine = Place.running.machine
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
    #expect(Place.allCases.filter(\.machine.isPending) == [.waiting, .running, .retrying])
    #expect(Place.allCases.filter { $0.machine.answer != nil } == [.settled, .failed, .faulted])
  }

  @Test(arguments: [(1, true), (2, false)])
  func `the answer from a snapshot is good for the first question alone`(_ asked: Int, _ isKnown: Bool) {
    var machine = Machine()
    machine.restore(.yes, to: question(1).key)
    let first = machine.restoredAnswer(to: question(asked))
    let second = machine.restoredAnswer(to: question(1))
    #expect((first != nil) == isKnown && second == nil)
  }
}

/// The steps in short: `-` for an effect that ends, `+` for an effect that begins.
private func shortName(_ steps: QuestionSteps?) -> String {
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

/// A question that differs from the questions with other numbers.
func question(_ number: Int) -> EffectQuestion {
  EffectQuestion(.provider(.init(name: "p", arguments: ["n": .integer(Int64(number))], readsSecrets: false)))
}
