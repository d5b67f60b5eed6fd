package import FormProtocol
package import JSON

/// A client's copy of one session's document, kept current by merging the updates (RFC 7396).
package struct DocumentReplica: Sendable {
  /// The session's number.
  package let session: Int64
  /// The document as of `revision`.
  package private(set) var document: JSON
  /// The last turn that is in the document.
  package private(set) var revision: Int
  /// Whether an update is missing, so that the document must be requested again. No update is merged until then.
  package private(set) var isOutdated = false
  /// The number of lost events since the document was last complete.
  package private(set) var eventsLost = 0

  /// The copy of a session that was just opened.
  package init(_ state: SessionState) {
    session = state.session
    revision = state.revision
    document = state.document
  }

  /// The copy of a kept session.
  package init(_ attached: AttachedSession) {
    session = attached.session
    revision = attached.revision
    document = attached.document
  }

  /// The result of an update.
  package enum Outcome: Sendable, Equatable {
    /// The update was merged into the document.
    case merged
    /// The update does not follow the copy's revision: the document must be requested again.
    case outdated
    /// The document had the update already.
    case old
  }

  /// Merges an update.
  package mutating func updated(_ update: SessionUpdate) -> Outcome {
    guard !isOutdated else { return .outdated }
    if update.head.revision <= revision { return .old }
    guard update.head.from == revision else {
      isOutdated = true
      return .outdated
    }
    document.merge(update.patch)
    revision = update.head.revision
    return .merged
  }

  /// Notes that the daemon lost updates, and that number of events.
  package mutating func desynchronized(eventsLost: Int) {
    isOutdated = true
    self.eventsLost += eventsLost
  }

  /// Replaces the document with the current one.
  package mutating func replaced(by current: CurrentSession) {
    document = current.document
    revision = current.revision
    isOutdated = false
    eventsLost = 0
  }
}
