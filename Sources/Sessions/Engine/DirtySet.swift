/// The nodes that have to be computed, as a bit set with a summary: marking and taking the lowest cost the same in a form of ten
/// nodes and of ten thousand. Empty between turns.
struct DirtySet {
  private var words: [UInt64] = []
  private var summary: [UInt64] = []
  /// No summary word before this one has a bit.
  private var first = Int.max

  /// Makes room for so many nodes. Only while empty.
  mutating func reserve(_ count: Int) {
    let wordCount = (count + 63) / 64
    guard wordCount > words.count else { return }
    words = [UInt64](repeating: 0, count: wordCount)
    summary = [UInt64](repeating: 0, count: (wordCount + 63) / 64)
  }

  @inline(__always)
  mutating func insert(_ node: Int32) {
    let word = Int(node) >> 6
    words[word] |= 1 &<< UInt64(node & 63)
    let top = word >> 6
    summary[top] |= 1 &<< UInt64(word & 63)
    if top < first { first = top }
  }

  /// Takes out the lowest node, or returns nil when there is none.
  @inline(__always)
  mutating func popLowest() -> Int? {
    while first < summary.count {
      let bits = summary[first]
      if bits == 0 {
        first += 1
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
