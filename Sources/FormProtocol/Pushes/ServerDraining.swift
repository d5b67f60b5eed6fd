/// The daemon is ending.
package struct ServerDraining: Push {
  /// How long the daemon waits for requests, in milliseconds.
  package var withinMs = 0

  package init() {}

  /// Accepted requests are answered within that time.
  package init(withinMs: Int) {
    self.withinMs = withinMs
  }

  package static let schemaName: StaticString? = "ServerDraining"

  package mutating func list(_ members: inout some MessageVisitor) {
    members.required("withinMs", &withinMs, "Accepted requests are answered within this number of milliseconds.")
  }

  package static let push = PushMethod.serverDraining
  package static let pushTitle = "The daemon is ending"
  package static var pushExample: Self { Self(withinMs: 5000) }
}
