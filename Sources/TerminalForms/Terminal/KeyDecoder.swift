/// Decodes keys from a terminal's bytes: a value that is given bytes.
///
/// A sequence may arrive in pieces. Only time distinguishes an Escape key from the beginning of a sequence. While
/// ``isWaiting``, the caller waits only for a moment, and then calls ``timeIsUp()``. Unknown sequences are ignored.
package struct KeyDecoder {
  /// Received bytes that are not a key yet.
  private var pending: [UInt8] = []
  /// Whether the input is part of a paste (bracketed paste), up to its end.
  private var isPasting = false

  package init() {}

  private static let escape: UInt8 = 0x1b
  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// Whether the received bytes may be a whole key, or the beginning of one.
  package var isWaiting: Bool { !pending.isEmpty && !isPasting }

  /// The keys that these bytes complete.
  package mutating func keys(_ bytes: some Sequence<UInt8>) -> [Key] {
    pending += bytes
    var keys: [Key] = []
    while let (key, count) = next() {
      pending.removeFirst(count)
      guard let key else { continue }
      // Characters that arrive together are one change.
      if case .text(let text) = key, case .text(let before)? = keys.last {
        keys[keys.count - 1] = .text(before + text)
      } else {
        keys.append(key)
      }
    }
    return keys
  }

  /// Handles the end of the wait: an Escape becomes a key, and an incomplete sequence is dropped.
  package mutating func timeIsUp() -> [Key] {
    defer { pending = [] }
    return pending == [Self.escape] ? [.back] : []
  }

  /// The first key in the pending bytes, if it is complete, and its length in bytes.
  private mutating func next() -> (key: Key?, count: Int)? {
    if isPasting { return nextOfPaste() }
    guard let first = pending.first else { return nil }
    switch first {
    case Self.escape: return nextOfSequence()
    case 0x0d, 0x0a: return (.enter, 1)
    case 0x09: return (.tab, 1)
    case 0x7f, 0x08: return (.erase, 1)
    case 0x01: return (.home, 1)
    case 0x05: return (.end, 1)
    case 0x02: return (.left, 1)
    case 0x06: return (.right, 1)
    case 0x10: return (.up, 1)
    case 0x0e: return (.down, 1)
    case 0x04: return (.endOfInput, 1)
    case 0x15: return (.eraseAll, 1)
    case 0x17: return (.eraseWord, 1)
    case 0..<0x20: return (nil, 1)
    case 0x20..<0x7f: return (.text(String(Character(Unicode.Scalar(first)))), 1)
    default: return nextOfUTF8(first)
    }
  }

  private func nextOfUTF8(_ first: UInt8) -> (key: Key?, count: Int)? {
    let length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2
    guard first >= 0xc2, first < 0xf5 else { return (nil, 1) }
    guard pending.count >= length else { return nil }
    guard let text = String(validating: pending[..<length], as: UTF8.self) else { return (nil, 1) }
    let isControl = text.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
    return (isControl ? nil : .text(text), length)
  }

  /// `ESC [ parameters final` or `ESC O final` (ECMA-48), or a key with Alt.
  private mutating func nextOfSequence() -> (key: Key?, count: Int)? {
    guard pending.count > 1 else { return nil }
    guard pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
      return pending[1] == Self.escape ? (.back, 1) : (nil, 2)
    }
    guard let end = pending[2...].firstIndex(where: { (0x40...0x7e).contains($0) }) else { return nil }
    let count = end + 1
    let parameter = String(decoding: pending[2..<end].prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
    switch (Character(Unicode.Scalar(pending[end])), parameter) {
    case ("A", _): return (.up, count)
    case ("B", _): return (.down, count)
    case ("C", _): return (.right, count)
    case ("D", _): return (.left, count)
    case ("H", _), ("~", "1"), ("~", "7"): return (.home, count)
    case ("F", _), ("~", "4"), ("~", "8"): return (.end, count)
    case ("~", "3"): return (.delete, count)
    case ("Z", _): return (.back, count)
    case ("~", "200"):
      isPasting = true
      return (nil, count)
    default: return (nil, count)
    }
  }

  private mutating func nextOfPaste() -> (key: Key?, count: Int)? {
    let end = Self.pasteEnd
    guard pending.count >= end.count,
      let start = (0...pending.count - end.count).first(where: { pending[$0..<$0 + end.count].elementsEqual(end) })
    else { return nil }
    isPasting = false
    let text = String(decoding: pending[..<start], as: UTF8.self)
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    return (.text(lines.joined(separator: "\n")), start + end.count)
  }
}
