internal import JSON
internal import Texts

/// Where a document names the symbols of a form: a definition, or the tests of one.
///
/// Always true: the occurrences stand in the order of the text, and none reaches beyond its string.
struct FormNames {
  let occurrences: [Occurrence]

  init(_ found: [Occurrence]) {
    var seen: Set<Occurrence> = []
    occurrences = found.filter { !$0.range.isEmpty && seen.insert($0).inserted }
      .sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
  }

  /// What is named at a byte, the caret behind a name included.
  func occurrences(at offset: Int) -> [Occurrence] {
    occurrences.filter { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
  }

  /// Where any of those symbols is named.
  func occurrences(of symbols: Set<FormSymbol>) -> [Occurrence] {
    occurrences.filter { symbols.contains($0.symbol) }
  }

  /// Symbols that cannot have different names: a shared schema names a field of every place that refers to it.
  func inseparable(from symbols: Set<FormSymbol>) -> Set<FormSymbol> {
    var byRange: [Range<Int>: [FormSymbol]] = [:]
    for occurrence in occurrences { byRange[occurrence.range, default: []].append(occurrence.symbol) }
    let shared = byRange.values.filter { $0.count > 1 }
    var all = symbols
    while true {
      let more = all.union(shared.filter { group in group.contains(where: all.contains) }.joined())
      if more.count == all.count { return all }
      all = more
    }
  }
}
