internal import Client
internal import FormProtocol

/// What became of the taps of one session. Each tap comes to exactly one event, perhaps before the tap is answered.
struct TapLog {
  /// Taps whose event has not come.
  private(set) var openCount = 0
  /// The tap that was sent last; nil before the first.
  private var last: Tap?
  /// The highest number of a run that the daemon has told.
  private var latestRun = 0

  /// A tap, from its sending to its event.
  private struct Tap {
    var action: String
    /// What the answer says; nil before the answer.
    var outcome: TapOutcome?
    /// The run that the tap started at once.
    var run: Int?
    /// The events of the action since the sending, or since the answer when the tap was held.
    var events: [(kind: EventKind, run: Int?)] = []
    /// Runs with a higher number were begun after the tap was held.
    var latestRunBefore = 0
  }

  /// Whether no tap was sent, or the last one succeeded.
  var isFine: Bool { last == nil || lastKind == .succeeded }

  /// The kind of the last tap's event; nil when no event of that tap has come.
  private var lastKind: EventKind? {
    guard let last, let outcome = last.outcome else { return nil }
    switch outcome {
    case .started: return last.events.last { $0.run == last.run }?.kind
    case .held:
      // No event names its tap. Taps of one action begin in the order in which they were sent, so the last tap has the highest run;
      // where it was given no run, its event comes behind those of the taps before it.
      var found: (kind: EventKind, run: Int?)?
      for event in last.events where event.run.map({ $0 > last.latestRunBefore }) ?? true {
        if let run = event.run, let other = found?.run, run < other { continue }
        found = event
      }
      return found?.kind
    case .rejected: return .rejected
    case .dropped: return .dropped
    }
  }

  /// A tap is about to be sent.
  mutating func sending(_ action: String) {
    last = Tap(action: action)
  }

  /// The daemon answered the tap that was sent last.
  mutating func accepted(_ answer: TapAnswer) {
    openCount += 1
    last?.outcome = answer.outcome
    last?.run = answer.run
    latestRun = max(latestRun, answer.run ?? 0)
    guard answer.outcome == .held else { return }
    last?.events = []
    last?.latestRunBefore = latestRun
  }

  /// Something arrived for the session.
  mutating func arrived(_ change: FormSession.Change) {
    switch change {
    case .updated(_, let events, _):
      openCount -= events.count
      for event in events {
        latestRun = max(latestRun, event.run ?? 0)
        if event.action == last?.action { last?.events.append((event.kind, event.run)) }
      }
    // Every event is that of a tap.
    case .replaced(let eventsLost): openCount -= eventsLost
    case .closed: break
    }
  }
}
