/// Why the process cannot start, and what to do about it.
package struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One or two sentences for the operator.
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}
