internal import Budgets
internal import Formats

/// The size of a value's content, which the budget is charged with.
extension Value {
  /// Whether comparing the value takes a bounded number of steps.
  var isSmall: Bool {
    switch self {
    case .list, .map, .optional: false
    default: true
    }
  }

  /// The number of values inside this one and itself, counted as often as they occur; counting ends at the limit.
  ///
  /// Parts may be shared, so a value can be far larger than the memory it takes:
  /// `cel.bind(a, [1, 1], cel.bind(b, [a, a], ...))`.
  func nodeCount(upTo limit: Int) -> Int {
    var count = 0
    countNodes(&count, upTo: limit)
    return count
  }

  /// The steps of going through all content: one for each value, and one for every ten bytes of texts. Counting ends
  /// when it exceeds the rest of the frame's budget.
  func contentSteps(in frame: borrowing Frame) -> Int {
    switch self {
    case .string(let text): return text.utf8.count / Overload.bytesPerStep
    case .bytes(let bytes): return bytes.count / Overload.bytesPerStep
    case .list, .map, .optional:
      let most = frame.budget.pointee.unitsLeft + 1
      let nodes = nodeCount(upTo: most)
      guard nodes < most else { return nodes }
      var bytes = 0
      countBytes(&bytes)
      return nodes + bytes / Overload.bytesPerStep
    default: return 0
    }
  }

  /// Adds the bytes of all texts and byte sequences in this value, as often as they occur. The number of nodes is
  /// bounded.
  func countBytes(_ bytes: inout Int) {
    switch self {
    case .string(let text): bytes += text.utf8.count
    case .bytes(let content): bytes += content.count
    case .list(let list): for element in list.elements { element.countBytes(&bytes) }
    case .map(let map):
      for entry in map.entries {
        entry.key.countBytes(&bytes)
        entry.value.countBytes(&bytes)
      }
    case .optional(let optional): optional.value?.countBytes(&bytes)
    default: break
    }
  }

  private func countNodes(_ count: inout Int, upTo limit: Int) {
    count += 1
    guard count < limit else { return }
    switch self {
    case .list(let list):
      for element in list.elements {
        if element.isSmall { count += 1 } else { element.countNodes(&count, upTo: limit) }
        if count >= limit { return }
      }
    case .map(let map):
      for entry in map.entries {
        count += 1
        if entry.value.isSmall { count += 1 } else { entry.value.countNodes(&count, upTo: limit) }
        if count >= limit { return }
      }
    case .optional(let optional):
      optional.value?.countNodes(&count, upTo: limit)
    default:
      break
    }
  }
}
