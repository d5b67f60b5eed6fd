/// One compiled time zone file (RFC 8536, "The Time Zone Information Format").
struct ZoneFile: Sendable {
  /// The instants at which the offset changes, in order.
  private let transitions: [Int64]
  /// The offset in seconds that holds from each transition on.
  private let offsets: [Int]
  /// The offset before the first transition.
  private let firstOffset: Int
  /// The rule after the last transition; nil if the last offset stays.
  private let rule: ZoneRule?

  /// Reads a file; nil for one that is not of this format. Nothing in it is trusted: every count is checked against
  /// its size.
  init?(_ bytes: [UInt8]) {
    guard var header = Header(bytes, at: 0) else { return nil }
    var timeSize = 4
    if header.version >= 2 {
      // The first block is a copy for old readers with 32 bits.
      guard let second = Header(bytes, at: header.dataStart + header.dataSize(timeSize: 4)) else { return nil }
      header = second
      timeSize = 8
    }
    let end = header.dataStart + header.dataSize(timeSize: timeSize)
    guard end <= bytes.count, header.typeCount > 0 else { return nil }
    var position = header.dataStart
    var transitions: [Int64] = []
    for _ in 0..<header.transitionCount {
      transitions.append(Self.integer(bytes, at: position, size: timeSize))
      position += timeSize
    }
    let types = position + header.transitionCount
    func offset(ofType type: Int) -> Int? {
      guard type < header.typeCount else { return nil }
      return Int(Self.integer(bytes, at: types + type * 6, size: 4))
    }
    var offsets: [Int] = []
    for index in 0..<header.transitionCount {
      guard let offset = offset(ofType: Int(bytes[position + index])) else { return nil }
      offsets.append(offset)
    }
    guard let firstOffset = offset(ofType: 0) else { return nil }
    self.transitions = transitions
    self.offsets = offsets
    self.firstOffset = firstOffset
    // After the data of version 2 and later, the rule is between two line feeds.
    if timeSize == 8, end < bytes.count, bytes[end] == 0x0a, let last = bytes[(end + 1)...].firstIndex(of: 0x0a) {
      rule = ZoneRule(Array(bytes[(end + 1)..<last]))
    } else {
      rule = nil
    }
  }

  /// The offset in seconds at that instant.
  func offset(at instant: Int64) -> Int {
    guard let last = transitions.last else { return rule?.offset(at: instant) ?? firstOffset }
    if instant >= last, let rule { return rule.offset(at: instant) }
    // The number of transitions at or before the instant.
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= instant { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? firstOffset : offsets[low - 1]
  }

  private static func integer(_ bytes: [UInt8], at position: Int, size: Int) -> Int64 {
    var value: Int64 = bytes[position] & 0x80 != 0 ? -1 : 0
    for byte in bytes[position..<(position + size)] { value = value << 8 | Int64(byte) }
    return value
  }

  private struct Header {
    let version: Int
    let transitionCount: Int
    let typeCount: Int
    let dataStart: Int
    private let leapCount: Int
    private let characterCount: Int
    private let standardCount: Int
    private let universalCount: Int

    init?(_ bytes: [UInt8], at start: Int) {
      guard start + 44 <= bytes.count, bytes[start..<(start + 4)].elementsEqual("TZif".utf8) else { return nil }
      func count(_ index: Int) -> Int { Int(ZoneFile.integer(bytes, at: start + 20 + index * 4, size: 4)) }
      let counts = (0..<6).map(count)
      guard counts.allSatisfy({ $0 >= 0 && $0 <= bytes.count }) else { return nil }
      let digit = bytes[start + 4]
      version = digit == 0 ? 1 : Int(digit) - 0x30
      universalCount = counts[0]
      standardCount = counts[1]
      leapCount = counts[2]
      transitionCount = counts[3]
      typeCount = counts[4]
      characterCount = counts[5]
      dataStart = start + 44
    }

    func dataSize(timeSize: Int) -> Int {
      transitionCount * (timeSize + 1) + typeCount * 6 + characterCount + leapCount * (timeSize + 4) + standardCount
        + universalCount
    }
  }
}
