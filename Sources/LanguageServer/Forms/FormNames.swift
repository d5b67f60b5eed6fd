internal import JSON
internal import Texts

/// Where a document names the symbols of a form: a definition, or the tests of one.
///
/// Always true: the occurrences stand in the order of the text, and none reaches beyond its string.
struct FormNames {
  let occurrences: [Occurrence]
  /// Where names may stand that are not among them.
  let doubts: [NameDoubt]

  init(_ found: [Occurrence], doubts: [NameDoubt] = []) {
    self.doubts = doubts
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
}
