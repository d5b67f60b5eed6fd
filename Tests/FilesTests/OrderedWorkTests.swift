import Dispatch
internal import Files
import JSON
import Synchronization
import Testing

@Suite struct OrderedWorkTests {
  @Test(arguments: [1, 2, 7], [0, 1, 1_000])
  func `results come in the order of the things`(threads: Int, count: Int) throws {
    var taken: [Int] = []
    try OrderedWork.perform(on: Array(0..<count), threads: threads) {
      $0 * 2
    } take: {
      taken.append($0)
    }
    #expect(taken == (0..<count).map { $0 * 2 })
  }

  @Test func `so many are begun before the first is taken, and no more`() throws {
    let begun = Atomic(0)
    var most = 0
    var taken = 0
    try OrderedWork.perform(on: Array(0..<500), threads: 2) { _ in
      begun.add(1, ordering: .relaxed)
    } take: { _ in
      most = max(most, begun.load(ordering: .relaxed) - taken)
      taken += 1
    }
    #expect(taken == 500 && most <= 64)
  }

  @Test(.timeLimit(.minutes(1))) func `others begin while one takes long`() throws {
    let behind = DispatchSemaphore(value: 0)
    var taken = 0
    try OrderedWork.perform(on: Array(0..<100), threads: 2) { thing in
      // It can begin as soon as the first result is taken.
      if thing == 64 { behind.signal() }
      if thing == 63 { behind.wait() }
    } take: { _ in
      taken += 1
    }
    #expect(taken == 100)
  }

  @Test func `a stack that the system does not have is an error`() {
    #expect(throws: SystemError.self) {
      try OrderedWork.perform(on: [1], threads: 1, stackBytes: 1 << 60) {
        $0
      } take: { _ in
      }
    }
  }

  @Test func `deep work gets the stack that it asks for`() throws {
    // 80 MB in few calls: ThreadSanitizer keeps a stack of calls of its own, which has room for 65,536.
    @Sendable func depth(_ levels: Int) -> Int {
      let block = InlineArray<1_024, Int>(repeating: 1)
      return levels == 0 ? 0 : block[levels % 1_024] + depth(levels - 1)
    }
    var result = 0
    try OrderedWork.perform(on: [10_000], threads: 1, stackBytes: 256 << 20) {
      depth($0)
    } take: {
      result = $0
    }
    #expect(result == 10_000)
  }
}
