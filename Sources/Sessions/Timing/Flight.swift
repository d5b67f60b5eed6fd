/// The effect of a start while earlier runs of the same kind are under way.
///
/// `drop` is RxJS's `exhaustMap`, `latest` its `switchMap`, `merge` its `mergeMap` and `queue` its `concatMap`.
public struct Flight<Run: Hashable & Sendable>: Sendable {
  /// Decides what a start does while earlier runs are under way.
  public enum Policy: String, Sendable, CaseIterable {
    /// `drop`: the start is given up. `latest`: the earlier runs are given up. `merge`: all run at once. `queue`: the
    /// start waits.
    case drop, latest, merge, queue
  }

  /// The effect of a start.
  public enum Decision: Sendable {
    /// It begins now, in parallel with the runs under way.
    case start
    /// It begins now and those runs are given up.
    case replace([Run])
    /// It begins when the runs before it have ended.
    case wait
    /// It is given up.
    case drop
  }

  /// Decides what each start does.
  public let policy: Policy
  /// The runs under way, oldest first. There is at most one under every policy except `merge`.
  public private(set) var running: [Run] = []
  /// The runs that wait for the runs before them, oldest first. They exist only under `queue`, and only while another
  /// run is under way.
  public private(set) var waiting: [Run] = []

  /// Nothing is under way.
  public init(policy: Policy) {
    self.policy = policy
  }

  /// Whether nothing is under way and nothing waits.
  public var isIdle: Bool { running.isEmpty && waiting.isEmpty }

  /// Decides when a run starts, and keeps it among the runs under way or waiting unless it is dropped.
  public mutating func start(_ run: Run) -> Decision {
    switch policy {
    case _ where running.isEmpty, .merge:
      running.append(run)
      return .start
    case .drop:
      return .drop
    case .latest:
      defer { running = [run] }
      return .replace(running)
    case .queue:
      waiting.append(run)
      return .wait
    }
  }

  /// A run ended. Returns the run that begins now. It counts as under way.
  public mutating func ended(_ run: Run) -> Run? {
    running.removeAll { $0 == run }
    guard running.isEmpty, !waiting.isEmpty else { return nil }
    let next = waiting.removeFirst()
    running.append(next)
    return next
  }

  /// Gives everything up. Returns the runs that were under way or waited, oldest first.
  public mutating func cancelAll() -> [Run] {
    defer {
      running = []
      waiting = []
    }
    return running + waiting
  }
}
