internal import CMalloc

/// Memory of the process that nobody uses any more: how much of it may be kept for later, and how it goes back to the system.
enum FreeMemory {
  /// What the end of a thread's own heap may keep; and pieces of that size are mapped each by itself, so that they go back at once.
  ///
  /// Left alone, the C library lets this grow to twice the largest mapped piece that was ever freed, up to 64 MiB, for each thread's heap
  /// (mallopt(3)), and `malloc_trim` does not look there.
  private static let endBytesMax: Int32 = 2 << 20
  /// What all heaps together may keep between the pieces that are used before they are looked through.
  private static let unusedBytesMax = 40 << 20

  /// Sets the limits for the whole process; to be called once, when it starts.
  static func setLimits() { formd_malloc_set_end_max(endBytesMax) }

  /// Gives back what lies between the pieces that are used, if there is much of it. This may take milliseconds.
  static func giveBack() { formd_malloc_trim(unusedBytesMax) }
}
