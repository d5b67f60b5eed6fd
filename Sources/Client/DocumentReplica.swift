package import JSON

/// A client's copy of one session's document, kept current by merging what arrives (RFC 7396).
package struct DocumentReplica: Sendable {
  /// The session's number.
  package let session: Int64
  /// The document as of `revision`.
  package private(set) var document: JSON
  /// The last turn that is in the document.
  package private(set) var revision: Int64
  /// Whether something is missing: the document must be asked for again (`session/get`). No update is merged until then.
  package private(set) var isOutdated = false

  /// The copy that `session/open`, `session/get` or `session/attach` answered with; nil when the answer is no such thing.
  package init?(answer: JSON) {
    guard let session = answer["session"]?.integerValue, let revision = answer["revision"]?.integerValue,
      let document = answer["document"]
    else { return nil }
    self.session = session
    self.revision = revision
    self.document = document
  }

  /// What an update came to.
  package enum Outcome: Sendable, Equatable {
    /// It is in the document now.
    case merged
    /// It does not follow what is here: ask again.
    case outdated
    /// It was here already.
    case old
  }

  /// Takes in the params of a `session/update`.
  package mutating func updated(_ params: JSON) -> Outcome {
    guard !isOutdated, let revision = params["revision"]?.integerValue else { return .outdated }
    if revision <= self.revision { return .old }
    guard params["from"]?.integerValue == self.revision else {
      isOutdated = true
      return .outdated
    }
    if let patch = params["patch"] { document.merge(patch) }
    self.revision = revision
    return .merged
  }

  /// A `session/desync` arrived: updates were lost.
  package mutating func desynchronised() {
    isOutdated = true
  }

  /// The answer to `session/get`: everything is current again.
  package mutating func replaced(by answer: JSON) {
    guard let revision = answer["revision"]?.integerValue, let document = answer["document"] else { return }
    self.document = document
    self.revision = revision
    isOutdated = false
  }
}
