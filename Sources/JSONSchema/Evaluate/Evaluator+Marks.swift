internal import JSON

/// Which members or elements of one instance have been evaluated.
struct MarkRegion {
  var start: Int
  var count: Int
}

extension Evaluator {
  /// A region without marks for the members or elements of a value; nil if it has none.
  mutating func openRegion(for value: JSON) -> MarkRegion? {
    let count: Int
    switch value {
    case .array(let elements): count = elements.count
    case .object(let members): count = members.count
    default: return nil
    }
    charge(count)
    let region = MarkRegion(start: marks.count, count: count)
    marks.append(contentsOf: repeatElement(false, count: count))
    return region
  }

  /// Gives the topmost region back, after taking its marks over into another one of the same instance.
  mutating func closeRegion(_ region: MarkRegion, mergingInto target: Int) {
    if target != Self.untracked {
      for offset in 0..<region.count where marks[region.start + offset] { marks[target + offset] = true }
    }
    marks.removeSubrange(region.start...)
  }

  @inline(__always)
  mutating func mark(_ offset: Int, _ track: Int) {
    if track != Self.untracked { marks[track + offset] = true }
  }
}
