/// The nodes that have to be computed: a bit set with a summary, so that inserting a node and removing the lowest one cost the same
/// in a form of ten nodes and of ten thousand. Empty between turns.
///
/// Bounds are not checked: nodes are numbers that the form's compiler has made, and ``reserve(_:)`` is called with the form's count
/// before any of them is inserted.
struct DirtySet: ~Copyable {
  private var words: UnsafeMutablePointer<UInt64>
  private var summary: UnsafeMutablePointer<UInt64>
  private var wordCount: Int
  private var summaryCount: Int
  /// No summary word before this one has a bit.
  private var first = Int.max

  /// Room for 64 nodes.
  init() {
    wordCount = 1
    summaryCount = 1
    words = Self.zeros(1)
    summary = Self.zeros(1)
  }

  deinit {
    words.deallocate()
    summary.deallocate()
  }

  private static func zeros(_ count: Int) -> UnsafeMutablePointer<UInt64> {
    let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: count)
    memory.initialize(repeating: 0, count: count)
    return memory
  }

  /// Makes room for so many nodes. Only while empty.
  @inline(__always)
  mutating func reserve(_ count: Int) {
    if count > wordCount &* 64 { grow(count) }
  }

  private mutating func grow(_ count: Int) {
    words.deallocate()
    summary.deallocate()
    wordCount = (count + 63) / 64
    summaryCount = (wordCount + 63) / 64
    words = Self.zeros(wordCount)
    summary = Self.zeros(summaryCount)
  }

  @inline(__always)
  mutating func insert(_ node: Int32) {
    assert(node >= 0 && Int(node) < wordCount * 64, "node \(node) of \(wordCount * 64)")
    let word = Int(node) &>> 6
    words[word] |= 1 &<< UInt64(truncatingIfNeeded: node & 63)
    let top = word &>> 6
    summary[top] |= 1 &<< UInt64(truncatingIfNeeded: word & 63)
    if top < first { first = top }
  }

  /// Takes out the lowest node, or returns nil when there is none.
  @inline(__always)
  mutating func popLowest() -> Int? {
    while first < summaryCount {
      let bits = summary[first]
      if bits == 0 {
        first &+= 1
        continue
      }
      let word = first &* 64 &+ bits.trailingZeroBitCount
      let nodes = words[word]
      let rest = nodes & (nodes &- 1)
      words[word] = rest
      if rest == 0 { summary[first] = bits & (bits &- 1) }
      return word &* 64 &+ nodes.trailingZeroBitCount
    }
    first = .max
    return nil
  }
}
