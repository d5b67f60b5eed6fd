#if canImport(Glibc)
  internal import Glibc
#endif

/// A regular expression of the kind that most schemas have, matched in one pass without an engine: `^[A-Z]{3}-[0-9]{6}$`, or a
/// plain text to be found anywhere.
///
/// Only what is certainly of that kind is taken; everything else is left to the engine.
struct SimplePattern: Sendable {
  /// A set of ASCII characters, so many times.
  struct Step: Sendable {
    var low: UInt64
    var high: UInt64
    var atLeast: Int32
    /// -1 without a bound.
    var atMost: Int32

    @inline(__always)
    func admits(_ byte: UInt8) -> Bool {
      let word = byte < 64 ? low : high
      return byte < 128 && (word >> UInt64(byte & 63)) & 1 == 1
    }
  }

  /// Between `^` and `$`.
  private(set) var steps: [Step] = []
  /// To be found anywhere; empty if there are steps.
  private(set) var literal: [UInt8] = []

  /// A longer literal could cost its length at each place of a text.
  private static let literalMax = 64

  /// Nil for a pattern that is not of the kind.
  init?(_ source: String) {
    let bytes = Array(source.utf8)
    guard bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7f }) else { return nil }
    if !bytes.isEmpty, bytes.count <= Self.literalMax, bytes.allSatisfy(Self.isPlain) {
      literal = bytes
      return
    }
    guard bytes.count > 2, bytes.first == UInt8(ascii: "^"), bytes.last == UInt8(ascii: "$") else { return nil }
    var rest = bytes[1..<bytes.count - 1]
    while let first = rest.popFirst() {
      guard var step = Self.set(first, &rest), Self.quantify(&step, &rest) else { return nil }
      // What varies must end where it ends: the next step may not begin with the same character.
      if let last = steps.last, last.atLeast != last.atMost, (last.low & step.low) | (last.high & step.high) != 0 {
        return nil
      }
      // What may be left out could let the step before it meet the one after it.
      if step.atLeast == 0, let last = steps.last, last.atLeast != last.atMost { return nil }
      steps.append(step)
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 48...57, 65...90, 97...122: true
    case UInt8(ascii: " "), UInt8(ascii: "!"), UInt8(ascii: "\""), UInt8(ascii: "#"), UInt8(ascii: "%"),
      UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: ","), UInt8(ascii: "-"), UInt8(ascii: ":"),
      UInt8(ascii: ";"), UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "@"),
      UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "`"):
      true
    default: false
    }
  }

  private static func set(_ first: UInt8, _ rest: inout ArraySlice<UInt8>) -> Step? {
    var step = Step(low: 0, high: 0, atLeast: 1, atMost: 1)
    func add(_ range: ClosedRange<UInt8>) {
      for byte in range {
        if byte < 64 { step.low |= 1 << UInt64(byte) } else { step.high |= 1 << UInt64(byte - 64) }
      }
    }
    if isPlain(first) {
      add(first...first)
      return step
    }
    if first == UInt8(ascii: "\\") {
      guard rest.popFirst() == UInt8(ascii: "d") else { return nil }
      add(48...57)
      return step
    }
    guard first == UInt8(ascii: "[") else { return nil }
    var isEmpty = true
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "]") { return isEmpty ? nil : step }
      isEmpty = false
      // A hyphen at either end of a set is left to the engine.
      guard isPlain(byte), byte != UInt8(ascii: "-") else { return nil }
      guard rest.first == UInt8(ascii: "-") else {
        add(byte...byte)
        continue
      }
      rest.removeFirst()
      guard let end = rest.popFirst(), isPlain(end), end >= byte else { return nil }
      add(byte...end)
    }
    return nil
  }

  /// Reads a quantifier, if there is one; false if it is not of the kind.
  private static func quantify(_ step: inout Step, _ rest: inout ArraySlice<UInt8>) -> Bool {
    switch rest.first {
    case UInt8(ascii: "+"): (step.atLeast, step.atMost) = (1, -1)
    case UInt8(ascii: "*"): (step.atLeast, step.atMost) = (0, -1)
    case UInt8(ascii: "?"): (step.atLeast, step.atMost) = (0, 1)
    case UInt8(ascii: "{"):
      guard let end = rest.firstIndex(of: UInt8(ascii: "}")) else { return false }
      let parts = rest[(rest.startIndex + 1)..<end].split(
        separator: UInt8(ascii: ","),
        omittingEmptySubsequences: false
      )
      let numbers = parts.map { Int32(String(decoding: $0, as: UTF8.self)) ?? -1 }
      guard parts.count <= 2, numbers[0] >= 0, numbers[0] <= 1000, parts[0].allSatisfy({ $0 >= 48 && $0 <= 57 }) else {
        return false
      }
      step.atLeast = numbers[0]
      step.atMost = numbers[0]
      if parts.count == 2 {
        let isOpen = parts[1].isEmpty
        guard isOpen || (numbers[1] >= numbers[0] && parts[1].allSatisfy({ $0 >= 48 && $0 <= 57 })) else {
          return false
        }
        step.atMost = isOpen ? -1 : numbers[1]
      }
      rest = rest[end...]
    default:
      return true
    }
    rest.removeFirst()
    // "a+?" and "a{2}?" are lazy, which changes nothing here, but they are rare.
    return rest.first != UInt8(ascii: "?") && rest.first != UInt8(ascii: "+") && rest.first != UInt8(ascii: "*")
      && rest.first != UInt8(ascii: "{")
  }
}

/// A range of steps, or of bytes of a literal, in the tables of evaluation.
struct SimplePatternRecord {
  var start: Int32
  var count: Int32
  var kind: Kind

  enum Kind: UInt8 {
    /// Left to the engine.
    case none
    case steps
    case literal
  }
}

extension EvaluationTables {
  /// Whether a text is as the steps say, or holds the literal.
  @inline(__always)
  func matches(_ record: SimplePatternRecord, _ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard record.kind == .steps else {
      guard text.count >= Int(record.count), let base = text.baseAddress else { return false }
      let literal = bytes + Int(record.start)
      var from = UnsafeRawPointer(base)
      // Behind this no place is left for the literal.
      let end = from + (text.count - Int(record.count) + 1)
      while from < end, let found = memchr(from, Int32(literal[0]), end - from) {
        if memcmp(found, literal, Int(record.count)) == 0 { return true }
        from = UnsafeRawPointer(found) + 1
      }
      return false
    }
    var position = 0
    var step = steps + Int(record.start)
    let end = step + Int(record.count)
    while step < end {
      var times: Int32 = 0
      let most = step.pointee.atMost
      while position < text.count, times != most, step.pointee.admits(text[position]) {
        position &+= 1
        // Without a bound the count only has to reach the least.
        if times < Int32.max &- 1 { times &+= 1 }
      }
      if times < step.pointee.atLeast { return false }
      step += 1
    }
    return position == text.count
  }
}
