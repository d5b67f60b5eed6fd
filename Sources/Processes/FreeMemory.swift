internal import CMalloc

/// Unused memory of the process: how much of it may be kept for later, and how it goes back to the system.
package enum FreeMemory {
  /// The free bytes that the end of each thread's heap may keep.
  private static let endBytesMax: Int32 = 2 << 20
  /// Pieces of that size for which a heap has no room are mapped one by one, and go back when they are freed.
  private static let mappedBytesMin: Int32 = 1 << 20
  /// The bytes that all heaps together may keep between used pieces, before they are searched.
  private static let unusedBytesMax = 40 << 20

  /// Sets the limits of each thread's heap; to be called once, when the process starts.
  ///
  /// Without limits, glibc lets the free end of a heap grow to twice the largest mapped piece that was ever freed, up
  /// to 64 MiB. And `malloc_trim` only trims the end of the first heap. One heap for all threads would not help: it has
  /// one lock, and threads that compile forms side by side would wait for it.
  package static func setLimits() { formd_malloc_set_limits(endBytesMax, mappedBytesMin) }

  /// Gives back the unused memory between used pieces, if there is much of it. This may take milliseconds.
  package static func giveBack() { formd_malloc_trim(unusedBytesMax) }
}
