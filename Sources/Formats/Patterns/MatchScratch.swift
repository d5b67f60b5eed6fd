internal import CPCRE2
internal import Glibc

/// The memory that PCRE2 writes to while it matches: one scratch space per thread, kept for the life of the thread. So
/// matching allocates nothing and threads share nothing.
struct MatchScratch {
  /// Groups that fit into the shared space for results, the whole match included.
  static let pairsMax = 64
  /// Steps of the matcher from one position of a text: enough for any honest pattern on a form's value.
  static let stepsMax = 100_000
  /// And the fewest, however long the text.
  static let stepsMin = 1_000
  /// Backtracking points alive at once, and kibibytes they may take (if the just-in-time compiler is missing).
  private static let depthMax: UInt32 = 20_000
  private static let heapKiBMax: UInt32 = 16_384
  /// The stack of compiled patterns.
  private static let stackBytesMin = 32 * 1024
  private static let stackBytesMax = 512 * 1024

  /// Room for the whole match only: the answer to "does it match".
  let single: OpaquePointer
  /// Room for groups.
  let groups: OpaquePointer
  let context: OpaquePointer
  private let stack: OpaquePointer?
  private var steps = MatchScratch.stepsMax

  private init?() {
    guard let single = pcre2_match_data_create_8(1, nil) else { return nil }
    guard let groups = pcre2_match_data_create_8(UInt32(Self.pairsMax), nil) else {
      pcre2_match_data_free_8(single)
      return nil
    }
    guard let context = pcre2_match_context_create_8(nil) else {
      pcre2_match_data_free_8(single)
      pcre2_match_data_free_8(groups)
      return nil
    }
    self.single = single
    self.groups = groups
    self.context = context
    stack = pcre2_jit_stack_create_8(Self.stackBytesMin, Self.stackBytesMax, nil)
    if let stack { pcre2_jit_stack_assign_8(context, nil, UnsafeMutableRawPointer(stack)) }
    pcre2_set_match_limit_8(context, UInt32(Self.stepsMax))
    pcre2_set_depth_limit_8(context, Self.depthMax)
    pcre2_set_heap_limit_8(context, Self.heapKiBMax)
  }

  private func free() {
    pcre2_match_data_free_8(single)
    pcre2_match_data_free_8(groups)
    pcre2_match_context_free_8(context)
    if let stack { pcre2_jit_stack_free_8(stack) }
  }

  /// Limits the steps from one position.
  @inline(__always)
  mutating func limitSteps(_ wanted: Int) {
    guard wanted != steps else { return }
    steps = wanted
    pcre2_set_match_limit_8(context, UInt32(wanted))
  }

  /// Each thread keeps the address of its scratch space here; the memory at that address is freed when the thread ends.
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    let status = pthread_key_create(&key) { address in
      guard let scratch = address?.assumingMemoryBound(to: MatchScratch.self) else { return }
      scratch.pointee.free()
      scratch.deinitialize(count: 1)
      scratch.deallocate()
    }
    return status == 0 ? key : nil
  }()

  /// The scratch space of this thread, valid as long as the caller does not leave the thread; nil only when memory or
  /// thread-local keys have run out.
  @inline(__always)
  static var current: UnsafeMutablePointer<MatchScratch>? {
    guard let key else { return nil }
    if let address = pthread_getspecific(key) { return address.assumingMemoryBound(to: MatchScratch.self) }
    return make(key)
  }

  private static func make(_ key: pthread_key_t) -> UnsafeMutablePointer<MatchScratch>? {
    guard let scratch = MatchScratch() else { return nil }
    let pointer = UnsafeMutablePointer<MatchScratch>.allocate(capacity: 1)
    pointer.initialize(to: scratch)
    if pthread_setspecific(key, pointer) == 0 { return pointer }
    scratch.free()
    pointer.deallocate()
    return nil
  }
}
