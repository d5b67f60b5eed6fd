internal import Client
internal import JSON
internal import Testing

@testable internal import formctl

struct TapLogTests {
  private func event(_ kind: String, run: Int64? = nil, action: String = "go") -> FormSession.Change {
    var event: JSONObject = ["action": .string(action), "kind": .string(kind)]
    if let run { event["run"] = .integer(run) }
    return .updated(patch: [:], events: [.object(event)], cause: "effect")
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

  @Test(arguments: [("succeeded", true), ("failed", false), ("superseded", false)])
  func `a run that began at once comes to the event of its number`(kind: String, isFine: Bool) {
    let log = log {
      $0.sending("go")
      $0.accepted(["outcome": "started", "run": 3])
      #expect($0.openCount == 1 && !$0.isFine)
      $0.arrived(event("succeeded", run: 2))
      $0.arrived(event("succeeded", run: 3, action: "other"))
      #expect(!$0.isFine)
      $0.arrived(event(kind, run: 3))
    }
    #expect(log.isFine == isFine)
  }

  @Test func `an event may come before the answer of its tap`() {
    let log = log {
      $0.sending("go")
      $0.arrived(event("succeeded", run: 1))
      $0.accepted(["outcome": "started", "run": 1])
    }
    #expect(log.isFine && log.openCount == 0)
  }

  @Test(arguments: ["rejected", "dropped"])
  func `a tap that was refused at once stays refused, whatever a run before it comes to`(outcome: String) {
    let log = log {
      $0.sending("go")
      $0.accepted(["outcome": "started", "run": 1])
      $0.sending("go")
      $0.arrived(event(outcome))
      $0.accepted(["outcome": .string(outcome)])
      $0.arrived(event("succeeded", run: 1))
    }
    #expect(!log.isFine && log.openCount == 0)
  }

  @Test func `a held tap is not its predecessor, which was dropped for it`() {
    let log = log {
      $0.sending("go")
      $0.accepted(["outcome": "held"])
      $0.sending("go")
      $0.arrived(event("dropped"))
      $0.accepted(["outcome": "held"])
      #expect($0.openCount == 1)
      $0.arrived(event("succeeded", run: 1))
    }
    #expect(log.isFine && log.openCount == 0)
  }

  @Test func `of held taps the last has the highest run, in whatever order the runs end`() {
    let log = log {
      $0.sending("go")
      $0.accepted(["outcome": "started", "run": 1])
      for _ in 1...2 {
        $0.sending("go")
        $0.accepted(["outcome": "held"])
      }
      $0.arrived(event("succeeded", run: 1))
      #expect(!$0.isFine)
      $0.arrived(event("failed", run: 3))
      $0.arrived(event("succeeded", run: 2))
    }
    #expect(!log.isFine && log.openCount == 0)
  }

  @Test func `a held tap that is rejected in the end has not succeeded`() {
    let log = log {
      $0.sending("go")
      $0.accepted(["outcome": "held"])
      $0.arrived(event("rejected"))
    }
    #expect(!log.isFine && log.openCount == 0)
  }

  @Test func `a tap that the daemon refused has not succeeded, and is not open`() {
    let log = log { $0.sending("go") }
    #expect(!log.isFine && log.openCount == 0)
  }

  @Test func `when events may be lost, no tap is open any more`() {
    let log = log {
      $0.sending("go")
      $0.accepted(["outcome": "started", "run": 1])
      $0.arrived(.replaced)
    }
    #expect(!log.isFine && log.openCount == 0)
  }
}
