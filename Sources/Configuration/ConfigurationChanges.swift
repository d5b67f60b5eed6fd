package import JSON
internal import Texts

/// The members of a configuration file. They may contain secrets, so no text shows them.
package struct ConfigurationMembers: Sendable, CustomStringConvertible, CustomReflectable {
  /// The members.
  package var object: JSONObject

  package init(_ object: JSONObject = [:]) {
    self.object = object
  }

  package var description: String { "(members)" }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The differences between the configuration in force and the configuration that a reload has read.
package struct ConfigurationChanges: Hashable, Sendable {
  /// Members that only the start of the daemon reads: sockets and files that it opens once.
  fileprivate static let membersOfStart = ["socket", "store", "metrics", "audit"]
  /// Members that the daemon does not read.
  private static let membersOfOthers = ["$schema", "web"]

  /// The changed settings that a running daemon takes over, such as `limits.sessionsMax` and `services.shop`. They have
  /// names only, never a value.
  package private(set) var followed: [String] = []
  /// The changed settings that a daemon takes over only when it starts.
  package private(set) var needRestart: [String] = []
  /// Whether services or databases have changed.
  package private(set) var concernActions = false

  /// The differences between two configurations.
  package init(from old: ServerConfiguration, to new: ServerConfiguration) {
    for name in Self.changedNames(old.members.object, new.members.object)
    where !Self.membersOfOthers.contains(name) {
      if Self.membersOfStart.contains(name) {
        needRestart.append(name)
        continue
      }
      if name == "services" || name == "databases" { concernActions = true }
      switch (old.members.object[name] ?? .object([:]), new.members.object[name] ?? .object([:])) {
      case (.object(let old), .object(let new)):
        followed += Self.changedNames(old, new).map { "\(name).\($0.printable)" }
      default: followed.append(name)
      }
    }
  }

  /// The names of the members that differ, in their order.
  private static func changedNames(_ old: JSONObject, _ new: JSONObject) -> [String] {
    (new.names + old.names.filter { new[$0] == nil }).filter { old[$0] != new[$0] }
  }
}

extension ServerConfiguration {
  /// These settings for a daemon that has started with others: settings that only the start reads stay as they were.
  package func following(_ started: ServerConfiguration) -> ServerConfiguration {
    var result = self
    (result.socket, result.store, result.metrics) = (started.socket, started.store, started.metrics)
    result.auditFile = started.auditFile
    // The next reload reports these differences again.
    for name in ConfigurationChanges.membersOfStart { result.members.object[name] = started.members.object[name] }
    return result
  }

  /// An option overrides a member of the file.
  package mutating func override(_ name: String, _ inner: String? = nil) {
    guard let inner else {
      members.object[name] = nil
      return
    }
    guard var object = members.object[name]?.objectValue else { return }
    object[inner] = nil
    members.object[name] = .object(object)
  }
}
