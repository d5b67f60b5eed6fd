/// When the next slice comes: at once, or when the event loop has looked for input.
struct SliceSchedule {
  /// How long connections may be at work, one after the other, between two looks for input.
  private static let workNanosecondsBetweenPollsMax = 4 * SliceOrder.sliceNanoseconds

  /// Whether connections were at work for so long that the event loop must look for input before any connection goes
  /// on.
  private(set) var isPollDue = false
  /// Whether the event loop is to call when it looks for input.
  private(set) var isPollAwaited = false
  /// How long connections were at work since the event loop looked for input.
  private var workNanosecondsSincePoll: Int64 = 0
  /// Whether a taker waits for a slice, and ``TimerQueue/Owner/slice`` is perhaps not set yet.
  private(set) var isSliceDue = false
  /// Whether ``TimerQueue/Owner/slice`` is set, or is about to be.
  private var isSliceScheduled = false

  /// Connections were at work for so long.
  ///
  /// - Returns: whether the event loop must call when it looks for input.
  @inline(__always)
  mutating func charge(_ nanoseconds: Int64) -> Bool {
    workNanosecondsSincePoll &+= nanoseconds
    if _fastPath(workNanosecondsSincePoll < SliceOrder.sliceNanoseconds / 2) { return false }
    if nanoseconds >= SliceOrder.sliceNanoseconds || workNanosecondsSincePoll >= Self.workNanosecondsBetweenPollsMax {
      isPollDue = true
      isSliceDue = true
    }
    return true
  }

  /// The event loop was asked to call when it looks for input.
  mutating func pollRequested() { isPollAwaited = true }

  /// The event loop is about to look for input.
  mutating func pollCame() {
    isPollAwaited = false
    workNanosecondsSincePoll = 0
  }

  /// A connection waits for a slice.
  mutating func sliceRequested() { isSliceDue = true }

  /// The entry ends.
  ///
  /// - Returns: whether ``TimerQueue/Owner/slice`` must be set.
  mutating func takeDueSlice() -> Bool {
    isSliceDue = false
    defer { isSliceScheduled = true }
    return !isSliceScheduled
  }

  /// The event loop has looked for input, and the next slice begins.
  mutating func sliceCame() {
    isSliceScheduled = false
    isPollDue = false
    workNanosecondsSincePoll = 0
  }
}
