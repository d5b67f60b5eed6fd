internal import JSON

/// The names that one schema object treats by name, for finding a member's schema without allocating.
///
/// Names are compared by their UTF-8. Tables of a few names are searched in order, beginning where the last search ended, since
/// members mostly come in the order of the schema; larger ones have an open-addressed hash index.
struct NameTable: Sendable {
  struct Entry: Sendable {
    let name: String
    /// The schema of `properties`, or -1 if the name is only required.
    let schema: Int32
    let isRequired: Bool
    let hash: UInt32
  }

  let entries: [Entry]
  let requiredCount: Int
  /// A power of two of slots with an index into `entries`, or -1; empty for a small table.
  private let slots: [Int32]

  private static let linearMax = 6

  init(_ names: [(name: String, schema: Int32, isRequired: Bool)]) {
    entries = names.map {
      Entry(name: $0.name, schema: $0.schema, isRequired: $0.isRequired, hash: Self.hash($0.name))
    }
    requiredCount = names.count { $0.isRequired }
    guard names.count > Self.linearMax else {
      slots = []
      return
    }
    var size = 16
    while size < names.count * 2 { size *= 2 }
    var slots = [Int32](repeating: -1, count: size)
    for (index, entry) in entries.enumerated() {
      var slot = Int(entry.hash) & (size - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (size - 1) }
      slots[slot] = Int32(index)
    }
    self.slots = slots
  }

  /// FNV-1a; the names are the schema's, and a schema is no stranger to its own form, so no seed is needed: a hostile schema
  /// only slows itself, within the bound on evaluation steps.
  private static func hash(_ name: String) -> UInt32 {
    var hash: UInt32 = 2_166_136_261
    for byte in name.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return hash
  }

  /// The position of that name, or -1. `hint` is where it is expected.
  @inline(__always)
  func position(of name: String, hint: Int) -> Int {
    if hint < entries.count, entries[hint].name.hasSameUTF8(as: name) { return hint }
    return search(name)
  }

  @inline(never)
  private func search(_ name: String) -> Int {
    if slots.isEmpty {
      for index in entries.indices where entries[index].name.hasSameUTF8(as: name) { return index }
      return -1
    }
    let hash = Self.hash(name)
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if entries[index].hash == hash, entries[index].name.hasSameUTF8(as: name) { return index }
      slot = (slot + 1) & (slots.count - 1)
    }
    return -1
  }
}

/// `properties`, `patternProperties`, `additionalProperties` and `required` of one schema, in one walk.
struct MemberPlan: Sendable {
  /// Names of `properties` and `required` together.
  var names: NameTable
  /// (pattern, schema) pairs.
  var patterns: [(pattern: Int32, schema: Int32)] = []
  /// -1 if there is no `additionalProperties`.
  var additional: Int32 = -1
}
