internal import Forms

/// The owner of an inquiry: a check or a lookup, by its index. Each row asks separately, but all rows share the known
/// answers.
enum Inquirer: Hashable {
  case check(Int)
  case lookup(Int)

  var isLookup: Bool { if case .lookup = self { true } else { false } }
}

extension Form {
  /// Three limits: how long its inquiry must be unchanged before it asks, how long it waits for an answer, and how many
  /// answers a session keeps.
  func terms(of inquirer: Inquirer) -> (debounce: Duration?, timeout: Duration, cacheCount: Int) {
    switch inquirer {
    case .check(let index): (checks[index].debounce, checks[index].timeout, checks[index].cacheCount)
    case .lookup(let index): (lookups[index].debounce, lookups[index].timeout, lookups[index].cacheCount)
    }
  }
}
