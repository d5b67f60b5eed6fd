/// A scenario failed: the client broke its rule, or the scenario could not be played. The description says how.
package struct KitFailure: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
