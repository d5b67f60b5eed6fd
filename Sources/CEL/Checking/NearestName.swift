/// Finds the name that was probably meant.
enum NearestName {
  /// The candidate with the fewest differences from `name`, if there are few enough; ties go to the first in order.
  static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().utf8)
    // Names beyond this length are not typing mistakes, and the table below is quadratic.
    guard wanted.count <= 200 else { return nil }
    // Of a name of one or two letters nothing is left after one mistake.
    let allowed = wanted.count < 3 ? 0 : max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates.sorted() where candidate != name {
      let units = Array(candidate.lowercased().utf8)
      guard abs(units.count - wanted.count) <= allowed, units.count <= 200 else { continue }
      let distance = distance(wanted, units)
      if distance <= allowed, best.map({ distance < $0.distance }) ?? true { best = (candidate, distance) }
    }
    return best?.name
  }

  /// "; did you mean 'x'?", or nothing.
  static func question(_ name: String, among candidates: some Sequence<String>) -> String {
    of(name, among: candidates).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Damerau's distance (with neighbours exchanged) between two names.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var row = [i + 1]
      for (j, b) in right.enumerated() {
        var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a == b ? 0 : 1))
        if i > 0, j > 0, a == right[j - 1], left[i - 1] == b { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      beforeLast = last
      last = row
    }
    return last[right.count]
  }
}
