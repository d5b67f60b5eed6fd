package import SessionStore

/// Where kept sessions are stored.
package struct StoreConfiguration: Hashable, Sendable {
  /// The SQLite file, made where there is none.
  package var path: String
  /// What a commit survives.
  package var durability: StoreDurability

  /// A file with that durability.
  package init(path: String, durability: StoreDurability = .normal) {
    self.path = path
    self.durability = durability
  }
}
