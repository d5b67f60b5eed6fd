/// The closest of some names to one that does not exist, for "did you mean".
///
/// - Parameters:
///   - name: the written name; only its first 64 code points count, here and in the candidates.
///   - candidates: the names that exist; of equally close ones the first is chosen.
/// - Returns: nil when no candidate is close enough to be the intended name.
package func closestName(to name: String, among candidates: some Sequence<String>) -> String? {
  var search = CloseNameSearch(for: name)
  var best: String?
  for candidate in candidates {
    guard let distance = search.distance(to: candidate) else { continue }
    best = candidate
    guard distance > 0 else { break }
    search.distanceMax = distance - 1
  }
  return best
}

/// Measures the distance of names from one name, but only for close names: a definition may have 100,000 names, and
/// nearly all names are very different.
private struct CloseNameSearch {
  private static let codePointsMax = 64
  private static let far = Int.max / 2

  private let wanted: [Unicode.Scalar]
  /// Names beyond that are not measured.
  var distanceMax: Int
  private var candidate: [Unicode.Scalar] = []
  /// Three rows of the table of distances, each with an entry per code point of the candidate and one before them.
  private var beforeLast = [Int](repeating: far, count: codePointsMax + 1)
  private var last = [Int](repeating: far, count: codePointsMax + 1)
  private var current = [Int](repeating: far, count: codePointsMax + 1)

  init(for name: String) {
    wanted = Array(name.unicodeScalars.prefix(Self.codePointsMax))
    // If more than about a third of the letters are wrong, it is another word, not a typing error.
    distanceMax = max(1, (wanted.count + 1) / 3)
  }

  /// Levenshtein's distance, with a swap of neighbors as one step (the optimal string alignment distance); nil beyond
  /// ``distanceMax``. Only the diagonal of the table that such a distance can go along is computed (E. Ukkonen,
  /// Algorithms for approximate string matching, 1985).
  mutating func distance(to name: String) -> Int? {
    candidate.removeAll(keepingCapacity: true)
    candidate.append(contentsOf: name.unicodeScalars.prefix(Self.codePointsMax))
    let (rows, columns) = (wanted.count, candidate.count)
    guard abs(rows - columns) <= distanceMax else { return nil }
    for column in 0...columns { last[column] = column <= distanceMax ? column : Self.far }
    guard rows > 0 else { return last[columns] <= distanceMax ? last[columns] : nil }
    var lastSmallest = 0
    for row in 1...rows {
      let first = max(1, row - distanceMax)
      let end = min(columns, row + distanceMax)
      current[0] = row <= distanceMax ? row : Self.far
      if first > 1 { current[first - 1] = Self.far }
      var smallest = current[0]
      for column in stride(from: first, through: end, by: 1) {
        let isSame = wanted[row - 1] == candidate[column - 1]
        var distance = min(last[column] + 1, current[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, wanted[row - 1] == candidate[column - 2], wanted[row - 2] == candidate[column - 1] {
          distance = min(distance, beforeLast[column - 2] + 1)
        }
        current[column] = distance
        smallest = min(smallest, distance)
      }
      if end < columns { current[end + 1] = Self.far }
      // A swap goes back two rows, anything else one.
      guard min(smallest, lastSmallest) <= distanceMax else { return nil }
      lastSmallest = smallest
      (beforeLast, last, current) = (last, current, beforeLast)
    }
    return last[columns] <= distanceMax ? last[columns] : nil
  }
}
