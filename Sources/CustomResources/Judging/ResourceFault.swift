package import JSON

/// One thing that is wrong with an object.
package struct ResourceFault: Sendable, Hashable {
  /// Where in the object.
  package var pointer: JSONPointer
  /// What kind of fault it is: a keyword of JSON Schema, or the reason that a rule gives.
  package var code: String
  /// What is wrong, in one sentence.
  package var message: String
  /// Where the keyword or the rule stands, in the schema of the version.
  package var keywordLocation: JSONPointer
  /// Whether something is missing there.
  package var isLack = false
  /// Whether the server lets it through, because it is about what an update leaves as it was.
  package var isTolerated = false
}
