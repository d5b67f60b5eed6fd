/// The changes that a field's throttle or debounce holds back, in order. They take effect together.
struct HeldChanges {
  /// One change, with what came with it, and who sent it (``Engine/sender``; 0 where that was not noted).
  typealias Change = (change: FieldChange, origin: Origin, isComposing: Bool, sender: Int32)

  /// How many changes of one field may be held back. A whole value replaces those before it; parts of a value take effect early.
  private static let countMax = 64

  private(set) var all: [Change] = []
  /// Their bytes together, by ``Session/heldBytes(of:)``.
  private(set) var bytes = 0
  /// Whether the last change has taken the place of one that somebody else sent.
  private(set) var replacesOfOthers = false

  /// From now on all of them count as sent by that one.
  mutating func sent(by sender: Int32) {
    for index in all.indices { all[index].sender = sender }
  }

  /// Adds a change.
  ///
  /// - Returns: whether there are now more than may be held back.
  mutating func append(_ change: Change, bytes: Int) -> Bool {
    let isFull = all.count == Self.countMax
    let replacesOthers = change.change.path.isEmpty && (change.origin == .user || isFull)
    if replacesOthers {
      let replacesOfOthers = self.replacesOfOthers || all.contains { $0.sender != change.sender }
      self = HeldChanges()
      self.replacesOfOthers = replacesOfOthers
    }
    all.append(change)
    self.bytes += bytes
    return isFull && !replacesOthers
  }
}
