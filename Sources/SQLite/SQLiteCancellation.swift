internal import Synchronization

/// Ends statements that are running on another thread. See ``SQLiteConnection/run(until:_:)``.
///
/// A statement asks the flag while it runs. `sqlite3_interrupt` has no effect when it is called just before a statement
/// begins, and it can hit the next statement of the connection. The flag has neither problem.
package final class SQLiteCancellation: Sendable {
  private let flag = Atomic(false)

  package init() {}

  /// Whether ``cancel()`` was called.
  package var isCancelled: Bool { flag.load(ordering: .relaxed) }

  /// Ends the statements. Any thread may call this, any number of times.
  package func cancel() { flag.store(true, ordering: .relaxed) }
}
