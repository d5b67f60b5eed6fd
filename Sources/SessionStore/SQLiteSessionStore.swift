internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// Keeps sessions in a SQLite file that this process alone has.
///
/// Whoever writes goes on at once: a thread of the store's own commits. What comes while a transaction runs is the next one, so that under load
/// many writes share a commit. Everything is done in the order in which it was asked for, and each completion is called on that thread, once
/// its transaction is committed or has failed.
///
/// What was acknowledged is in the file. A write that fails leaves what was there before, and of its sessions only whole writes are taken from
/// then on: what is in the store of one session is always what one write, and those before it, have made of it. When the file as a whole
/// cannot be written, the store is away (``StoreState``): writes fail at once, and the store tries again until it is well.
package final class SQLiteSessionStore: Sendable {
  private let queue: StoreQueue<StoreJob>
  private let worker: StoreWorker

  /// Opens the file, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - retryInterval: how often a store that is away tries again.
  ///   - pagesMax: how many pages the file may have; nil: as many as SQLite takes.
  ///   - logPagesWanted: how many pages may stand in the log before they are brought into the file when nobody waits.
  ///   - faults: what tests do at points on the way of a commit.
  ///   - soon: calls what it is given when whoever asks has asked for all that he has to ask now, so that it shares a commit: by default at once.
  ///   - onStateChange: told on the store's thread, each time the state is another one.
  /// - Throws: ``StoreFailure`` when the file cannot be used, or another process has it.
  package init(
    path: String,
    durability: StoreDurability,
    retryInterval: Duration = .seconds(1),
    pagesMax: Int? = nil,
    logPagesWanted: Int = 4_096,
    faults: StoreFaults = StoreFaults(),
    soon: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    onStateChange: @escaping @Sendable (StoreState) -> Void = { _ in }
  ) throws(StoreFailure) {
    let queue = StoreQueue<StoreJob>(soon: soon)
    let settings = StoreWorker.Settings(
      path: path,
      durability: durability,
      pagesMax: pagesMax,
      logPagesWanted: logPagesWanted,
      retryInterval: retryInterval,
      faults: faults,
      onStateChange: onStateChange
    )
    worker = try StoreWorker(settings, queue)
    self.queue = queue
    worker.start()
  }

  /// Writes sessions; all of them in one transaction, or none. Those whose parts depend on each other go together.
  ///
  /// - Parameter completion: told when they are committed, or why they are not.
  package func write(
    _ writes: [SessionWrite],
    _ completion: @escaping @Sendable (Result<Void, StoreFailure>) -> Void
  ) {
    queue.append(.write(writes, completion))
  }

  /// Reads a session, as the writes before have left it; nil when it is not there, or its time is over: that takes as long.
  ///
  /// - Parameter now: in seconds since 1970.
  package func read(
    _ id: StoredSessionID,
    at now: Int64,
    _ completion: @escaping @Sendable (Result<StoredSession?, StoreFailure>) -> Void
  ) {
    queue.append(.read(id, now, completion))
  }

  /// Removes a session. Completes with whether it was there.
  package func remove(
    _ id: StoredSessionID,
    _ completion: @escaping @Sendable (Result<Bool, StoreFailure>) -> Void
  ) {
    queue.append(.remove(id, completion))
  }

  /// Finds sessions whose time is over, the oldest first, at most so many: as many as asked for when there may be more. They stay until they
  /// are removed.
  ///
  /// - Parameter now: in seconds since 1970.
  package func expired(
    by now: Int64,
    atMost countMax: Int,
    _ completion: @escaping @Sendable (Result<[StoredSessionID], StoreFailure>) -> Void
  ) {
    queue.append(.expired(now, countMax, completion))
  }

  /// Counts what is in the store. The work grows with the number of sessions.
  package func count(_ completion: @escaping @Sendable (Result<StoreCounts, StoreFailure>) -> Void) {
    queue.append(.count(completion))
  }

  /// Does what was asked for so far, and lets the file go. What is asked for later fails.
  ///
  /// - Parameter limit: for how long it waits at most.
  /// - Returns: whether the file is closed.
  @discardableResult
  package func close(within limit: Duration = .seconds(60)) -> Bool {
    queue.close()
    return worker.waitForEnd(within: limit)
  }
}

/// What tests do at points on the way of a commit. Nothing, elsewhere.
package struct StoreFaults: Sendable {
  /// A point on the way of a commit.
  package enum Point: String, CaseIterable, Sendable {
    /// The transaction is about to begin.
    case beforeBegin
    /// All is written into it, and it is about to be committed.
    case beforeCommit
    /// It stands in the log, and SQLite is about to say so.
    case inCommit
    /// It is committed, and nobody has been told.
    case afterCommit
    /// All who asked for it have been told.
    case afterCompletion
    /// What stands in the log is about to be brought into the file.
    case beforeCheckpoint
    /// It is in the file.
    case afterCheckpoint
  }

  /// Called on the store's thread at each point.
  package var at: @Sendable (Point) -> Void

  /// Faults that do this.
  package init(at: @escaping @Sendable (Point) -> Void = { _ in }) {
    self.at = at
  }
}
