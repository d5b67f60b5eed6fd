/// The effects of a session whose answers are wanted. An answer to any other is late, and ignored.
struct EffectsUnderWay {
  /// Who waits for an effect.
  enum Owner: Equatable {
    /// A check of the form (row 0), or of a row.
    case check(row: Int, Int)
    /// A run of an action, named by its tap.
    case run(action: Int, token: UInt64)
  }

  /// Oldest first.
  private(set) var all: [(id: EffectID, owner: Owner)] = []
  /// The name of the next effect; none is given twice.
  private(set) var nextID = EffectID(rawValue: 1)

  /// An effect begins. Returns its name, which was ``nextID``.
  mutating func begin(for owner: Owner) -> EffectID {
    defer { nextID.rawValue += 1 }
    all.append((nextID, owner))
    return nextID
  }

  /// An effect has its answer, or is given up. Returns who waited for it; nil when nobody did.
  @discardableResult
  mutating func end(_ id: EffectID) -> Owner? {
    all.firstIndex { $0.id == id }.map { all.remove(at: $0).owner }
  }

  /// All are given up.
  mutating func removeAll() { all = [] }
}
