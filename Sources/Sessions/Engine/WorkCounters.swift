/// Counts the work of a turn, for tests that bound it. A release build does not count.
struct WorkCounters {
  #if DEBUG
    /// Formulas that were evaluated.
    private(set) var evaluations = 0
    /// Fields whose values were gathered for object-level keywords of the schema.
    private(set) var valuesVisited = 0
  #endif

  @inline(__always)
  mutating func evaluated() {
    #if DEBUG
      evaluations += 1
    #endif
  }

  /// So many values are gathered.
  @inline(__always)
  mutating func visited(_ count: Int) {
    #if DEBUG
      valuesVisited += count
    #endif
  }
}
