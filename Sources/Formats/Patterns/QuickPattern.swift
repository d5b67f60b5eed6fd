#if canImport(Glibc)
  public import Glibc
#elseif canImport(Musl)
  public import Musl
#elseif canImport(Darwin)
  public import Darwin
#endif

/// A pattern of the kind that most schemas have, matched in one pass without an engine: `^[A-Z]{3}-[0-9]{6}$`, or a
/// plain text to be found anywhere.
///
/// Only patterns that are certainly of that kind are accepted; everything else is left to the engine. The memory
/// belongs to the ``Pattern``: a quick pattern is invalid when that is gone.
///
/// `@unchecked Sendable`: the memory is written before anybody else sees it, and only read afterwards.
@frozen @usableFromInline
package struct QuickPattern: @unchecked Sendable {
  /// A set of ASCII characters, so many times.
  @frozen @usableFromInline
  struct Step {
    /// A bit for each of the characters 0 to 63.
    @usableFromInline var low: UInt64 = 0
    /// A bit for each of the characters 64 to 127.
    @usableFromInline var high: UInt64 = 0
    @usableFromInline var atLeast: Int32 = 1
    /// -1 without a bound.
    @usableFromInline var atMost: Int32 = 1

    @inlinable @inline(__always)
    func admits(_ byte: UInt8) -> Bool {
      let word = byte < 64 ? low : high
      return byte < 128 && (word >> UInt64(byte & 63)) & 1 == 1
    }

    /// Whether the number of times is not fixed.
    var varies: Bool { atLeast != atMost }
  }

  /// The steps between `^` and `$`, or the bytes of a literal to be found anywhere.
  @usableFromInline let memory: UnsafeRawPointer
  /// The number of steps or bytes.
  @usableFromInline let count: Int32
  /// Whether it is a literal.
  @usableFromInline let isLiteral: Bool

  /// A longer literal could cost its length at each position of a text.
  private static let literalMax = 64

  /// Nil for a pattern that is not of the kind. Its maker gives the memory back with ``deallocate()``.
  init?(_ root: PatternNode) {
    if let literal = Self.literal(of: root) {
      self.init(literal, isLiteral: true)
    } else if let steps = Self.steps(of: root) {
      self.init(steps, isLiteral: false)
    } else {
      return nil
    }
  }

  private init<Element>(_ elements: [Element], isLiteral: Bool) {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: elements.count)
    memory.initialize(from: elements, count: elements.count)
    self.memory = UnsafeRawPointer(memory)
    count = Int32(elements.count)
    self.isLiteral = isLiteral
  }

  /// Gives the memory back.
  func deallocate() { memory.deallocate() }

  /// The ASCII text that the pattern is, if it is nothing else.
  private static func literal(of root: PatternNode) -> [UInt8]? {
    let nodes = if case .sequence(let nodes) = root { nodes } else { [root] }
    guard (1...literalMax).contains(nodes.count) else { return nil }
    var bytes: [UInt8] = []
    for node in nodes {
      guard case .scalar(let scalar, foldsCase: false) = node, scalar < 0x80 else { return nil }
      bytes.append(UInt8(scalar))
    }
    return bytes
  }

  private static func steps(of root: PatternNode) -> [Step]? {
    guard case .sequence(let nodes) = root, nodes.count > 2, case .anchor(.textStart)? = nodes.first,
      case .anchor(.textEnd)? = nodes.last
    else { return nil }
    var steps: [Step] = []
    for node in nodes.dropFirst().dropLast() {
      guard let step = step(of: node) else { return nil }
      if let last = steps.last, last.varies {
        // The end of a step of variable length must be unambiguous: the next step may not begin with the same
        // character. An optional step could let the step before it meet the step after it.
        guard (last.low & step.low) | (last.high & step.high) == 0, step.atLeast > 0 else { return nil }
      }
      steps.append(step)
    }
    return steps
  }

  private static func step(of node: PatternNode) -> Step? {
    var step = Step()
    var admitted = node
    if case .repetition(let inner, let minimum, let maximum, _, _) = node {
      guard let atLeast = Int32(exactly: minimum), let atMost = Int32(exactly: maximum ?? -1) else { return nil }
      (step.atLeast, step.atMost) = (atLeast, atMost)
      admitted = inner
    }
    let ranges: [ClosedRange<UInt32>]
    switch admitted {
    case .scalar(let scalar, foldsCase: false): ranges = [scalar...scalar]
    case .set(let set) where set.properties.isEmpty && !set.isNegated && !set.foldsCase && !set.ranges.isEmpty:
      ranges = set.ranges
    default: return nil
    }
    for range in ranges {
      guard range.upperBound < 0x80 else { return nil }
      for scalar in range {
        if scalar < 64 { step.low |= 1 << UInt64(scalar) } else { step.high |= 1 << UInt64(scalar - 64) }
      }
    }
    return step
  }

  /// Whether a text is as the steps say, or holds the literal.
  @inlinable @inline(__always)
  package func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if isLiteral { return holdsLiteral(text) }
    var position = 0
    var step = memory.assumingMemoryBound(to: Step.self)
    let end = step + Int(count)
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

  @inlinable
  func holdsLiteral(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    let length = Int(count)
    guard text.count >= length, let base = text.baseAddress else { return false }
    let first = Int32(memory.load(as: UInt8.self))
    var from = UnsafeRawPointer(base)
    // Behind this no position is left for the literal.
    let end = from + (text.count - length + 1)
    while from < end, let found = memchr(from, first, end - from) {
      if memcmp(found, memory, length) == 0 { return true }
      from = UnsafeRawPointer(found) + 1
    }
    return false
  }
}
