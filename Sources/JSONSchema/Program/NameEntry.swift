internal import JSON
internal import Texts

#if canImport(Glibc)
  internal import Glibc
#endif

/// One name of a name set: its text in a form that is compared without counting references.
struct NameEntry {
  /// The words of the `String`, which the program keeps alive.
  let words: TextWords
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
    let words = TextWords(of: name)
    if hint < Int(set.count) {
      let entry = names + (Int(set.start) + hint)
      if entry.pointee.words == words { return hint }
    }
    return search(set, words, name)
  }

  @inline(never)
  private func search(_ set: NameSet, _ words: TextWords, _ name: borrowing String) -> Int {
    let entries = names + Int(set.start)
    if smallTexts.isSmall(words) && set.slotMask < 0 {
      for position in 0..<Int(set.count) {
        // A large string may still have a short text.
        let isSame =
          smallTexts.areSame(words, (entries + position).pointee.words) ?? isEqual(entries + position, name)
        if isSame { return position }
      }
      return -1
    }
    guard set.slotMask >= 0 else {
      for position in 0..<Int(set.count) where isEqual(entries + position, name) { return position }
      return -1
    }
    var name = copy name
    return name.withUTF8 { bytes in
      let hash = nameHash(bytes)
      var slot = Int32(bitPattern: hash) & set.slotMask
      while true {
        let position = Int(slots[Int(set.slots + slot)])
        if position < 0 { return -1 }
        if (entries + position).pointee.hash == hash && isEqual(entries + position, bytes) { return position }
        slot = (slot + 1) & set.slotMask
      }
    }
  }

  private func isEqual(_ entry: UnsafePointer<NameEntry>, _ name: borrowing String) -> Bool {
    guard name.utf8.count == Int(entry.pointee.length) else { return false }
    var name = copy name
    return name.withUTF8 { isEqual(entry, $0) }
  }

  @inline(__always)
  private func isEqual(_ entry: UnsafePointer<NameEntry>, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count == Int(entry.pointee.length) else { return false }
    guard let base = bytes.baseAddress else { return true }
    return memcmp(base, self.bytes + Int(entry.pointee.offset), bytes.count) == 0
  }
}
