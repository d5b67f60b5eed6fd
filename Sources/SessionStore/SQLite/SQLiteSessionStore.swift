internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// Keeps sessions in a SQLite file that this process alone has.
///
/// A caller that writes goes on at once: a thread of the store's own commits. Requests that come during a transaction
/// form the next one, so that under load many writes share a commit. Everything is done in the order of the requests.
/// Each completion is called on that thread, once its transaction is committed or has failed.
///
/// An acknowledged write is in the file. A write that fails leaves the earlier state, and for its sessions only whole
/// writes are accepted from then on. So the state of a session in the store is always the result of one write and the
/// writes before it. When the file as a whole cannot be written, the store is away (``StoreState``): writes fail at
/// once, and the store tries again until it is well.
package final class SQLiteSessionStore: Sendable {
  private let worker: StoreWorker<SQLiteStoreBackend>

  /// Opens the file, and makes it if there is none.
  ///
  /// - Parameters:
  ///   - retryInterval: how often a store that is away tries again.
  ///   - pagesMax: how many pages the file may have; nil: as many as SQLite allows.
  ///   - logPagesWanted: how many pages the log may have before they are moved into the file when no job waits.
  ///   - interruption: lets tests interrupt the store on the way of a commit.
  ///   - soon: calls its closure when the caller has sent all its current requests, so that they share a commit: by
  ///     default at once.
  ///   - onStateChange: called on the store's thread, each time the state changes.
  /// - Throws: ``StoreFailure`` when the file cannot be used, or another process has it.
  package init(
    path: String,
    durability: StoreDurability,
    retryInterval: Duration = .seconds(1),
    pagesMax: Int? = nil,
    logPagesWanted: Int = 4_096,
    interruption: StoreInterruption = StoreInterruption(),
    soon: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    onStateChange: @escaping @Sendable (StoreState) -> Void = { _ in }
  ) throws(StoreFailure) {
    let settings = SQLiteStoreBackend.Settings(
      path: path,
      durability: durability,
      pagesMax: pagesMax,
      logPagesWanted: logPagesWanted,
      retryInterval: retryInterval,
      interruption: interruption,
      onStateChange: onStateChange
    )
    worker = StoreWorker(try SQLiteStoreBackend(settings), soon: soon)
  }

  /// Writes a session.
  ///
  /// - Parameter completion: called when it is committed, or with the failure.
  package func write(_ write: SessionWrite, _ completion: @escaping @Sendable (Result<Void, StoreFailure>) -> Void) {
    worker.add(.write(write), completion)
  }

  /// Reads a session, with all earlier writes; nil when it is not there, or has expired: both take equally long.
  ///
  /// - Parameter now: in seconds since 1970.
  package func read(
    _ id: StoredSessionID,
    at now: Int64,
    _ completion: @escaping @Sendable (Result<StoredSession?, StoreFailure>) -> Void
  ) {
    worker.add(.read(id, at: now), completion)
  }

  /// Removes a session. Completes with whether it was there.
  package func remove(
    _ id: StoredSessionID,
    _ completion: @escaping @Sendable (Result<Bool, StoreFailure>) -> Void
  ) {
    worker.add(.remove(id), completion)
  }

  /// Finds expired sessions, the oldest first, at most so many; if there may be more, exactly so many. They stay until
  /// they are removed.
  ///
  /// - Parameter now: in seconds since 1970.
  package func expired(
    by now: Int64,
    atMost countMax: Int,
    _ completion: @escaping @Sendable (Result<[StoredSessionID], StoreFailure>) -> Void
  ) {
    worker.add(.expired(by: now, atMost: countMax), completion)
  }

  /// Copies the store, with all earlier writes, into a new file for its owner alone. Later requests wait for it.
  /// Completes with the size of the copy in bytes.
  package func backUp(to path: String, _ completion: @escaping @Sendable (Result<Int, StoreFailure>) -> Void) {
    worker.add(.backUp(to: path), completion)
  }

  /// Counts the sessions, including expired ones.
  package func count(_ completion: @escaping @Sendable (Result<Int, StoreFailure>) -> Void) {
    worker.add(.count, completion)
  }

  /// Does the requests so far, and closes the file. Later requests fail.
  ///
  /// - Parameter limit: the longest wait.
  /// - Returns: whether the file is closed.
  @discardableResult
  package func close(within limit: Duration = .seconds(60)) -> Bool { worker.close(within: limit) }
}

/// Lets tests interrupt a store at points on the way of a commit. In production it does nothing.
package struct StoreInterruption: Sendable {
  /// A point on the way of a commit.
  package enum Point: String, CaseIterable, Sendable {
    /// The transaction is about to begin.
    case beforeBegin
    /// All is written into it, and it is about to be committed.
    case beforeCommit
    /// It is in the log, and SQLite is about to report that.
    case inCommit
    /// It is committed, and no completion was called.
    case afterCommit
    /// All its completions were called.
    case afterCompletion
    /// The content of the log is about to be moved into the file.
    case beforeCheckpoint
    /// It is in the file.
    case afterCheckpoint
  }

  /// Called on the store's thread at each point.
  package var at: @Sendable (Point) -> Void

  /// An interruption that does this.
  package init(at: @escaping @Sendable (Point) -> Void = { _ in }) {
    self.at = at
  }
}
