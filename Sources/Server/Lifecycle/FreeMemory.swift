internal import CMalloc

/// Memory of the process that nobody uses any more: how much of it may be kept for later, and how it goes back to the system.
package enum FreeMemory {
  /// What the end of each thread's heap may keep.
  private static let endBytesMax: Int32 = 2 << 20
  /// Pieces of that size for which a heap has no room are mapped each by itself, and go back when they are freed.
  private static let mappedBytesMin: Int32 = 1 << 20
  /// What all heaps together may keep between the pieces that are used, before they are looked through.
  private static let unusedBytesMax = 40 << 20

  /// Sets the limits of each thread's heap; to be called once, when the process starts.
  ///
  /// Left alone, glibc lets the free end of a heap grow to twice the largest mapped piece that was ever freed, up to 64 MiB, and
  /// `malloc_trim` looks at no end but that of the first heap. One heap for all threads would be no way out: it has one lock, for which
  /// threads that compile forms side by side wait.
  package static func setLimits() { formd_malloc_set_limits(endBytesMax, mappedBytesMin) }

  /// Gives back what lies between the pieces that are used, if there is much of it. This may take milliseconds.
  static func giveBack() { formd_malloc_trim(unusedBytesMax) }
}
