/// The effects of a session whose answers are wanted. An answer to any other effect is late, and ignored.
struct EffectsUnderWay {
  /// The owner that waits for an effect.
  enum Owner: Equatable {
    /// A check or a lookup of the form.
    case inquiry(Inquirer)
    /// A check or a lookup of rows. ``SharedInquiries`` knows which of them wait.
    case rows
    /// A run of an action, named by its tap.
    case run(action: Int, token: UInt64)

    /// Whether it asks and changes nothing.
    var onlyAsks: Bool {
      switch self {
      case .inquiry, .rows: true
      case .run: false
      }
    }
  }

  /// Oldest first.
  private(set) var all: [(id: EffectID, owner: Owner)] = []
  /// The name of the next effect. No name is given twice.
  private(set) var nextID = EffectID(rawValue: 1)

  /// Takes the next name for an effect that is to begin later.
  mutating func reserve() -> EffectID {
    defer { nextID.rawValue += 1 }
    return nextID
  }

  /// An effect with a reserved name begins.
  mutating func begin(_ id: EffectID, for owner: Owner) { all.append((id, owner)) }

  /// An effect begins. Returns its name, which was ``nextID``.
  mutating func begin(for owner: Owner) -> EffectID {
    defer { nextID.rawValue += 1 }
    all.append((nextID, owner))
    return nextID
  }

  /// Removes an effect that has its answer or is given up. Returns the owner that waited for it, or nil if none did.
  @discardableResult
  mutating func end(_ id: EffectID) -> Owner? {
    all.firstIndex { $0.id == id }.map { all.remove(at: $0).owner }
  }

  /// The owner that waits for an effect, or nil if none does.
  func owner(of id: EffectID) -> Owner? { all.first { $0.id == id }?.owner }

  /// Removes effects that are given up.
  mutating func end(_ ids: [EffectID]) { all.removeAll { ids.contains($0.id) } }

  /// Whether an effect's answer is wanted.
  func contains(_ id: EffectID) -> Bool { all.contains { $0.id == id } }
}
