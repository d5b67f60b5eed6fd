internal import JSON
internal import Texts

/// The occurrences of a form's symbols in a document: in a definition, or in its tests.
///
/// Always true: the occurrences are in the order of the text, and each one lies within its string.
struct FormNames {
  let occurrences: [Occurrence]
  /// Parts of the document in which further names are possible but cannot be seen.
  let doubts: [NameDoubt]

  init(_ found: [Occurrence], doubts: [NameDoubt] = []) {
    self.doubts = doubts
    var seen: Set<Occurrence> = []
    occurrences = found.filter { !$0.range.isEmpty && seen.insert($0).inserted }
      .sorted { ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound) }
  }

  /// The symbols named at a byte. A caret right behind a name counts.
  func occurrences(at offset: Int) -> [Occurrence] {
    occurrences.filter { $0.range.lowerBound <= offset && offset <= $0.range.upperBound }
  }

  /// The occurrences of any of those symbols.
  func occurrences(of symbols: Set<FormSymbol>) -> [Occurrence] {
    occurrences.filter { symbols.contains($0.symbol) }
  }
}
