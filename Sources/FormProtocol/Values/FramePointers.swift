package import JSON

/// Pointers to values in a message as a whole, for programs that compare recorded messages with others.
package enum FramePointers {
  /// Numbers of sessions, which differ from run to run.
  package static let sessions = [
    JSONPointer(tokens: ["params", "session"]), JSONPointer(tokens: ["result", "session"]),
  ]

  /// Documents and patches: a document with more members has another meaning.
  package static let documents = [
    JSONPointer(tokens: ["params", "patch"]), JSONPointer(tokens: ["result", "document"]),
  ]
}
