/// The nodes that have to be computed, as a bit set with a summary. Inserting a node and removing the lowest one cost
/// equally much in a form of ten nodes and of ten thousand. It is empty between turns.
///
/// Nodes are numbers that the form's compiler has made, and ``reserve(_:)`` is called with the
/// form's count before any node is inserted.
struct StaleNodes: ~Copyable {
  private var words: Places<UInt64>
  private var summary: Places<UInt64>
  private var wordCount: Int
  private var summaryCount: Int
  /// The current word. No word before it has a node, and the summary has each later word that has a node. Between turns
  /// the current word is the first.
  private var current = 0

  /// Room for 64 nodes.
  init() {
    wordCount = 1
    summaryCount = 1
    words = .allocate(1, repeating: 0)
    summary = .allocate(1, repeating: 0)
  }

  deinit {
    words.deallocate()
    summary.deallocate()
  }

  /// Makes room for so many nodes. The set must be empty.
  @inline(__always)
  mutating func reserve(_ count: Int) {
    if _slowPath(count > wordCount &* 64) { grow(count) }
  }

  @inline(never)
  private mutating func grow(_ count: Int) {
    words.deallocate()
    summary.deallocate()
    wordCount = (count + 63) / 64
    summaryCount = (wordCount + 63) / 64
    words = .allocate(wordCount, repeating: 0)
    summary = .allocate(summaryCount, repeating: 0)
  }

  @inline(__always)
  mutating func insert(_ node: Int32) { insert(1 &<< UInt64(truncatingIfNeeded: node & 63), inWord: Int(node) &>> 6) }

  /// Inserts nodes: bit `b` means the node `64 * word + b`.
  @inline(__always)
  mutating func insert(_ nodes: UInt64, inWord word: Int) {
    words[word] |= nodes
    if _slowPath(word != current) { noteWord(word) }
  }

  @inline(never)
  private mutating func noteWord(_ word: Int) {
    // A word before the current word becomes current, and the old current word comes later.
    let later = max(word, current)
    current = min(word, current)
    summary[later &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: later & 63)
  }

  /// Takes out the lowest node, or returns nil when there is none.
  @inline(__always)
  mutating func popLowest() -> Int? {
    repeat {
      let nodes = words[current]
      if nodes != 0 {
        words[current] = nodes & (nodes &- 1)
        return current &* 64 &+ nodes.trailingZeroBitCount
      }
    } while goToNextWord()
    return nil
  }

  /// Goes on to the next word that the summary has. If there is none, it goes back to the first word, and returns
  /// false.
  @inline(__always)
  private mutating func goToNextWord() -> Bool { wordCount > 1 && goToOtherWord() }

  @inline(never)
  private mutating func goToOtherWord() -> Bool {
    var position = current &>> 6
    while position < summaryCount {
      let bits = summary[position]
      if bits != 0 {
        summary[position] = bits & (bits &- 1)
        current = position &* 64 &+ bits.trailingZeroBitCount
        return true
      }
      position &+= 1
    }
    current = 0
    return false
  }
}
