internal import JSON

/// What a snapshot is for, which decides what is left out of it.
public enum SnapshotUse: Sendable {
  /// To continue the session soon, with the same owner. It has secrets, and the user's current editing. It must never
  /// be written to a disk.
  case resuming
  /// To be kept in a store: without secrets, and as if the user had left every field. A field that had a secret is
  /// empty after a restore.
  case keeping
}

/// A session as bytes, for ``Engine/restore(_:from:at:)``. It has the values, the messages that the user has seen, the
/// results of actions, and the answers of lookups and checks. It also has the delayed values, the zone, and `now`.
/// Everything that is computed from these is left out. For requests under way, it only records that they existed.
///
/// It has parts, so that a small change writes few bytes: ``Engine/takeSnapshotChanges(of:for:)``.
public struct SessionSnapshot: Sendable {
  /// The bytes of each part.
  public private(set) var parts: [SnapshotPart: [UInt8]]

  /// A snapshot of those parts. Parts of callers, with negative numbers, may be among them.
  public init(parts: [SnapshotPart: [UInt8]]) {
    self.parts = parts
  }

  /// The version of its form, or nil if the snapshot does not have it.
  public var formVersion: Int? {
    let opening = parts[SnapshotPart(.opening)].flatMap { try? JSON(parsing: $0) }
    return opening?["version"]?.integerValue.map { Int(clamping: $0) }
  }

  /// Brings it to the state after those changes, which must be the next ones of its session.
  public mutating func apply(_ changes: SnapshotChanges) {
    if changes.isWhole { parts = parts.filter { $0.key.rawValue < 0 } }
    for (part, bytes) in changes.parts { parts[part] = bytes }
  }
}

/// The difference between two snapshots of a session.
public struct SnapshotChanges: Sendable {
  /// Whether it is a whole snapshot. If so, the engine's earlier parts are not valid any more.
  public var isWhole: Bool
  /// Parts with their new bytes, or nil if the part is gone. No part is there twice.
  public var parts: [(part: SnapshotPart, bytes: [UInt8]?)]

  /// Changes of those parts.
  public init(isWhole: Bool = false, parts: [(part: SnapshotPart, bytes: [UInt8]?)] = []) {
    self.isWhole = isWhole
    self.parts = parts
  }

  /// Whether nothing has changed.
  public var isEmpty: Bool { parts.isEmpty && !isWhole }
}

/// The reason why a snapshot cannot be restored.
public struct SnapshotError: Error, Sendable, CustomStringConvertible {
  /// One sentence.
  public let description: String
}
