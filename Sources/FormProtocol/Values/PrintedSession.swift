package import JSON

/// A session's document at a revision: the start for a program that merges updates. `formctl run --json` prints it.
///
/// It is not a ``SessionState``, which always has the values: a client gets them at the opening, but not afterwards.
package struct PrintedSession: Message, Sendable {
  /// The session's number.
  package var session: Int64 = 0
  /// The session's revision.
  package var revision = 0
  /// The output document.
  package var document = JSON.object([:])
  /// The values; nil if only the document is sent again.
  package var values: JSONObject?
  /// The key that opens the session again; nil for a session that is not kept, and if only the document is sent again.
  package var key: String?

  package init() {}

  package init(session: Int64, revision: Int, document: JSON, values: JSONObject?, key: String? = nil) {
    self.session = session
    self.revision = revision
    self.document = document
    self.values = values
    self.key = key
  }

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("session", &session, "The session.")
    members.required("revision", &revision, "The session's revision.")
    members.prepared("document", &document, as: OutputDocument.self, "The output document.")
    members.optional("values", &values, "The values, without secrets.")
    members.optional("key", &key, "What opens the session again, if it is kept.")
  }
}
