/// The answer to an input.
package struct InputAnswer: Message, Sendable {
  /// The session's revision after the input.
  package var revision = 0

  package init() {}

  /// The answer to an input that led to that revision.
  @inline(__always)
  package init(revision: Int) {
    self.revision = revision
  }

  @inline(__always)
  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("revision", &revision, "The session's revision after the input.")
  }
}
