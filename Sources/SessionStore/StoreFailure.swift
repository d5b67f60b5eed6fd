/// The reason why a store does not do a request.
package struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of the problem.
  package enum Reason: String, Sendable {
    /// The disk is full, or the file's limit is reached.
    case full
    /// Another process has the file.
    case locked
    /// The file or its folder cannot be written.
    case readOnly
    /// The file is not a database of this kind, or is damaged.
    case damaged
    /// The file is gone, or another file has replaced it.
    case removed
    /// A newer version of this program has made the tables.
    case newer
    /// The session is not in the store, or a write of it has failed before: only a whole write is accepted.
    case outOfStep
    /// The session belongs to another daemon now, or to none.
    case notOwned
    /// The session was asked for, and does not belong to this daemon any more. It was given to the daemon that asked,
    /// or another daemon has taken it, or it was removed.
    case moved
    /// The session keeps moving between daemons.
    case busy
    /// One value is larger than the store accepts.
    case tooLarge
    /// The store was closed.
    case closed
    /// Any other error of the database or the system.
    case other
  }

  package let reason: Reason
  /// One sentence: the file, the problem, and what to do. It holds no part of a session.
  package let description: String

  package init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }

  static let closed = StoreFailure(.closed, "the store is closed")

  /// The session belongs to another daemon, or to none.
  package static let notOwned = StoreFailure(
    .notOwned,
    "the session no longer belongs to this daemon: another daemon has it, or its lease has expired"
  )

  /// The session does not belong to this daemon any more. This is also how a session ends here that was given away.
  package static let moved = StoreFailure(.moved, "the session has moved to another daemon")

  static let wantsWhole = StoreFailure(
    .outOfStep,
    "the store lacks an earlier write of a session: write the whole session"
  )

  static func notAFile(_ path: String) -> StoreFailure {
    StoreFailure(.damaged, "the store \(path) is not a regular file: choose another path for the store")
  }

  /// Whether only the current writes are concerned, and not the store as a whole.
  var concernsOneSession: Bool { reason == .outOfStep || reason == .tooLarge || reason == .notOwned }
}

/// Whether a store can be written.
package enum StoreState: Equatable, Sendable {
  /// Writes are committed.
  case well
  /// No write is done because of this failure; the store goes on trying.
  case away(StoreFailure)
}
