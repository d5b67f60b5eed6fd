package import FormProtocol
package import JSON

/// A client's copy of one session's document, kept current by merging what arrives (RFC 7396).
package struct DocumentReplica: Sendable {
  /// The session's number.
  package let session: Int64
  /// The document as of `revision`.
  package private(set) var document: JSON
  /// The last turn that is in the document.
  package private(set) var revision: Int
  /// Whether something is missing, so that the document must be asked for again. No update is merged until then.
  package private(set) var isOutdated = false
  /// Events that were lost since the document was last whole.
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

  /// What an update came to.
  package enum Outcome: Sendable, Equatable {
    /// The update is in the document now.
    case merged
    /// The update does not follow what is here: the document must be asked for again.
    case outdated
    /// The update was in the document already.
    case old
  }

  /// An update arrived.
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

  /// The daemon says that updates were lost, and so many events.
  package mutating func desynchronized(eventsLost: Int) {
    isOutdated = true
    self.eventsLost += eventsLost
  }

  /// The document was asked for: everything is current again.
  package mutating func replaced(by current: CurrentSession) {
    document = current.document
    revision = current.revision
    isOutdated = false
    eventsLost = 0
  }
}
