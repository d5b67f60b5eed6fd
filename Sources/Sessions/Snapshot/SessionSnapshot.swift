internal import JSON

/// For what a snapshot is made.
public enum SnapshotUse: Sendable {
  /// To go on soon, in the same hands: with secrets, and with what the user is just editing. Never for a disk.
  case resuming
  /// To be kept in a store: without secrets, and as if the user had left every field. A field that had a secret is empty after a restore.
  case keeping
}

/// A session as bytes, for ``Engine/restore(_:from:at:)``: the values, which messages the user has seen, the results of actions, what lookups
/// have found and checks were told, what is held back, the zone and what `now` says. Whatever is computed from these is left out. Of requests
/// under way it says only that there were some.
///
/// It is in parts, so that little is to be written when little has changed: ``Engine/takeSnapshotChanges(of:for:)``.
public struct SessionSnapshot: Sendable {
  /// The bytes of each part.
  public private(set) var parts: [SnapshotPart: [UInt8]]

  /// A snapshot of those parts. Parts of others, with negative numbers, may be among them.
  public init(parts: [SnapshotPart: [UInt8]]) {
    self.parts = parts
  }

  /// The version of the form that it is of; nil where it does not say.
  public var formVersion: Int? {
    let opening = parts[SnapshotPart(.opening)].flatMap { try? JSON(parsing: $0) }
    return opening?["version"]?.integerValue.map { Int(clamping: $0) }
  }

  /// Brings it up to date.
  public mutating func apply(_ changes: SnapshotChanges) {
    if changes.isWhole { parts = parts.filter { $0.key.rawValue < 0 } }
    for (part, bytes) in changes.parts { parts[part] = bytes }
  }
}

/// What has changed in a snapshot.
public struct SnapshotChanges: Sendable {
  /// Whether it is a whole snapshot: no part of the engine's from before is valid any more.
  public var isWhole: Bool
  /// Parts with their new bytes; nil: the part is gone. None twice.
  public var parts: [(part: SnapshotPart, bytes: [UInt8]?)]

  /// Changes of those parts.
  public init(isWhole: Bool = false, parts: [(part: SnapshotPart, bytes: [UInt8]?)] = []) {
    self.isWhole = isWhole
    self.parts = parts
  }

  /// Whether nothing has changed.
  public var isEmpty: Bool { parts.isEmpty && !isWhole }
}

/// Why a snapshot cannot be restored.
public struct SnapshotError: Error, Sendable, CustomStringConvertible {
  /// One sentence.
  public let description: String
}
