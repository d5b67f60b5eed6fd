/// The changes that a field's throttle or debounce holds back, in order. They take effect together.
struct HeldChanges {
  /// One change, with its options and its sender (``Engine/apply(_:to:by:at:)``, or nobody if it was not noted).
  typealias Change = (change: FieldChange, origin: Origin, isComposing: Bool, sender: Sender)

  /// How many changes of one field may be held back. A whole value replaces the changes before it, and parts of a value
  /// take effect early.
  private static let countMax = 64

  private(set) var all: [Change] = []
  /// Their bytes together, by ``Session/heldBytes(of:)``.
  private(set) var bytes = 0
  /// Whether the last change has replaced a change from another client.
  private(set) var replacesOfOthers = false

  /// From now on that client counts as the sender of all changes.
  mutating func sent(by sender: Sender) {
    for index in all.indices { all[index].sender = sender }
  }

  /// Adds a change.
  ///
  /// - Returns: whether there are now more than allowed.
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
