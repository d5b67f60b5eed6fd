internal import Texts

/// The positions of an object's members, by name, in an open-addressed table that is half full at most.
///
/// The hash has a seed of the process, so that a client cannot choose names that collide.
struct NameIndex: Sendable {
  /// By hash: a position, or -1. The array holds nothing else, so that an object takes two words.
  private var slots: [Int32]

  /// The index of members; nil if two members have one name.
  init?(of members: [JSONObject.Member]) {
    var size = 32
    while size < members.count * 2 { size *= 2 }
    slots = [Int32](repeating: -1, count: size)
    for position in members.indices {
      guard add(position, in: members) else { return nil }
    }
  }

  /// The position of the member of that name; nil if there is none.
  func position(of name: String, in members: [JSONObject.Member]) -> Int? {
    let position = slots[slot(of: name, in: members)]
    return position < 0 ? nil : Int(position)
  }

  /// Adds the last member, whose position that is; false if another member has its name.
  mutating func add(_ position: Int, in members: [JSONObject.Member]) -> Bool {
    if (position + 1) * 2 > slots.count {
      guard let larger = NameIndex(of: members) else { return false }
      self = larger
      return true
    }
    let slot = slot(of: members[position].name, in: members)
    guard slots[slot] < 0 else { return false }
    slots[slot] = Int32(truncatingIfNeeded: position)
    return true
  }

  /// The slot with the position of a name, or the free slot for it.
  private func slot(of name: String, in members: [JSONObject.Member]) -> Int {
    var hasher = Hasher()
    name.hashUTF8(into: &hasher)
    let mask = slots.count - 1
    var slot = hasher.finalize() & mask
    while slots[slot] >= 0, !members[Int(slots[slot])].name.hasSameUTF8(as: name) { slot = (slot + 1) & mask }
    return slot
  }
}
