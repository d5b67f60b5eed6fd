package import FormProtocol
internal import JSON
internal import SourceTexts
internal import Texts

#if canImport(Glibc)
  internal import Glibc
#endif

/// The roles of a user or of a group of the machine: one entry of `peers`.
package struct PeerConfiguration: Hashable, Sendable {
  /// A user or a group, by number.
  package enum Subject: Hashable, Sendable {
    case user(UInt32)
    case group(UInt32)
  }

  /// The user or group that has the roles.
  package var subject: Subject
  /// The roles, which decide the methods that it may call.
  package var roles: Set<Role>

  package init(_ subject: Subject, roles: Set<Role>) {
    self.subject = subject
    self.roles = roles
  }
}

extension PeerConfiguration.Subject {
  /// The user of that name, as this machine knows it now (getpwnam(3)). If no user has that name, a
  /// number is the number of the user, as for chown(1).
  ///
  /// - Returns: nil if there is no such user.
  init?(user name: String) {
    guard let number = UserDatabase.userID(of: name) else { return nil }
    self = .user(number)
  }

  /// The group of that name (getgrnam(3)), or of that number.
  ///
  /// - Returns: nil if there is no such group.
  init?(group name: String) {
    guard let number = UserDatabase.groupID(of: name) else { return nil }
    self = .group(number)
  }
}

/// The users and groups that this machine knows.
private enum UserDatabase {
  static func userID(of name: String) -> UInt32? {
    number(of: name) { memory, size in
      var entry = passwd()
      var found: UnsafeMutablePointer<passwd>?
      let code = getpwnam_r(name, &entry, memory, size, &found)
      return (code, found.map(\.pointee.pw_uid))
    }
  }

  static func groupID(of name: String) -> UInt32? {
    number(of: name) { memory, size in
      var entry = group()
      var found: UnsafeMutablePointer<group>?
      let code = getgrnam_r(name, &entry, memory, size, &found)
      return (code, found.map(\.pointee.gr_gid))
    }
  }

  /// Asks with more and more memory, because a group may have many members.
  private static func number(
    of name: String,
    _ look: (UnsafeMutablePointer<CChar>, Int) -> (code: CInt, number: UInt32?)
  ) -> UInt32? {
    var memory = [CChar](repeating: 0, count: 1024)
    while memory.count <= 1 << 20 {
      let answer = look(&memory, memory.count)
      if answer.code != ERANGE { return answer.number ?? UInt32(name) }
      memory = [CChar](repeating: 0, count: 4 * memory.count)
    }
    return nil
  }
}

extension ServerConfiguration {
  /// The roles of a user of the machine. The daemon's own user and root have all roles, because they can do everything
  /// that the daemon can do.
  ///
  /// - Parameters:
  ///   - groupIDs: the groups of the user's process.
  ///   - daemon: the daemon's user; nil: the user of this process.
  /// - Returns: no roles for a user who may not connect.
  package func roles(of userID: UInt32, groupIDs: [UInt32], daemon: UInt32? = nil) -> Set<Role> {
    if userID == daemon ?? geteuid() || userID == 0 { return Role.all }
    return peers.reduce(into: []) { roles, peer in
      switch peer.subject {
      case .user(let number) where number == userID: roles.formUnion(peer.roles)
      case .group(let number) where groupIDs.contains(number): roles.formUnion(peer.roles)
      default: break
      }
    }
  }
}

extension PeerConfiguration {
  /// The keys of a peer, each with its schema.
  static let keys: JSONObject = [
    "user": ["type": "string", "minLength": 1, "description": "The name of a user, or a number."],
    "group": [
      "type": "string", "minLength": 1,
      "description": "The name of a group, or a number. A process has the groups that it had when it connected.",
    ],
    "roles": [
      "type": "array", "minItems": 1, "items": .object(Role.schema),
      "description":
        "client: opens forms and sessions. provider: answers for providers. operator: watches the daemon and its clients, disconnects clients, reloads and makes backups. A user has the roles of all its entries.",
    ],
  ]

  /// The schema of a peer.
  static let schema: JSON = [
    "description": "A user or a group, and its roles.",
    "type": "object", "additionalProperties": false, "required": ["roles"],
    "oneOf": [["required": ["user"]], ["required": ["group"]]],
    "properties": .object(keys),
  ]
}

extension ConfigurationReader {
  /// Nil if a problem was reported.
  mutating func peer(_ json: JSON, at location: [String]) -> PeerConfiguration? {
    let roles = Set((json["roles"]?.strings ?? []).compactMap { Role(wireName: $0) })
    let (key, name) = json["user"]?.stringValue.map { ("user", $0) } ?? ("group", json["group"]?.stringValue ?? "")
    let subject = key == "user" ? PeerConfiguration.Subject(user: name) : PeerConfiguration.Subject(group: name)
    if let subject { return PeerConfiguration(subject, roles: roles) }
    collector.report(
      "unknownName",
      at: JSONPointer(tokens: location + [key]),
      "there is no \(key) \"\(name.printable)\" on this machine",
      remedy: "write the name of a \(key) that exists, or a number"
    )
    return nil
  }
}
