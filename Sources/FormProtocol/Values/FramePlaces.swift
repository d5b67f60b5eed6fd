package import JSON

/// Where things stand in a message as a whole, for programs that compare recorded messages with others.
package enum FramePlaces {
  /// Numbers of sessions, which differ from run to run.
  package static let sessions = [
    JSONPointer(tokens: ["params", "session"]), JSONPointer(tokens: ["result", "session"]),
  ]

  /// Documents and patches: one with more members says something else.
  package static let documents = [
    JSONPointer(tokens: ["params", "patch"]), JSONPointer(tokens: ["result", "document"]),
  ]
}
