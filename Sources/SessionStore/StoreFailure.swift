/// Why a store does not do what it was asked to.
package struct StoreFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is in the way.
  package enum Reason: String, Sendable {
    /// The disk, or what the file may take of it, is full.
    case full
    /// Another process has the file.
    case locked
    /// The file or its folder cannot be written.
    case readOnly
    /// The file is no database of this kind, or is damaged.
    case damaged
    /// The file is gone, or another has taken its place.
    case removed
    /// A newer version of this program has written the file.
    case newer
    /// The session is not in the store, or a write of it has failed before: only a whole one is taken.
    case outOfStep
    /// The session is another daemon's now, or nobody's.
    case lost
    /// As many wait for sessions of other daemons as may.
    case busy
    /// One value is larger than the store takes.
    case tooLarge
    /// The store was closed.
    case closed
    /// Anything else that SQLite or the system says.
    case other
  }

  /// What is in the way.
  package let reason: Reason
  /// One sentence: which file, what is wrong with it, and what to do. No part of a session is in it.
  package let description: String

  /// A failure of that reason.
  package init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }

  /// Whether only the writes at hand are concerned, and not the store as a whole.
  var concernsOneSession: Bool { reason == .outOfStep || reason == .tooLarge || reason == .lost }
}

/// Whether a store can be written.
package enum StoreState: Equatable, Sendable {
  /// What is written is committed.
  case well
  /// Nothing is written, for this reason; the store goes on trying whether it can.
  case away(StoreFailure)
}
