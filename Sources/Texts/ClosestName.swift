/// The closest of some names to one that does not exist, for "did you mean".
///
/// - Parameters:
///   - name: what was written; only its first 64 code points count, here and in the candidates.
///   - candidates: the names that exist; of equally close ones the first is chosen.
/// - Returns: nil when none is close enough to be what was meant.
package func closestName(to name: String, among candidates: some Sequence<String>) -> String? {
  var best: (name: String, distance: Int)?
  let wanted = Array(name.unicodeScalars.prefix(64))
  for candidate in candidates {
    let distance = editDistance(wanted, Array(candidate.unicodeScalars.prefix(64)))
    if distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  // More than about a third of the letters wrong is another word, not a slip.
  guard let best, best.distance <= max(1, (wanted.count + 1) / 3) else { return nil }
  return best.name
}

/// Levenshtein's distance, with a swap of neighbours as one step (the optimal string alignment distance).
private func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
  if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
  var beforeLast = [Int](repeating: 0, count: b.count + 1)
  var last = Array(0...b.count)
  var current = last
  for i in 1...a.count {
    current[0] = i
    for j in 1...b.count {
      let cost = a[i - 1] == b[j - 1] ? 0 : 1
      current[j] = min(last[j] + 1, current[j - 1] + 1, last[j - 1] + cost)
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        current[j] = min(current[j], beforeLast[j - 2] + 1)
      }
    }
    (beforeLast, last, current) = (last, current, beforeLast)
  }
  return last[b.count]
}
