internal import Client
internal import FormProtocol
internal import Testing

@testable internal import formctl

struct TapLogTests {
  private func event(_ kind: EventKind, run: Int? = nil, action: String = "go") -> FormSession.Change {
    var event = ActionEvent()
    event.action = action
    event.kind = kind
    event.run = run
    return .updated(patch: [:], events: [event], cause: .effect)
  }

  private func answer(_ outcome: TapOutcome, run: Int? = nil) -> TapAnswer {
    TapAnswer(revision: 1, outcome: outcome, run: run)
  }

  private func log(_ steps: (inout TapLog) -> Void) -> TapLog {
    var log = TapLog()
    steps(&log)
    return log
  }

  @Test func `without a tap all is fine`() {
    #expect(TapLog().isFine)
    #expect(TapLog().openCount == 0)
  }

  @Test(arguments: [(EventKind.succeeded, true), (.failed, false), (.superseded, false)])
  func `a run that began at once comes to the event of its number`(kind: EventKind, isFine: Bool) {
    let log = log {
      $0.sending("go")
      $0.accepted(answer(.started, run: 3))
      #expect($0.openCount == 1 && !$0.isFine)
      $0.arrived(event(.succeeded, run: 2))
      $0.arrived(event(.succeeded, run: 3, action: "other"))
      #expect(!$0.isFine)
      $0.arrived(event(kind, run: 3))
    }
    #expect(log.isFine == isFine)
  }

  @Test func `an event may come before the answer of its tap`() {
    let log = log {
      $0.sending("go")
      $0.arrived(event(.succeeded, run: 1))
      $0.accepted(answer(.started, run: 1))
    }
    #expect(log.isFine && log.openCount == 0)
  }

  @Test(arguments: [(EventKind.rejected, TapOutcome.rejected), (.dropped, .dropped)])
  func `a tap that was refused at once stays refused, whatever a run before it comes to`(
    kind: EventKind,
    outcome: TapOutcome
  ) {
    let log = log {
      $0.sending("go")
      $0.accepted(answer(.started, run: 1))
      $0.sending("go")
      $0.arrived(event(kind))
      $0.accepted(answer(outcome))
      $0.arrived(event(.succeeded, run: 1))
    }
    #expect(!log.isFine && log.openCount == 0)
  }

  @Test func `a held tap is not its predecessor, which was dropped for it`() {
    let log = log {
      $0.sending("go")
      $0.accepted(answer(.held))
      $0.sending("go")
      $0.arrived(event(.dropped))
      $0.accepted(answer(.held))
      #expect($0.openCount == 1)
      $0.arrived(event(.succeeded, run: 1))
    }
    #expect(log.isFine && log.openCount == 0)
  }

  @Test func `of held taps the last has the highest run, in whatever order the runs end`() {
    let log = log {
      $0.sending("go")
      $0.accepted(answer(.started, run: 1))
      for _ in 1...2 {
        $0.sending("go")
        $0.accepted(answer(.held))
      }
      $0.arrived(event(.succeeded, run: 1))
      #expect(!$0.isFine)
      $0.arrived(event(.failed, run: 3))
      $0.arrived(event(.succeeded, run: 2))
    }
    #expect(!log.isFine && log.openCount == 0)
  }

  @Test func `a held tap that is rejected in the end has not succeeded`() {
    let log = log {
      $0.sending("go")
      $0.accepted(answer(.held))
      $0.arrived(event(.rejected))
    }
    #expect(!log.isFine && log.openCount == 0)
  }

  @Test func `a tap that the daemon refused has not succeeded, and is not open`() {
    let log = log { $0.sending("go") }
    #expect(!log.isFine && log.openCount == 0)
  }

  @Test func `a tap whose event was lost is not open any more`() {
    let log = log {
      $0.sending("go")
      $0.accepted(answer(.started, run: 1))
      $0.arrived(.replaced(eventsLost: 1))
    }
    #expect(!log.isFine && log.openCount == 0)
  }

  @Test func `a tap stays open when updates were lost, but not its event`() {
    let log = log {
      $0.sending("go")
      $0.accepted(answer(.started, run: 1))
      $0.arrived(.replaced(eventsLost: 0))
      #expect($0.openCount == 1)
      $0.arrived(event(.succeeded, run: 1))
    }
    #expect(log.isFine && log.openCount == 0)
  }
}
