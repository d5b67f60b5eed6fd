/// Whether one character belongs to a set of a pattern.
struct CharacterTest: Sendable {
  /// The answer for each ASCII character, as bits.
  private var low: UInt64 = 0
  private var high: UInt64 = 0
  private let ranges: [ClosedRange<UInt32>]
  private let isNegated: Bool
  /// Sets with properties or folded case ask PCRE2, whose tables know: so both ways of matching always agree.
  private let probe: CompiledPattern?

  /// Nil when PCRE2 does not take the set.
  init?(_ set: PatternSet) {
    ranges = set.normalizedRanges
    isNegated = set.isNegated
    if set.properties.isEmpty && !set.foldsCase {
      probe = nil
    } else {
      let alone = ParsedPattern(
        root: .sequence([.anchor(.textStart), .set(set)]),
        groupNames: [],
        needsBacktracking: false
      )
      guard let compiled = try? CompiledPattern(alone) else { return nil }
      probe = compiled
    }
    // Most sets have few characters of ASCII.
    let candidates = probe == nil && !isNegated ? ranges.map { $0.clamped(to: 0...127) } : [0...127]
    for scalar in candidates.joined() where computed(scalar) {
      if scalar < 64 { low |= 1 << UInt64(scalar) } else { high |= 1 << UInt64(scalar - 64) }
    }
  }

  @inline(__always)
  func contains(_ scalar: UInt32) -> Bool {
    if scalar < 64 { return low >> UInt64(scalar) & 1 != 0 }
    if scalar < 128 { return high >> UInt64(scalar - 64) & 1 != 0 }
    return computed(scalar)
  }

  private func computed(_ scalar: UInt32) -> Bool {
    if let probe {
      guard let character = Unicode.Scalar(scalar) else { return false }
      var text = String(character)
      return text.withUTF8 { probe.matches($0) } == .match
    }
    var start = 0
    var end = ranges.count
    while start < end {
      let middle = (start + end) / 2
      if ranges[middle].upperBound < scalar { start = middle + 1 } else { end = middle }
    }
    return (start < ranges.count && ranges[start].lowerBound <= scalar) != isNegated
  }
}
