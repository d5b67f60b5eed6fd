internal import CMalloc

/// Memory of the process that nobody uses any more, and how it goes back to the system.
package enum FreeMemory {
  /// What the heap may keep for later.
  private static let unusedBytesMax = 40 << 20

  /// Lets all threads share one heap; to be called before there is a second thread.
  ///
  /// Left alone, glibc gives each thread a heap of its own, whose free end may grow to 64 MiB (twice the largest mapped piece that was ever
  /// freed), and `malloc_trim` looks at no end but that of the first heap. Nearly all of formd's work is on one thread.
  package static func shareHeap() { formd_malloc_share_heap() }

  /// Gives back what is free, if there is much of it. This may take milliseconds.
  static func giveBack() { formd_malloc_trim(unusedBytesMax) }
}
