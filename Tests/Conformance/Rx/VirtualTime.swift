internal import Sessions
internal import Times

/// A clock that advances only from event to event. Tasks of one instant run in the order of scheduling, within the
/// classes of the vectors: subscriptions of the checks, then hot sources, then tasks of running streams.
final class VirtualTime {
  enum Rank: Int {
    case check, hot, running
  }

  private struct Task {
    let time: Int64
    let rank: Rank
    let number: Int
    let work: () -> Void
  }

  private(set) var now: Int64 = 0
  private var tasks: [Task] = []
  private var lastNumber = 0

  /// The instant for the machines: a tick of a vector is a millisecond.
  var instant: Instant { .milliseconds(now) }

  func schedule(at time: Int64, rank: Rank = .running, _ work: @escaping () -> Void) {
    lastNumber += 1
    tasks.append(Task(time: max(time, now), rank: rank, number: lastNumber, work: work))
  }

  /// Runs all scheduled tasks, and the tasks that they schedule; at most `tasksMax`, because some streams never end.
  func run(tasksMax: Int = 20_000) {
    var count = 0
    while count < tasksMax,
      let next = tasks.indices.min(by: { Self.isEarlier(tasks[$0], tasks[$1]) })
    {
      let task = tasks.remove(at: next)
      now = task.time
      task.work()
      count += 1
    }
  }

  private static func isEarlier(_ a: Task, _ b: Task) -> Bool {
    (a.time, a.rank.rawValue, a.number) < (b.time, b.rank.rawValue, b.number)
  }
}

/// A subscription that can be cancelled, once.
final class Subscription {
  private(set) var isClosed = false
  private var teardowns: [() -> Void] = []

  func onClose(_ teardown: @escaping () -> Void) {
    if isClosed { teardown() } else { teardowns.append(teardown) }
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    for teardown in teardowns { teardown() }
    teardowns = []
  }
}
