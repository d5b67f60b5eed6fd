/// One rule for clients, and the part of the daemon that shows whether a client follows the rule.
package struct Scenario: Sendable {
  /// The name, for the command line and the table of results.
  package let name: String
  /// The behaviour of the daemon, as a sentence without its subject.
  package let daemon: String
  /// The behaviour that the client must have, in the same way.
  package let client: String
  /// The page that says so, with the section, below `protocol`.
  package let page: String
  /// Plays the part.
  private let script: @Sendable (Play) throws(KitFailure) -> Void

  init(
    _ name: String,
    daemon: String,
    client: String,
    page: String,
    _ script: @escaping @Sendable (Play) throws(KitFailure) -> Void
  ) {
    self.name = name
    self.daemon = daemon
    self.client = client
    self.page = page
    self.script = script
  }

  /// All scenarios, in the order in which they are played.
  package static let all = [documents, returns, endings].flatMap { $0 }

  /// Plays the scenario with a new adapter.
  ///
  /// - Parameters:
  ///   - adapter: an adapter that has done nothing yet.
  ///   - patience: how long the daemon waits for each step of the client.
  /// - Throws: ``KitFailure`` if the client does something else than it must.
  package func play(with adapter: Adapter, patience: Duration) throws(KitFailure) {
    try script(try Play(adapter: adapter, patience: patience))
  }
}
