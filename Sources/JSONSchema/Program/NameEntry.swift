internal import Texts

/// One name of a name set: its text in a form that is compared without counting references.
struct NameEntry {
  /// The offset of its UTF-8 in the program's bytes.
  let offset: Int32
  let length: Int32
  let hash: UInt32
  /// The schema of `properties`, or -1.
  let schema: Int32
  let isRequired: Bool
}

/// A range of entries with, if there are more than a few, an open-addressed hash index.
struct NameSet {
  var start: Int32 = 0
  var count: Int32 = 0
  /// The start of its slots; each holds a position from `start`, or -1.
  var slots: Int32 = 0
  /// The number of slots minus one; -1 if there is no index.
  var slotMask: Int32 = -1

  static let linearMax = 6
}

/// FNV-1a. The names are the schema's own: a hostile schema only slows itself, within the bound on evaluation steps.
@inline(__always)
func nameHash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
  var hash: UInt32 = 2_166_136_261
  for byte in bytes { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
  return hash
}

extension EvaluationTables {
  /// The position in the set of that name, or -1. `hint` is the expected position: members mostly come in the order of
  /// the schema.
  @inline(__always)
  func position(in set: NameSet, of name: borrowing String, hint: Int) -> Int {
    name.withCodeUnits { name in
      hint < Int(set.count) && isEqual(names + (Int(set.start) + hint), name) ? hint : search(set, name)
    }
  }

  @inline(never)
  private func search(_ set: NameSet, _ name: UnsafeBufferPointer<UInt8>) -> Int {
    let entries = names + Int(set.start)
    guard set.slotMask >= 0 else {
      for position in 0..<Int(set.count) where isEqual(entries + position, name) { return position }
      return -1
    }
    let hash = nameHash(name)
    var slot = Int32(bitPattern: hash) & set.slotMask
    while true {
      let position = Int(slots[Int(set.slots + slot)])
      if position < 0 { return -1 }
      if (entries + position).pointee.hash == hash && isEqual(entries + position, name) { return position }
      slot = (slot + 1) & set.slotMask
    }
  }

  @inline(__always)
  private func isEqual(_ entry: UnsafePointer<NameEntry>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = bytes + Int(entry.pointee.offset)
    return name.hasSameBytes(as: UnsafeBufferPointer(start: start, count: Int(entry.pointee.length)))
  }
}
