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
