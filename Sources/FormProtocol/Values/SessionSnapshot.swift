package import JSON

/// A session's document at a revision: where a program that merges updates begins. `formctl run --json` prints it.
///
/// It is no ``SessionState``, which always has the values: a client is told them with the opening, and not with what follows.
package struct SessionSnapshot: Message, Sendable {
  /// The session's number.
  package var session: Int64 = 0
  /// The session's revision.
  package var revision = 0
  /// The output document.
  package var document = JSON.object([:])
  /// The values; nil where only the document is told anew.
  package var values: JSONObject?
  /// What opens the session again; nil for one that is not kept, and where only the document is told anew.
  package var key: String?

  package init() {}

  /// That document.
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
    members.prepared("document", &document, "The output document.")
    members.optional("values", &values, "The values, secrets left out.")
    members.optional("key", &key, "What opens the session again, if it is kept.")
  }
}
