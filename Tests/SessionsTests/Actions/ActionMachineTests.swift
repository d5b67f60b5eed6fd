import JSON
import Testing
internal import Times

@testable import Forms
@testable import Sessions

@Suite struct `The life of a tap` {
  typealias Policy = Flight<UInt64>.Policy

  /// A machine, drawn as its taps in order: `1 held`, `2 queued`, `3 running #7`.
  private struct Driver {
    var machine: ActionMachine
    private var lastNumber = 0
    private var lastEffect: UInt64 = 0

    init(_ policy: Policy, delay: Delay<UInt64>? = nil) {
      machine = ActionMachine(delay: delay, policy: policy)
    }

    var taps: String {
      machine.taps.map { tap in
        switch tap.stage {
        case .held: "\(tap.token) held"
        case .queued: "\(tap.token) queued"
        case .running(_, let effect): "\(tap.token) running #\(effect)"
        case .retrying: "\(tap.token) retrying"
        case .ending: "\(tap.token) ending"
        }
      }.joined(separator: ", ")
    }

    /// Submits a tap, and begins its run when it may. Returns the outcome.
    mutating func submit(_ token: UInt64, _ request: Submission.Request = .effect(ask)) -> String {
      let submission = Submission(request: request, values: [:])
      switch machine.submitted(token, submission) {
      case .dropped: return "dropped"
      case .queued: return "queued"
      case .begins(let superseded):
        let given = superseded.map { "\($0.token)" }.joined(separator: " ")
        let beginning = begin(token, submission)
        return given.isEmpty ? beginning : "\(beginning) instead of \(given)"
      }
    }

    mutating func begin(_ token: UInt64, _ submission: Submission) -> String {
      lastNumber += 1
      lastEffect += 1
      switch machine.begin(
        token,
        submission,
        number: lastNumber,
        keyNumber: lastNumber,
        effect: EffectID(rawValue: lastEffect)
      ) {
      case .asks: return "asks"
      case .ends(let run, let response): return "ends \(run.number) \(response?.kind.rawValue ?? "without an answer")"
      }
    }

    /// Ends a run, and begins the next one, whose token it returns.
    mutating func end(_ token: UInt64) -> UInt64? {
      guard let next = machine.ended(token) else { return nil }
      _ = begin(next.token, next.submission)
      return next.token
    }
  }

  private static let ask = EffectRequest.provider(.init(name: "p", arguments: [:], readsSecrets: false))

  private static let refused = EffectResponse(kind: .refused)
  private static let answer = EffectResponse(kind: .ok, status: 200)

  /// A database's answer with a code for the failure, or without one.
  private static func failed(_ sqlState: String?) -> EffectResponse {
    EffectResponse(kind: .error, sqlState: sqlState)
  }

  // MARK: Runs beside each other

  @Test(arguments: [
    (Policy.drop, "dropped", "1 running #1"), (.latest, "asks instead of 1", "2 running #2"),
    (.merge, "asks", "1 running #1, 2 running #2"), (.queue, "queued", "1 running #1, 2 queued"),
  ])
  func `a tap while a run is under way`(_ policy: Policy, _ becomes: String, _ taps: String) {
    var driver = Driver(policy)
    #expect(driver.submit(1) == "asks")
    #expect(driver.submit(2) == becomes)
    #expect(driver.taps == taps && driver.machine.isLoading)
  }

  @Test(arguments: Policy.allCases)
  func `a tap while nothing is under way`(_ policy: Policy) {
    var driver = Driver(policy)
    #expect(!driver.machine.isLoading && !driver.machine.dropsTaps)
    #expect(driver.submit(1) == "asks" && driver.taps == "1 running #1")
    #expect(driver.machine.dropsTaps == (policy == .drop))
    #expect(driver.end(1) == nil && !driver.machine.isLoading)
  }

  @Test func `runs that wait begin when the runs before them have ended, in order`() {
    var driver = Driver(.queue)
    for token: UInt64 in 1...3 { _ = driver.submit(token) }
    #expect(driver.taps == "1 running #1, 2 queued, 3 queued" && driver.machine.flight.waiting == [2, 3])
    #expect(driver.end(1) == 2 && driver.taps == "2 running #2, 3 queued")
    #expect(driver.end(2) == 3 && driver.end(3) == nil && driver.taps.isEmpty)
  }

  private static let fault = RequestError(
    Form.compile(["form": "f", "schema": ["properties": ["a": [:]]], "outputs": ["o": "1"]]).form!.outputs[0].formula,
    "it went wrong"
  )

  @Test(arguments: [
    (Submission.Request.nothing, "ends 1 without an answer"), (.faulted(fault), "ends 1 fault"),
    (.effect(ask), "asks"),
  ])
  func `a run that asks nobody ends at once`(_ request: Submission.Request, _ expected: String) {
    var driver = Driver(.queue)
    #expect(driver.submit(1, request) == expected && driver.machine.isLoading)
    #expect((driver.taps == "1 ending") == (expected != "asks"))
  }

  // MARK: Answers and retries

  @Test(arguments: [
    (refused, 0, "1 ending"), (refused, 2, "1 retrying"), (answer, 2, "1 ending"), (failed(nil), 2, "1 retrying"),
    // Deadlocks and locks of other transactions are temporary; wrong values stay wrong.
    (failed("40P01"), 2, "1 retrying"), (failed("55P03"), 2, "1 retrying"), (failed("23505"), 2, "1 ending"),
    (failed("42601"), 2, "1 ending"),
  ])
  func `an answer ends a run, or asks for another try`(_ response: EffectResponse, _ retries: Int, _ taps: String)
    throws
  {
    var driver = Driver(.drop)
    _ = driver.submit(1)
    _ = driver.machine.answered(1, by: EffectID(rawValue: 1), response, retry(retries))
    #expect(driver.taps == taps && driver.machine.isLoading)
  }

  private func retry(_ times: Int) -> Action.Retry {
    Action.Retry(times: times, delay: .milliseconds(100), factor: 2, delayMax: .seconds(1))
  }

  @Test func `tries go on until there are no more, each after a longer pause, all with the same request`() {
    var driver = Driver(.drop)
    _ = driver.submit(1)
    var pauses: [Duration] = []
    for effect: UInt64 in 1...3 {
      let answer = driver.machine.answered(1, by: EffectID(rawValue: effect), Self.refused, retry(2))
      guard case .retries(let pause) = answer else { break }
      pauses.append(pause)
      let again = driver.machine.pauseEnded(1, effect: EffectID(rawValue: effect + 1))
      #expect(again != nil && driver.taps == "1 running #\(effect + 1)")
    }
    #expect(pauses == [.milliseconds(100), .milliseconds(200)] && driver.taps == "1 ending")
  }

  /// The stages that a tap can be in, each with the events that lead there.
  enum Stage: CaseIterable {
    case held, queued, running, retrying, ending, gone
  }

  private func driver(at stage: Stage) -> Driver {
    var driver = Driver(.queue)
    switch stage {
    case .held: _ = driver.machine.hold(2, until: nil)
    case .queued:
      _ = driver.submit(1)
      _ = driver.submit(2)
    case .running: _ = driver.submit(2)
    case .retrying:
      _ = driver.submit(2)
      _ = driver.machine.answered(2, by: EffectID(rawValue: 1), Self.refused, retry(1))
    case .ending: _ = driver.submit(2, .nothing)
    case .gone: break
    }
    return driver
  }

  @Test(arguments: Stage.allCases)
  func `only the answer that a run waits for ends it`(_ stage: Stage) {
    var driver = driver(at: stage)
    let before = driver.taps
    let late = driver.machine.answered(2, by: EffectID(rawValue: 9), Self.answer, nil)
    #expect(late == nil && driver.taps == before)
    let right = driver.machine.answered(2, by: EffectID(rawValue: 1), Self.answer, nil)
    #expect((right != nil) == (stage == .running))
  }

  @Test(arguments: Stage.allCases)
  func `only a run that waits for its next try goes on after a pause`(_ stage: Stage) {
    var driver = driver(at: stage)
    let before = driver.taps
    let request = driver.machine.pauseEnded(2, effect: EffectID(rawValue: 9))
    #expect((request != nil) == (stage == .retrying))
    #expect(driver.taps == (stage == .retrying ? "2 running #9" : before))
  }

  @Test(arguments: Stage.allCases)
  func `a reset gives up a tap wherever it stands`(_ stage: Stage) {
    var driver = driver(at: stage)
    let (runs, waiting) = driver.machine.reset()
    #expect(runs.contains { $0.token == 2 } == (stage != .held && stage != .gone))
    #expect(waiting == (stage == .held ? [2] : []))
    #expect(driver.taps.isEmpty && !driver.machine.isLoading)
  }

  // MARK: Waiting for checks

  @Test(arguments: [
    (Policy.queue, [UInt64](), "1 held, 2 held"), (.merge, [], "1 held, 2 held"), (.latest, [1], "2 held"),
  ])
  func `taps that wait for checks`(_ policy: Policy, _ superseded: [UInt64], _ taps: String) {
    var driver = Driver(policy)
    _ = driver.machine.hold(1, until: nil)
    guard case .held(let given) = driver.machine.hold(2, until: nil) else {
      Issue.record("the second tap was dropped")
      return
    }
    #expect(given == superseded && driver.taps == taps && !driver.machine.isLoading)
    let first = driver.machine.firstHeldToken
    _ = driver.machine.release(first ?? 0)
    #expect(driver.machine.heldTokens == (policy == .latest ? [] : [2]))
  }

  @Test func `a tap that waits for checks keeps others out where one run is allowed`() {
    var driver = Driver(.drop)
    _ = driver.machine.hold(1, until: nil)
    #expect(driver.machine.dropsTaps)
    _ = driver.machine.release(1)
    #expect(!driver.machine.dropsTaps)
  }

  @Test func `a tap that is held again keeps its first deadline`() {
    var driver = Driver(.merge)
    _ = driver.machine.hold(1, until: nil)
    #expect(driver.machine.heldAgain(until: .milliseconds(5)) == [1])
    _ = driver.machine.hold(2, until: nil)
    #expect(driver.machine.heldAgain(until: .milliseconds(9)) == [2])
    #expect(driver.machine.release(1) == .milliseconds(5) && driver.machine.release(2) == .milliseconds(9))
    #expect(driver.machine.release(3) == nil)
  }

  @Test func `a run under way leaves those alone that wait for checks`() {
    var driver = Driver(.latest)
    _ = driver.submit(1)
    _ = driver.machine.hold(2, until: nil)
    #expect(driver.submit(3) == "asks instead of 1" && driver.taps == "2 held, 3 running #2")
  }

  // MARK: Bounds

  @Test func `there is room for so many runs, and for as many taps that wait for checks`() {
    var driver = Driver(.queue)
    for token in 1...UInt64(Engine.runsMax) {
      #expect(driver.machine.hasRoomForRun)
      _ = driver.submit(token)
      _ = driver.machine.hold(1_000 + token, until: nil)
    }
    #expect(!driver.machine.hasRoomForRun)
    guard case .dropped = driver.machine.hold(5_000, until: nil) else {
      Issue.record("one tap too many waits")
      return
    }
  }

  // MARK: Delay

  @Test(arguments: [
    (Throttle.Edges.leading, "passes, swallowed, swallowed"), (.trailing, "delayed, delayed (1), delayed (2)"),
    (.both, "passes, delayed, delayed (2)"),
  ])
  func `taps within the window that a run has opened`(_ edges: Throttle.Edges, _ expected: String) {
    var driver = Driver(.merge, delay: Delay(Throttle(interval: .seconds(1), edges: edges)))
    var entries: [String] = []
    for token: UInt64 in 1...3 {
      switch driver.machine.tapped(token, at: .milliseconds(Int64(token))) {
      case .passes:
        entries.append("passes")
        let opens = driver.machine.runBegins(at: .milliseconds(Int64(token)))
        #expect(opens)
      case .swallowed: entries.append("swallowed")
      case .delayed(let earlier): entries.append(earlier.map { "delayed (\($0))" } ?? "delayed")
      }
    }
    #expect(entries.joined(separator: ", ") == expected)
    let passing = driver.machine.delayEnded(at: .milliseconds(1_003))
    #expect(passing == (edges == .leading ? nil : 3))
  }

  @Test func `a tap that comes to no run opens no window, and closes one that it has opened`() {
    var driver = Driver(.merge, delay: Delay(Throttle(interval: .seconds(1), edges: .both)))
    for token: UInt64 in 1...2 {
      guard case .passes = driver.machine.tapped(token, at: .milliseconds(0)) else {
        Issue.record("tap \(token) does not pass")
        return
      }
    }
    _ = driver.machine.runBegins(at: .milliseconds(0))
    _ = driver.machine.tapped(3, at: .milliseconds(1))
    let passing = driver.machine.delayEnded(at: .milliseconds(1_000))
    #expect(passing == 3 && driver.machine.delay?.deadline == .milliseconds(2_000))
    driver.machine.delayedTapFailed()
    #expect(driver.machine.delay?.deadline == nil)
  }

  @Test func `a reset gives up the tap that a debounce holds back`() {
    var driver = Driver(.merge, delay: Delay(Debounce(interval: .seconds(1))))
    _ = driver.machine.tapped(1, at: .milliseconds(0))
    let given = driver.machine.reset().waiting
    #expect(given == [1] && driver.machine.delay?.deadline == nil)
  }
}
